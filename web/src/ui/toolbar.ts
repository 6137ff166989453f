// The bar at the top: run control, speed and time.

import type { Session } from '../session';
import { el, icon, iconButton, shortNumber } from './dom';

const speeds = [0, 10, 5, 2, 1, 0.8, 0.66, 0.5, 0.4, 0.33, 0.25, 0.2, 0.16, 0.13, 0.1, 0.08, 0.05, 0.04, 0.02, 0.01, 0.005, 0.002, 0.001];

export class Toolbar {
  readonly element: HTMLElement;
  private readonly run = iconButton('play', 'Run', () => this.toggleRun(), 'Space');
  private readonly speed: HTMLSelectElement;
  private readonly factor = el('output', { class: 'factor', 'aria-label': 'measured speed, percent of real time' }, '–');
  private readonly time = el('output', { class: 'time', 'aria-label': 'simulation time' }, '0.000');
  private readonly title = el('span', { class: 'model-name' }, '');
  private readonly line = el('span', { class: 'line', role: 'status' }, 'connecting');
  private readonly take = el('button', { type: 'button', class: 'take', hidden: true, onclick: () => this.session.send('take') }, 'Take the controls');
  private running = false;

  constructor(private readonly session: Session, right: HTMLElement[]) {
    this.speed = el('select', { 'aria-label': 'speed', title: 'Speed (− and =)', onchange: () => session.send('speed', { x: speeds[this.speed.selectedIndex] }) },
      ...speeds.map((s) => el('option', {}, s === 0 ? 'as fast as it goes' : `${shortNumber(100 * s)} %`)));
    this.speed.selectedIndex = speeds.indexOf(1);
    const runControl = el('div', { class: 'group', role: 'group', 'aria-label': 'simulation' },
      iconButton('back', 'Step back', () => this.step(-1), '←'), this.run, iconButton('step', 'Step', () => this.step(1), '→'),
      iconButton('reset', 'Reset', () => session.send('reset'), 'Backspace'), iconButton('reload', 'Reload the model file', () => session.send('reload'), 'Ctrl+L in simulate'));
    runControl.lastElementChild!.setAttribute('title', 'Reload the model file');
    this.element = el('header', { class: 'toolbar' },
      el('span', { class: 'brand' }, 'sinew'), this.title, runControl,
      el('div', { class: 'group speed' }, this.speed, this.factor),
      el('div', { class: 'group clock' }, this.time, el('span', { class: 'unit' }, 's')),
      el('span', { class: 'space' }), this.take, this.line, el('div', { class: 'group' }, ...right));
    session.on('model', (m) => {
      this.title.textContent = m.name || m.file.split('/').pop() || 'model';
      this.title.title = m.file;
      document.title = `${this.title.textContent} – sinew`;
    });
    session.on('status', (s) => {
      this.setRunning(s.running);
      this.factor.textContent = s.running ? `${shortNumber(Number((100 * s.rtf).toPrecision(3)))} %` : 'paused';
      this.factor.classList.toggle('slow', s.running && s.speed > 0 && s.rtf < 0.9 * s.speed);
      const i = speeds.reduce((best, x, k) => (Math.abs(x - s.speed) < Math.abs(speeds[best] - s.speed) ? k : best), 0);
      if (document.activeElement !== this.speed) this.speed.selectedIndex = i;
      this.showTime(s.time);
    });
    session.on('binary', (m) => {
      if (m.kind !== 'frame') return;
      this.showTime(m.time);
      if (m.running !== this.running) this.setRunning(m.running);
    });
    session.on('line', (state) => {
      const words = { connecting: 'connecting', open: '', lost: 'connection lost – trying again', ended: 'the viewer has ended' };
      this.line.textContent = words[state];
      this.line.className = `line ${state}`;
    });
    session.on('control', (c) => {
      this.take.hidden = c.you || Boolean(session.welcome?.read_only);
      this.element.classList.toggle('watching', !session.inControl);
      if (!c.you && state(session) === 'open') this.line.textContent = session.welcome?.read_only ? 'read only' : 'another page has the controls';
      else if (state(session) === 'open') this.line.textContent = '';
    });
  }

  toggleRun(): void {
    this.session.send(this.running ? 'pause' : 'run');
  }
  step(n: number): void {
    this.session.send('step', { n });
  }
  /** Next speed of the list: 1 slower, -1 faster. */
  shiftSpeed(by: number): void {
    const i = Math.min(speeds.length - 1, Math.max(0, this.speed.selectedIndex + by));
    this.speed.selectedIndex = i;
    this.session.send('speed', { x: speeds[i] });
  }

  private showTime(time: number): void {
    this.time.textContent = time.toFixed(3);
  }

  private setRunning(running: boolean): void {
    if (running === this.running && this.run.title) return;
    this.running = running;
    this.run.replaceChildren(icon(running ? 'pause' : 'play'));
    this.run.setAttribute('aria-label', running ? 'Pause' : 'Run');
    this.run.title = `${running ? 'Pause' : 'Run'} (Space)`;
  }
}

function state(session: Session): string {
  return session.line;
}
