// What is drawn and how: flags, groups, labels, frames. Names and letters are those of MuJoCo's simulate.

import { groupKinds } from '../messages';
import type { Session } from '../session';
import { el, numbers, section, select, toggle } from './dom';

export const labelNames = ['None', 'Body', 'Joint', 'Geom', 'Site', 'Camera', 'Light', 'Tendon', 'Actuator', 'Constraint', 'Flex', 'Skin', 'Selection', 'Selection point', 'Contact point', 'Contact force', 'Island'];
export const frameNames = ['None', 'Body', 'Geom', 'Site', 'Camera', 'Light', 'Contact', 'World'];

/** Index in MjvOption.flags, name, letter. */
const elementFlags: [string, string][] = [
  ['Convex Hull', 'H'], ['Texture', 'X'], ['Joint', 'J'], ['Camera', 'Q'], ['Actuator', 'U'], ['Activation', ','], ['Light', 'Z'], ['Tendon', 'V'],
  ['Range Finder', 'Y'], ['Equality', 'E'], ['Inertia', 'I'], ['Scale Inertia', "'"], ['Perturb Force', 'B'], ['Perturb Object', 'O'], ['Contact Point', 'C'],
  ['Island', 'N'], ['Contact Force', 'F'], ['Contact Split', 'P'], ['Transparent', 'T'], ['Auto Connect', 'A'], ['Center of Mass', 'M'], ['Select Point', ''],
  ['Static Body', 'D'], ['Skin', ';'], ['Flex Vert', ''], ['Flex Edge', ''], ['Flex Face', ''], ['Flex Skin', ''], ['Body Tree', '`'], ['Mesh Tree', '\\'], ['SDF iters', ''],
];
const renderFlags: [string, string][] = [
  ['Shadow', 'S'], ['Wireframe', 'W'], ['Reflection', 'R'], ['Additive', 'L'], ['Skybox', 'K'], ['Fog', 'G'], ['Haze', '/'], ['Depth', ''], ['Segment', ''], ['Id Color', ''], ['Cull Face', ''],
];

export interface FlagKey { key: string; what: string; group: 'Show' | 'Rendering'; run: () => void }

/** Keys that switch flags and groups. */
export function flagKeys(session: Session): FlagKey[] {
  const keys: FlagKey[] = [];
  elementFlags.forEach(([what, letter], i) => {
    if (letter) keys.push({ key: letter.toLowerCase(), what, group: 'Show', run: () => setFlag(session, i, !session.settings?.option.flags[i]) });
  });
  renderFlags.forEach(([what, letter], i) => {
    if (letter) keys.push({ key: letter.toLowerCase(), what, group: 'Rendering', run: () => setRender(session, i, !session.settings?.flags[i]) });
  });
  return keys;
}

function setFlag(session: Session, i: number, on: boolean): void {
  session.send('option', { option: { flags: { [i]: on ? 1 : 0 } } });
}
function setRender(session: Session, i: number, on: boolean): void {
  session.send('rnd', { flags: { [i]: on ? 1 : 0 } });
}

export function toggleGroup(session: Session, kind: (typeof groupKinds)[number], group: number): void {
  const name = `${kind}group` as const;
  const values = session.settings?.option[name];
  if (!values) return;
  const next = [...values];
  next[group] = next[group] ? 0 : 1;
  session.send('option', { option: { [name]: next } });
}

/** Flags that need something else than their bit to be of use. */
function flagToggles(session: Session, from: number[]): HTMLElement {
  const toggles = from.map((i) => ({ i, ...toggle(elementFlags[i][0], false, (on) => setFlag(session, i, on), elementFlags[i][1]) }));
  session.on('settings', (s) => toggles.forEach((t) => t.set(Boolean(s.option.flags[t.i]))));
  return el('div', { class: 'toggles' }, ...toggles.map((t) => t.element));
}

const contactFlags = [14, 16, 17];

export function elementPanel(session: Session): HTMLElement {
  const label = select('Label', labelNames, 0, (v) => session.send('option', { option: { label: v } }));
  const frame = select('Frame', frameNames, 0, (v) => session.send('option', { option: { frame: v } }));
  const depth = numbers('Tree depth', [1], ([v]) => session.send('option', { option: { bvh_depth: Math.round(v) } }));
  const layer = numbers('Flex layer', [0], ([v]) => session.send('option', { option: { flex_layer: Math.round(v) } }));
  session.on('settings', (s) => {
    label.set(s.option.label);
    frame.set(s.option.frame);
    depth.set([s.option.bvh_depth]);
    layer.set([s.option.flex_layer]);
  });
  const others = elementFlags.map((_, i) => i).filter((i) => !contactFlags.includes(i));
  return section('Visualization', true, label.element, frame.element,
    el('h3', {}, 'Contacts'), flagToggles(session, contactFlags),
    el('h3', {}, 'Model elements'), flagToggles(session, others), depth.element, layer.element);
}

export function renderPanel(session: Session): HTMLElement {
  const toggles = renderFlags.map(([name, letter], i) => toggle(name, false, (on) => setRender(session, i, on), letter));
  session.on('settings', (s) => toggles.forEach((t, i) => t.set(Boolean(s.flags[i]))));
  return section('Rendering', false, el('div', { class: 'toggles' }, ...toggles.map((t) => t.element)));
}

export function groupPanel(session: Session): HTMLElement {
  const chips: { kind: (typeof groupKinds)[number]; g: number; chip: HTMLButtonElement }[] = [];
  const rows = groupKinds.map((kind) => {
    const row = el('div', { class: 'field', role: 'group', 'aria-label': `${kind} groups` }, el('span', {}, kind));
    const box = el('div', { class: 'groups' });
    for (let g = 0; g < 6; ++g) {
      const chip = el('button', { type: 'button', class: 'chip', 'aria-label': `${kind} group ${g}`, onclick: () => toggleGroup(session, kind, g) }, String(g));
      chips.push({ kind, g, chip });
      box.append(chip);
    }
    row.append(box);
    return row;
  });
  session.on('settings', (s) => {
    for (const { kind, g, chip } of chips) chip.setAttribute('aria-pressed', String(Boolean(s.option[`${kind}group`][g])));
  });
  return section('Groups', false, ...rows);
}
