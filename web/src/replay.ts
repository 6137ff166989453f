// A recording inside the page itself (export.html): plays the part of the server.

import { Reader } from './decode';
import type { Status } from './messages';

interface Recorded { text: string | null; bytes: Uint8Array | null }
/** What was sent at one moment. */
interface Moment { time: number; messages: Recorded[] }

/** Kind of a frame message. */
const frameKind = 2;

export class Replay {
  readonly assets = new Map<string, Uint8Array>();
  private readonly before: Recorded[] = [];
  private readonly frames: Moment[] = [];
  private now = 0;
  private running = true;
  private speed = 1;
  private clock = 0;
  private time = 0;

  constructor(base64: string, private readonly take: (text: string) => void, private readonly takeBinary: (bytes: Uint8Array) => void) {
    const r = new Reader(Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0)));
    if (r.text(8) !== 'SINEWX1\n') throw new RangeError('the recording of this page is of an unknown kind');
    for (let n = r.u32(); n > 0; --n) {
      const hash = r.text(32);
      this.assets.set(hash, r.take(r.u32()));
    }
    for (let n = r.u32(); n > 0; --n) {
      const time = r.f64();
      const binary = r.u8() === 1;
      const bytes = r.take(r.u32());
      const entry = { text: binary ? null : new TextDecoder().decode(bytes), bytes: binary ? bytes : null };
      const last = this.frames[this.frames.length - 1];
      if (!last && !(binary && bytes[0] === frameKind)) this.before.push(entry);
      else if (last?.time === time) last.messages.push(entry);
      else this.frames.push({ time, messages: [entry] });
    }
  }

  start(): void {
    for (const entry of this.before) this.deliver(entry);
    this.take(JSON.stringify({ op: 'control', holder: 1, you: true, clients: 1 }));
    this.time = this.frames[0]?.time ?? 0;
    this.show(0);
    this.clock = performance.now();
    window.setInterval(() => this.turn(), 16);
    window.setInterval(() => this.report(), 250);
  }

  command(op: string, fields: Record<string, unknown>): void {
    if (op === 'run') this.running = true;
    if (op === 'pause') this.running = false;
    if (op === 'speed') this.speed = Number(fields.x) || 1;
    if (op === 'reset') this.seek(0);
    if (op === 'step') {
      this.running = false;
      this.seek(this.now + Number(fields.n ?? 1));
    }
    if (op === 'seek') {
      this.running = false;
      if (typeof fields.frame === 'number') this.seek(fields.frame);
      else this.seek(this.frames.findIndex((f) => f.time >= Number(fields.time)));
    }
    this.report();
  }

  private seek(index: number): void {
    const i = Math.min(this.frames.length - 1, Math.max(0, index));
    this.time = this.frames[i]?.time ?? 0;
    this.show(i);
  }

  private turn(): void {
    const now = performance.now();
    const passed = (now - this.clock) / 1000;
    this.clock = now;
    if (!this.running || !this.frames.length) return;
    this.time += passed * this.speed;
    if (this.time > this.frames[this.frames.length - 1].time) this.seek(0);
    let next = this.now;
    while (next + 1 < this.frames.length && this.frames[next + 1].time <= this.time) ++next;
    if (next !== this.now) this.show(next);
  }

  private show(index: number): void {
    this.now = index;
    for (const message of this.frames[index]?.messages ?? []) this.deliver(message);
  }

  private deliver(entry: Recorded): void {
    if (entry.text !== null) this.take(entry.text);
    else if (entry.bytes) this.takeBinary(entry.bytes);
  }

  private report(): void {
    const last = this.frames.length - 1;
    const span = { start: this.frames[0]?.time ?? 0, end: this.frames[last]?.time ?? 0, count: last + 1, now: this.now };
    const status: Status = {
      op: 'status', time: this.time, running: this.running, speed: this.speed, rtf: this.running ? this.speed : 0,
      steps_per_second: 0, fps: 60, ncon: 0, nefc: 0, nisland: 0, niter: 0, solver: { improvement: 0, gradient: 0 },
      energy: null, warnings: [], diverged: '', history: span, recording: span, cpu: { step: 0, scene: 0, idle: 0 },
    };
    this.take(JSON.stringify(status));
  }
}
