// Keyframes, state, recordings, cameras, worlds.

import { CameraType } from '../draw/camera';
import type { Stage } from '../draw/stage';
import type { Input } from '../input';
import type { Session } from '../session';
import { button, download, el, numbers, section, select } from './dom';

export function statePanel(session: Session, stage: Stage, tell: (text: string) => void): HTMLElement {
  const keys = el('select', { 'aria-label': 'keyframe' });
  const name = el('input', { type: 'text', placeholder: 'name', 'aria-label': 'name of a new keyframe' });
  session.on('keys', (message) => {
    const chosen = keys.selectedIndex;
    keys.replaceChildren(...message.keys.map((k, i) => el('option', {}, `${k.name || `key ${i}`} (${k.time.toFixed(2)} s)`)));
    keys.selectedIndex = Math.min(Math.max(0, chosen), message.keys.length - 1);
    load.disabled = message.keys.length === 0;
  });
  const load = button('Load', () => session.send('key', { k: keys.selectedIndex }), 'Load this keyframe');
  const save = button('Save', () => {
    session.send('key_save', name.value ? { name: name.value } : {});
    name.value = '';
  }, 'Keep this state as a keyframe, in memory');
  let copy = false;
  session.on('state', (message) => {
    if (!copy) return;
    copy = false;
    void navigator.clipboard.writeText(message.mjcf).then(() => tell('The state is on the clipboard as a <key>.'), () => download('key.xml', new Blob([message.mjcf], { type: 'text/xml' })));
  });
  const recording = new Recording(stage, tell);
  const links = el('div', { class: 'row wrap' },
    button('Copy state', () => {
      copy = true;
      session.send('state');
    }, 'As a <key> for the model file'),
    button('Screenshot', () => void stage.picture().then((b) => b && download('sinew.png', b))),
    recording.button,
    el('a', { class: 'button', href: session.address('recording.npz'), download: 'recording.npz', title: 'The history, for sinew view --play' }, 'History .npz'),
    el('a', { class: 'button', href: session.address('export.html'), download: 'sinew.html', title: 'The history as a page that needs no server' }, 'Page .html'),
    button('Quit', () => session.send('quit'), 'Ends the viewer, for all pages'));
  return section('Keyframes and recording', true, el('div', { class: 'row' }, keys, load), el('div', { class: 'row' }, name, save), links);
}

/** A video of the canvas, made by the browser. */
class Recording {
  readonly button: HTMLButtonElement;
  private recorder: MediaRecorder | null = null;

  constructor(private readonly stage: Stage, private readonly tell: (text: string) => void) {
    this.button = button('Video', () => this.toggle(), 'Record the picture; press again to save');
  }

  private toggle(): void {
    if (this.recorder) return this.recorder.stop();
    if (typeof MediaRecorder === 'undefined') return this.tell('This browser cannot record videos.');
    const pieces: Blob[] = [];
    const recorder = new MediaRecorder(this.stage.element.captureStream(60), { mimeType: 'video/webm' });
    recorder.ondataavailable = (e) => pieces.push(e.data);
    recorder.onstop = () => {
      this.recorder = null;
      this.button.textContent = 'Video';
      this.button.setAttribute('aria-pressed', 'false');
      download('sinew.webm', new Blob(pieces, { type: 'video/webm' }));
    };
    recorder.start(1000);
    this.recorder = recorder;
    this.button.textContent = 'Stop video';
    this.button.setAttribute('aria-pressed', 'true');
  }
}

/** Free, tracking, then the cameras of the model; any of them also as a small picture. */
export class CameraPanel {
  readonly element: HTMLElement;
  private readonly list = el('select', { 'aria-label': 'camera', onchange: () => this.choose(this.list.selectedIndex) });
  private readonly insets = el('div', { class: 'toggles' });
  private pose = numbers('Distance', [0], ([v]) => this.change({ distance: v }));
  private angles = numbers('Azimuth, elevation', [0, 0], ([azimuth, elevation]) => this.change({ azimuth, elevation }));
  private lookat = numbers('Looks at', [0, 0, 0], (lookat) => this.change({ lookat }));

