// The page: makes the parts and joins them.

import './style.css';
import { CameraType } from './draw/camera';
import { Stage } from './draw/stage';
import { Input } from './input';
import { Keyboard, type Shortcut } from './keys';
import { Session } from './session';
import { el, iconButton, remember, remembered } from './ui/dom';
import { physicsPanel, visualPanel } from './ui/fields';
import { Help } from './ui/help';
import { Notices, problemPanel, warningPanel } from './ui/messages';
import { elementPanel, flagKeys, groupPanel, renderPanel, toggleGroup } from './ui/options';
import { overlay } from './ui/overlay';
import { PlotPanel } from './ui/plots';
import { selectionPanel, treePanel } from './ui/selection';
import { CameraPanel, statePanel, worldPanel } from './ui/simulation';
import { controlPanel, equalityPanel, jointPanel } from './ui/sliders';
import { profilePanel, statisticsPanel } from './ui/statistics';
import { timeline } from './ui/timeline';
import { Toolbar } from './ui/toolbar';
import { Upload } from './ui/upload';
import { contactPanel, sensorPanel, watchPanel } from './ui/watch';
import { Watcher } from './ui/watcher';
import { serverPictures } from './ui/pictures';

type Side = 'left' | 'right' | 'plots';

function start(): void {
  const session = new Session();
  const watcher = new Watcher(session);
  const notices = new Notices();
  const tell = (text: string, kind?: 'notice' | 'error') => notices.show(text, kind);

  const canvas = el('canvas', { class: 'scene', tabIndex: 0, 'aria-label': 'the simulated scene' });
  const labels = el('canvas', { class: 'labels', 'aria-hidden': 'true' });
  let stage: Stage;
  try {
    stage = new Stage(canvas, labels, (hash) => session.asset(hash));
  } catch {
    document.body.append(serverPictures(session));
    session.start();
    return;
  }
  const input = new Input(canvas, session, stage);
  const keyboard = new Keyboard();
  const help = new Help(keyboard);
  const cameras = new CameraPanel(session, stage, input);

  const shell = el('div', { class: 'shell' });
  const narrow = () => window.matchMedia('(max-width: 760px)').matches;
  const shown: Record<Side, boolean> = {
    left: !narrow() && remembered('sinew-left') !== '0',
    right: !narrow() && remembered('sinew-right') !== '0',
    plots: false,
  };
  const arrange = () => {
    shell.classList.toggle('no-left', !shown.left);
    shell.classList.toggle('no-right', !shown.right);
    plots.show(shown.plots);
    for (const side of Object.keys(shown) as Side[]) buttons[side].setAttribute('aria-pressed', String(shown[side]));
  };
  const flip = (side: Side, on = !shown[side]) => {
    shown[side] = on;
    // a narrow page has room for one of them
    if (on && narrow()) for (const other of Object.keys(shown) as Side[]) if (other !== side) shown[other] = false;
    if (side !== 'plots' && !narrow()) remember(`sinew-${side}`, on ? '1' : '0');
    arrange();
  };
  const plots = new PlotPanel(session, () => flip('plots', false));
  const plot = (signal: string) => {
    flip('plots', true);
    plots.add(signal);
  };
  const theme = new Theme(() => plots.restyle());
  const buttons = {
    left: iconButton('left', 'Settings panel', () => flip('left'), 'F2'),
    right: iconButton('right', 'Model panel', () => flip('right'), 'F3'),
    plots: iconButton('plot', 'Plots', () => flip('plots'), 'F4'),
  };
  const keysToScript = el('button', {
    type: 'button', hidden: true, title: 'The keyboard belongs to the script, not to this page', 'aria-pressed': 'false',
    onclick: () => {
      keyboard.onlyApplication = !keyboard.onlyApplication;
      keysToScript.setAttribute('aria-pressed', String(keyboard.onlyApplication));
    },
  }, 'Keys to script');
  const toolbar = new Toolbar(session, [keysToScript, buttons.left, buttons.right, buttons.plots,
    iconButton('theme', 'Dark or light', () => theme.next(), 'F6'), iconButton('help', 'Keys and mouse', () => help.toggle(), '?')]);

  const upload = new Upload(session, tell);
  const view = el('main', { class: 'view' }, canvas, labels,
    overlay(session, () => ({ width: canvas.clientWidth, height: canvas.clientHeight })),
    el('div', { class: 'over' }, problemPanel(session), warningPanel(session), upload.element), notices.element);
  shell.append(toolbar.element,
    el('aside', { class: 'left', 'aria-label': 'settings' }, statePanel(session, stage, tell), cameras.element, worldPanel(session),
      elementPanel(session), groupPanel(session), renderPanel(session), physicsPanel(session), visualPanel(session)),
    view,
    el('aside', { class: 'right', 'aria-label': 'model' }, selectionPanel(session, (b) => input.track(b)), controlPanel(session, watcher), jointPanel(session, watcher),
      equalityPanel(session, watcher), sensorPanel(session, watcher, plot), contactPanel(session, watcher), watchPanel(session, watcher),
      statisticsPanel(session, stage), profilePanel(session), treePanel(session)),
    el('footer', { class: 'bottom' }, plots.element, timeline(session)));
  document.body.append(shell, help.element);
  arrange();

  session.on('binary', (message) => stage.receive(message));
  session.on('model', (message) => {
    stage.setModel(message);
    input.sendCamera();
    watcher.ask();
  });
  session.on('settings', (message) => stage.setSettings(message));
  session.on('lights', (message) => stage.setLights(message));
  session.on('notice', (message) => tell(message.text));
  session.on('error', (message) => tell(message.text, 'error'));
  session.on('bye', (message) => tell(message.text));
  session.on('welcome', (message) => {
    if (message.show_left === false) flip('left', false);
    if (message.show_right === false) flip('right', false);
    keysToScript.hidden = !message.passive;
    keyboard.toApplication = message.passive ? (key) => session.send('keypress', { key }) : null;
    const { width, height } = canvas.getBoundingClientRect();
    session.send('viewport', { width: Math.round(width), height: Math.round(height) });
  });
  new ResizeObserver(() => session.send('viewport', { width: canvas.clientWidth, height: canvas.clientHeight })).observe(canvas);

  const parent = () => {
    const body = session.status?.selection?.body ?? 0;
    session.send('select_body', { body: session.model?.bodies[body]?.parent ?? 0 });
  };
  const key = (key: string, group: Shortcut['group'], what: string, run: () => void, shift = false): Shortcut => ({ key, group, what, run, shift });
  keyboard.add(
    key(' ', 'Simulation', 'run or pause', () => toolbar.toggleRun()),
    key('ArrowRight', 'Simulation', 'step', () => toolbar.step(1)),
    key('ArrowLeft', 'Simulation', 'step back', () => toolbar.step(-1)),
    key('ArrowRight', 'Simulation', '20 steps', () => toolbar.step(20), true),
    key('ArrowLeft', 'Simulation', '20 steps back', () => toolbar.step(-20), true),
    key('Backspace', 'Simulation', 'reset', () => session.send('reset')),
    key('=', 'Simulation', 'faster', () => toolbar.shiftSpeed(-1)),
    key('-', 'Simulation', 'slower', () => toolbar.shiftSpeed(1)),
    key('PageUp', 'Camera', 'select the parent body', parent),
    key('Escape', 'Camera', 'free camera', () => cameras.choose(0)),
    key(']', 'Camera', 'next camera', () => cameras.cycle(1)),
    key('[', 'Camera', 'camera before', () => cameras.cycle(-1)),
    key('Home', 'Camera', 'first view', () => cameras.home()),
    key('F2', 'Page', 'settings panel', () => flip('left')),
    key('F3', 'Page', 'model panel', () => flip('right')),
    key('F4', 'Page', 'plots', () => flip('plots')),
    key('F6', 'Page', 'dark or light', () => theme.next()),
    key('?', 'Page', 'this sheet', () => help.toggle()),
    ...flagKeys(session).map((f) => key(f.key, f.group, f.what, f.run)),
    ...[0, 1, 2, 3, 4, 5].flatMap((g) => [
      key(String(g), 'View', `geom group ${g}`, () => toggleGroup(session, 'geom', g)),
      key(String(g), 'View', `site group ${g}`, () => toggleGroup(session, 'site', g), true),
    ]),
  );
  const fixed = /camera=(\d+)/.exec(location.hash);
  if (fixed) stage.camera.set({ type: CameraType.Fixed, fixedcamid: Number(fixed[1]) });

  // a handle for scripts that drive the page
  Object.assign(window, { sinew: { session, stage, plots } });
  session.start();
}

/** As the system says, dark or light. */
class Theme {
  private readonly order = ['', 'dark', 'light'];

  constructor(private readonly changed: () => void) {
    this.apply(remembered('sinew-theme') ?? '');
  }

  next(): void {
    const dark = getComputedStyle(document.documentElement).colorScheme === 'dark';
    this.apply(dark ? 'light' : 'dark');
    this.changed();
  }

  private apply(theme: string): void {
    document.documentElement.dataset.theme = this.order.includes(theme) ? theme : '';
    remember('sinew-theme', theme);
  }
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();
