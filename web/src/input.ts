// Mouse and fingers on the canvas: MuJoCo's bindings.

import { CameraType, type CameraAction } from './draw/camera';
import type { Stage } from './draw/stage';
import type { Session } from './session';

type DragAction = 'rotate_v' | 'rotate_h' | 'move_v' | 'move_h';

const cameraPeriod = 50;

export class Input {
  private pointers = new Map<number, { x: number; y: number }>();
  private dragging: { body: boolean; button: number; shift: boolean } | null = null;
  private lastSent = 0;
  private timer = 0;
  private lastTap = { time: 0, x: 0, y: 0 };
  /** What the next answer to a pick does with the camera. */
  private afterPick: 'nothing' | 'center' | 'track' = 'nothing';

  constructor(private readonly canvas: HTMLCanvasElement, private readonly session: Session, private readonly stage: Stage) {
    canvas.addEventListener('pointerdown', (e) => this.down(e));
    canvas.addEventListener('pointermove', (e) => this.moved(e));
    for (const end of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(end, (e) => this.up(e));
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      this.move('zoom', 0, Math.max(-0.3, Math.min(0.3, -e.deltaY * lines * 0.0005)));
    }, { passive: false });
    session.on('selection', (selection) => {
      const after = this.afterPick;
      this.afterPick = 'nothing';
      if (after === 'nothing' || (selection.body <= 0 && selection.geom < 0)) return;
      if (after === 'track' && selection.body > 0) this.track(selection.body);
      else {
        stage.camera.type = CameraType.Free;
        stage.camera.lookat = [...selection.point];
      }
      this.cameraChanged();
    });
  }

  track(body: number): void {
    this.stage.camera.set({ type: CameraType.Tracking, trackbodyid: body });
    this.cameraChanged();
  }

  /** Draws again, and tells the server at most 20 times a second. */
  cameraChanged(): void {
    this.stage.invalidate();
    const wait = this.lastSent + cameraPeriod - performance.now();
    if (wait <= 0) this.sendCamera();
    else if (!this.timer) this.timer = window.setTimeout(() => this.sendCamera(), wait);
  }

  sendCamera(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.lastSent = performance.now();
    const { type, fixedcamid, trackbodyid, lookat, distance, azimuth, elevation } = this.stage.camera;
    this.session.send('cam', {
      type, lookat, distance, azimuth, elevation, also: this.stage.insets,
      ...(type === CameraType.Fixed ? { fixedcamid } : {}),
      ...(type === CameraType.Tracking ? { trackbodyid } : {}),
    });
  }

  private move(action: CameraAction, dx: number, dy: number): void {
    const { stage } = this;
    // as simulate: dragging while a fixed camera is on does nothing
    stage.camera.move(action, dx, dy, stage.extent, stage.frustumHeight);
    this.cameraChanged();
  }

  private down(e: PointerEvent): void {
    this.canvas.setPointerCapture(e.pointerId);
    this.canvas.focus({ preventScroll: true });
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    const selected = (this.session.status?.selection?.body ?? 0) > 0;
    const body = (e.ctrlKey || e.metaKey) && selected && this.session.inControl;
    this.dragging = { body, button: e.button, shift: e.shiftKey };
    if (body) this.sendCamera();
    if (this.pointers.size === 1 && this.doubled(e)) this.pick(e);
  }

  private doubled(e: PointerEvent): boolean {
    const twice = e.timeStamp - this.lastTap.time < 350 && Math.hypot(e.clientX - this.lastTap.x, e.clientY - this.lastTap.y) < 8;
    this.lastTap = { time: twice ? -1e9 : e.timeStamp, x: e.clientX, y: e.clientY };
    return twice;
  }

  private moved(e: PointerEvent): void {
    const before = this.pointers.get(e.pointerId);
    if (!before || !this.dragging) return;
    const height = this.canvas.clientHeight;
    const dx = (e.clientX - before.x) / height;
    const dy = (e.clientY - before.y) / height;
    if (this.pointers.size === 2) {
      this.pinch(e, before, dx, dy);
    } else if (this.dragging.body) {
      const turn = this.dragging.button === 0;
      const action: DragAction = `${turn ? 'rotate' : 'move'}_${this.dragging.shift ? 'h' : 'v'}`;
      if (dx || dy) this.session.send('drag', { action, dx, dy });
    } else if (this.dragging.button === 0) {
      this.move('rotate', dx, dy);
    } else if (this.dragging.button === 2) {
      this.move(this.dragging.shift ? 'move_h' : 'move_v', dx, dy);
    } else {
      this.move('zoom', dx, -dy);
    }
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
  }

  /** Two fingers: their middle pans, their distance zooms. */
  private pinch(e: PointerEvent, before: { x: number; y: number }, dx: number, dy: number): void {
    const other = [...this.pointers.entries()].find(([id]) => id !== e.pointerId)![1];
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(e.clientX - other.x, e.clientY - other.y);
    this.move('move_v', dx / 2, dy / 2);
    this.move('zoom', 0, (is - was) / this.canvas.clientHeight);
  }

  private up(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    if (this.dragging?.body) this.session.send('release');
    if (!this.pointers.size) this.dragging = null;
  }

  private pick(e: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    this.sendCamera();
    const right = e.button === 2;
    this.afterPick = !right ? 'nothing' : e.ctrlKey || e.metaKey ? 'track' : 'center';
    this.session.send('select', {
      x: (e.clientX - box.left) / box.width,
      y: 1 - (e.clientY - box.top) / box.height,
      aspect: this.stage.aspect,
    });
  }
}
