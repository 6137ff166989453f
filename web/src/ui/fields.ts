// Settings that are lists of named numbers: physics options and the <visual> section.

import type { Session } from '../session';
import { el, numbers, section, select } from './dom';

const choices: Record<string, string[]> = {
  integrator: ['Euler', 'RK4', 'implicit', 'implicitfast'],
  cone: ['pyramidal', 'elliptic'],
  solver: ['PGS', 'CG', 'Newton'],
  jacobian: ['dense', 'sparse', 'auto'],
};
/** Bits of disableflags and enableflags, in MuJoCo's order. */
const bits: Record<string, string[]> = {
  disableflags: ['constraint', 'equality', 'frictionloss', 'limit', 'contact', 'spring', 'damper', 'gravity', 'clampctrl', 'warmstart', 'filterparent', 'actuation', 'refsafe', 'sensor', 'midphase', 'eulerdamp', 'autoreset', 'nativeccd', 'island'],
  enableflags: ['override', 'energy', 'fwdinv', 'invdiscrete', 'multiccd', 'sleep'],
};

interface Field { element: HTMLElement; set: (value: number | number[]) => void }

function field(name: string, value: number | number[], change: (value: number | number[]) => void): Field {
  if (typeof value === 'number' && choices[name]) {
    const s = select(name, choices[name], value, change);
    return { element: s.element, set: (v) => s.set(v as number) };
  }
  if (typeof value === 'number' && bits[name]) {
    let now = value;
    const inputs = bits[name].map((bit, i) => {
      const input: HTMLInputElement = el('input', { type: 'checkbox', onchange: () => change(input.checked ? now | (1 << i) : now & ~(1 << i)) });
      return { input, element: el('label', { class: 'toggle' }, input, el('span', {}, bit)) };
    });
    const set = (v: number | number[]) => {
      now = v as number;
      inputs.forEach(({ input }, i) => (input.checked = Boolean(now & (1 << i))));
    };
    set(value);
    return { element: el('fieldset', {}, el('legend', {}, name === 'disableflags' ? 'disable' : 'enable'), el('div', { class: 'toggles' }, ...inputs.map((i) => i.element))), set };
  }
  const many = Array.isArray(value);
  const n = numbers(name, many ? value : [value], (v) => change(many ? v : v[0]));
  return { element: n.element, set: (v) => n.set(Array.isArray(v) ? v : [v]) };
}

/** Fields are made when the server first names them, and follow it after that. */
class FieldList {
  readonly element = el('div');
  private readonly fields = new Map<string, Field>();

  constructor(private readonly send: (name: string, value: number | number[]) => void) {}

  show(values: Record<string, number | number[]>): void {
    for (const [name, value] of Object.entries(values)) {
      const known = this.fields.get(name);
      if (known) {
        known.set(value);
        continue;
      }
      const made = field(name, value, (v) => this.send(name, v));
      this.fields.set(name, made);
      this.element.append(made.element);
    }
  }
}

export function physicsPanel(session: Session): HTMLElement {
  const list = new FieldList((path, value) => session.send('opt', { path, value }));
  session.on('settings', (s) => list.show(s.opt));
  return section('Physics', false, list.element);
}

export function visualPanel(session: Session): HTMLElement {
  const groups = new Map<string, FieldList>();
  const box = el('div');
  session.on('settings', (s) => {
    for (const [group, values] of Object.entries(s.vis)) {
      let list = groups.get(group);
      if (!list) {
        list = new FieldList((name, value) => session.send('vis', { path: `${group}.${name}`, value }));
        groups.set(group, list);
        box.append(el('h3', {}, group), list.element);
      }
      list.show(values);
    }
  });
  return section('Visual settings', false, box);
}
