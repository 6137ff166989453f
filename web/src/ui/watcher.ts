// Numbers that panels show: one request for all of them, and each panel gets its own.

import type { Session } from '../session';

type Listener = (values: Float32Array, names: string[], time: number) => void;

export class Watcher {
  private readonly wanted: { signal: string; use: Listener; on: boolean }[] = [];
  private asked: { signal: string; use: Listener }[] = [];
  private spans: { from: number; to: number; use: Listener }[] = [];
  private columns: string[] = [];
  private contacts = false;
  private timer = 0;

  constructor(private readonly session: Session) {
    session.on('watch', (message) => this.arrange(message.columns));
    session.on('binary', (message) => {
      if (message.kind !== 'values' || message.values.length !== this.columns.length) return;
      for (const { from, to, use } of this.spans) use(message.values.subarray(from, to), this.columns.slice(from, to), message.time);
    });
  }

  /** A signal by name; `on` while it is to be sent. Signals with several numbers need their count. */
  want(signal: string, use: Listener): { set: (on: boolean) => void } {
    const entry = { signal, use, on: false };
    this.wanted.push(entry);
    return {
      set: (on) => {
        if (entry.on === on) return;
        entry.on = on;
        this.ask();
      },
    };
  }

  wantContacts(on: boolean): void {
    if (this.contacts === on) return;
    this.contacts = on;
    this.ask();
  }

  /** A new model or connection has forgotten what was asked. */
  ask(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const sizes = this.session.model?.sizes ?? {};
      this.asked = this.wanted.filter((w) => w.on && countOf(w.signal, sizes) !== 0);
      this.session.send('watch', { signals: this.asked.map((w) => w.signal), hz: 15, contacts: this.contacts });
    }, 0);
  }

  private arrange(columns: string[]): void {
    const sizes = this.session.model?.sizes ?? {};
    this.columns = columns;
    this.spans = [];
    // quantities have as many columns as the model says; what is left belongs to the single signals
    let at = 0;
    this.asked.forEach(({ signal, use }, i) => {
      const rest = this.asked.length - i - 1;
      const n = countOf(signal, sizes) ?? (rest ? 1 : columns.length - at);
      this.spans.push({ from: at, to: at + n, use });
      at += n;
    });
  }
}

/** How many numbers a whole quantity has, undefined for other signals. */
function countOf(signal: string, sizes: Record<string, number>): number | undefined {
  const names: Record<string, string> = { qpos: 'nq', ctrl: 'nu', eq_active: 'neq', sensordata: 'nsensordata' };
  const name = names[signal];
  return name === undefined ? undefined : sizes[name];
}
