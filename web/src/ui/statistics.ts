// Solver, energy, times of the stages.

import type { Session } from '../session';
import type { Stage } from '../draw/stage';
import { el, section, shortNumber } from './dom';

export function statisticsPanel(session: Session, stage: Stage): HTMLElement {
  const table = el('dl', { class: 'values' });
  const cells = new Map<string, HTMLElement>();
  const set = (name: string, value: string) => {
    let cell = cells.get(name);
    if (!cell) {
      cells.set(name, (cell = el('dd', {})));
      table.append(el('dt', {}, name), cell);
    }
    if (cell.textContent !== value) cell.textContent = value;
  };
  let last = { time: performance.now(), bytes: 0, drawn: 0 };
  session.on('status', (s) => {
    const now = performance.now();
    const seconds = (now - last.time) / 1000;
    if (seconds < 0.1) return;
    set('steps per second', shortNumber(Math.round(s.steps_per_second)));
    set('contacts', String(s.ncon));
    set('constraint rows', String(s.nefc));
    set('islands', String(s.nisland));
    set('solver iterations', String(s.niter));
    set('improvement', shortNumber(s.solver?.improvement));
    set('gradient', shortNumber(s.solver?.gradient));
    set('energy', s.energy ? `${shortNumber(s.energy[0])} + ${shortNumber(s.energy[1])} = ${shortNumber(s.energy[0] + s.energy[1])} J` : 'not computed');
    set('frames', `${shortNumber(Math.round(s.fps))} sent, ${Math.round((stage.drawn - last.drawn) / seconds)} drawn per second`);
    set('received', `${Math.round((session.received - last.bytes) / seconds / 1000)} kB/s`);
    last = { time: now, bytes: session.received, drawn: stage.drawn };
  });
  const energy = el('button', { type: 'button', class: 'link', onclick: () => {
    const flags = Number(session.settings?.opt.enableflags ?? 0);
    session.send('opt', { path: 'enableflags', value: flags ^ 2 });
  } }, 'compute energy: on or off');
  return section('Statistics', false, table, energy);
}

export function profilePanel(session: Session): HTMLElement {
  const list = el('div', { class: 'bars' });
  const details = section('Profile', false, list);
  session.on('status', (s) => {
    if (!details.open) return;
    const rows: [string, number, string][] = [];
    const busy = s.cpu ? Math.max(1, s.cpu.step + s.cpu.scene + s.cpu.idle) : 1;
    if (s.cpu) for (const name of ['step', 'scene', 'idle'] as const) rows.push([name, s.cpu[name] / busy, `${Math.round(s.cpu[name])} ms/s`]);
    const stages = Object.entries(s.stages ?? {});
    const longest = Math.max(1e-9, ...stages.map(([, t]) => t));
    for (const [name, t] of stages) rows.push([name, t / longest, `${shortNumber(Number(t.toPrecision(3)))} µs`]);
    list.replaceChildren(...rows.map(([name, part, text]) => {
      const bar = el('div', { class: 'bar' });
      bar.style.width = `${100 * part}%`;
      return el('div', { class: 'bar-row' }, el('span', {}, name), el('div', { class: 'bar-box' }, bar), el('span', { class: 'number' }, text));
    }));
  });
  return details;
}
