// Plots of signals over time. What has been received stays: a pause, a scroll back or another signal loses nothing.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Samples } from '../decode';
import type { Session } from '../session';
import { button, download, el, iconButton, select } from './dom';
import { signalField } from './signals';

const mostRows = 60_000;
const windows = [2, 5, 10, 30, 120, Infinity];
const colors = ['#4f8ff7', '#e8894a', '#45b36b', '#c264d9', '#d9534f', '#2bb5b8', '#b59a2b', '#8a8f98'];

/** Rows of one column set; a row without values separates what the time jumped between. */
export class History {
  readonly time: number[] = [];
  readonly columns: (number | null)[][];

  constructor(readonly names: string[]) {
    this.columns = names.map(() => []);
  }

  add(samples: Samples): void {
    if (samples.columns !== this.names.length) return;
    if (samples.jumped && this.time.length) {
      // a new line: what is later than the new start belongs to a past that was left
      const start = samples.time[0];
      let keep = this.time.length;
      while (keep > 0 && this.time[keep - 1] >= start) --keep;
      this.time.length = keep;
      for (const column of this.columns) column.length = keep;
      if (keep) {
        this.time.push(this.time[keep - 1]);
        for (const column of this.columns) column.push(null);
      }
    }
    for (let r = 0; r < samples.rows; ++r) {
      this.time.push(samples.time[r]);
      for (let c = 0; c < samples.columns; ++c) this.columns[c].push(samples.values[r * samples.columns + c]);
    }
    const surplus = this.time.length - mostRows;
    if (surplus > 0) {
      this.time.splice(0, surplus);
      for (const column of this.columns) column.splice(0, surplus);
    }
  }

  csv(): string {
    const rows = [['time', ...this.names].map((n) => (/[",]/.test(n) ? `"${n.replace(/"/g, '""')}"` : n)).join(',')];
    this.time.forEach((t, i) => {
      if (this.columns.every((c) => c[i] !== null)) rows.push([t, ...this.columns.map((c) => c[i])].join(','));
    });
    return rows.join('\n') + '\n';
  }
}

export class PlotPanel {
  readonly element: HTMLElement;
  history = new History([]);
  private signals: string[] = [];
  private units: string[] = [];
  private readonly chips = el('div', { class: 'chips', role: 'list', 'aria-label': 'plotted signals' });
  private readonly canvas = el('div', { class: 'chart' });
  private readonly empty = el('p', { class: 'hint' }, 'Add a signal by name, or press its name in a panel.');
  private plot: uPlot | null = null;
  private readonly ink = el('span', { class: 'ink' });
  private span = 5;
  private stale = false;

  constructor(private readonly session: Session, close: () => void) {
    const span = select('window', windows.map((w) => (Number.isFinite(w) ? `${w} s` : 'all')), windows.indexOf(this.span), (i) => {
      this.span = windows[i];
      this.draw();
    });
    this.element = el('section', { class: 'plots', 'aria-label': 'plots', hidden: true },
      el('div', { class: 'row' }, signalField(session, 'plot', (name) => this.add(name)), span.element,
        button('CSV', () => download('sinew.csv', new Blob([this.history.csv()], { type: 'text/csv' })), 'Save what is plotted'),
        button('Clear', () => this.set([])), iconButton('close', 'Close the plots', close)),
      this.chips, this.empty, this.canvas, this.ink);
    session.on('plot', (message) => {
      if (message.error) {
        this.signals.pop();
        this.ask();
        return;
      }
      const same = message.columns.join('\n') === this.history.names.join('\n');
      if (!same) {
        this.history = new History(message.columns);
        this.rebuild();
      }
      this.units = message.units;
    });
    session.on('binary', (message) => {
      if (message.kind !== 'samples') return;
      this.history.add(message);
      this.schedule();
    });
    session.on('model', () => this.ask());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  add(name: string): void {
    if (!this.signals.includes(name)) this.set([...this.signals, name]);
  }

  set(signals: string[]): void {
    this.signals = signals;
    this.chips.replaceChildren(...signals.map((name) => el('button', {
      type: 'button', class: 'chip', role: 'listitem', title: 'stop plotting', onclick: () => this.set(this.signals.filter((s) => s !== name)),
    }, `${name} ×`)));
    this.ask();
    if (!signals.length) {
      this.history = new History([]);
      this.rebuild();
    }
  }

  show(on: boolean): void {
    this.element.hidden = !on;
    this.schedule();
  }

  private ask(): void {
    this.session.send('plot', { signals: this.signals, rate: 200 });
  }

  private rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
    this.empty.hidden = this.history.names.length > 0;
    this.canvas.replaceChildren();
    if (!this.history.names.length || this.element.hidden) return;
    const style = getComputedStyle(this.ink);
    const ink = style.color;
    const grid = { stroke: style.borderTopColor, width: 1 };
    const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui' };
    this.plot = new uPlot({
      width: Math.max(100, this.canvas.clientWidth), height: 100,
      scales: { x: { time: false } },
      axes: [{ ...axis, size: 28 }, { ...axis, size: 56 }],
      series: [{ label: 's', value: (_, v) => (v === null ? '' : v.toFixed(3)) }, ...this.history.names.map((label, i) => ({
        label: this.units[i] ? `${label} [${this.units[i]}]` : label, stroke: colors[i % colors.length], width: 1.5, points: { show: false }, spanGaps: false,
        value: (_: uPlot, v: number | null) => (v === null ? '' : v.toPrecision(5)),
      }))],
      legend: { live: true },
    }, [[], ...this.history.names.map(() => [])], this.canvas);
    this.resize();
    this.draw();
  }

  private schedule(): void {
    if (this.stale || this.element.hidden) return;
    this.stale = true;
    requestAnimationFrame(() => {
      this.stale = false;
      if (!this.plot && this.history.names.length) this.rebuild();
      else this.draw();
    });
  }

  private draw(): void {
    const { time, columns } = this.history;
    if (!this.plot || !time.length) return;
    const end = time[time.length - 1];
    const first = Number.isFinite(this.span) ? lowerBound(time, end - this.span) : 0;
    this.plot.setData([time.slice(first), ...columns.map((c) => c.slice(first))] as uPlot.AlignedData);
  }

  private resize(): void {
    const legend = this.canvas.querySelector<HTMLElement>('.u-legend')?.offsetHeight ?? 0;
    this.plot?.setSize({ width: Math.max(100, this.canvas.clientWidth), height: Math.max(80, this.canvas.clientHeight - legend) });
  }

  /** After the colors of the page have changed. */
  restyle(): void {
    this.rebuild();
  }
}

function lowerBound(values: number[], x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