  constructor(private readonly session: Session, private readonly stage: Stage, private readonly input: Input) {
    const copy = button('Copy', () => {
      const c = stage.camera;
      void navigator.clipboard?.writeText(JSON.stringify({ lookat: c.lookat, distance: c.distance, azimuth: c.azimuth, elevation: c.elevation }));
    }, 'The free camera as JSON');
    const home = button('Home', () => this.home(), 'The first view of the model');
    this.element = section('Camera', true, el('div', { class: 'row' }, this.list, home, copy), this.pose.element, this.angles.element, this.lookat.element, this.insets);
    session.on('model', (model) => {
      this.list.replaceChildren(...['Free', 'Tracking', ...model.cameras.map((c, i) => c.name || `camera ${i}`)].map((n) => el('option', {}, n)));
      stage.insets = [];
      this.insets.replaceChildren(...(model.cameras.length ? [el('h3', {}, 'Small pictures')] : []), ...model.cameras.slice(0, 12).map((c, i) => {
        const box: HTMLInputElement = el('input', { type: 'checkbox', onchange: () => {
          stage.insets = box.checked ? [...stage.insets, i] : stage.insets.filter((x) => x !== i);
          input.cameraChanged();
        } });
        return el('label', { class: 'toggle' }, box, el('span', {}, c.name || `camera ${i}`));
      }));
      if (stage.camera.type === CameraType.Fixed && stage.camera.fixedcamid >= model.cameras.length) stage.camera.type = CameraType.Free;
    });
    window.setInterval(() => this.show(), 250);
  }

  /** By position in the list: 0 free, 1 tracking, then the model's. */
  choose(i: number): void {
    const { camera } = this.stage;
    const selected = this.session.status?.selection?.body ?? 0;
    if (i === 0) camera.type = CameraType.Free;
    else if (i === 1) camera.set({ type: CameraType.Tracking, trackbodyid: selected || Math.max(1, camera.trackbodyid) });
    else camera.set({ type: CameraType.Fixed, fixedcamid: i - 2 });
    this.show();
    this.input.cameraChanged();
  }

  /** [ and ]: through the cameras of the model. */
  cycle(by: number): void {
    const n = this.session.model?.cameras.length ?? 0;
    const { camera } = this.stage;
    const now = camera.type === CameraType.Fixed ? camera.fixedcamid + 1 : 0;
    const next = (now + by + n + 1) % (n + 1);
    this.choose(next === 0 ? 0 : next + 1);
  }

  home(): void {
    if (this.session.model) this.stage.camera.set(this.session.model.camera);
    this.input.cameraChanged();
  }

  private change(camera: Record<string, unknown>): void {
    this.stage.camera.set(camera);
    this.input.cameraChanged();
  }

  private show(): void {
    const c = this.stage.camera;
    const i = c.type === CameraType.Free ? 0 : c.type === CameraType.Tracking ? 1 : 2 + c.fixedcamid;
    if (document.activeElement !== this.list) this.list.selectedIndex = i;
    this.pose.set([c.distance]);
    this.angles.set([c.azimuth, c.elevation]);
    this.lookat.set(c.lookat);
  }
}

export function worldPanel(session: Session): HTMLElement {
  const focus = numbers('World in focus', [0], ([k]) => session.send('world', { k: Math.round(k) }));
  const layout = select('Layout', ['grid', 'overlay'], 0, (i) => session.send('world', { k: session.settings?.world ?? 0, layout: ['grid', 'overlay'][i] }));
  const count = el('p', { class: 'hint' });
  const details = section('Worlds', true, count, focus.element, layout.element);
  session.on('model', (model) => {
    details.hidden = model.worlds.n < 2;
    count.textContent = `${model.worlds.n} worlds`;
  });
  session.on('settings', (s) => {
    focus.set([s.world]);
    layout.set(s.layout === 'overlay' ? 1 : 0);
  });
  details.hidden = true;
  return details;
}
