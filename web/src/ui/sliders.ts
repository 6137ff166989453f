// Sliders of controls and joints.

import type { Session } from '../session';
import { button, el, section, slider, type Slider } from './dom';
import type { Watcher } from './watcher';

/** A section that fetches its numbers while it is open. */
function sliderSection(title: string, session: Session, watcher: Watcher, signal: string, build: () => { sliders: Slider[]; index: number[] }, ...buttons: HTMLElement[]): HTMLElement {
  const list = el('div', { class: 'sliders' });
  const search = el('input', { type: 'search', placeholder: 'filter', 'aria-label': `filter ${title.toLowerCase()}`, oninput: () => filter() });
  const groups = el('div', { class: 'groups', role: 'group', 'aria-label': `groups of ${title.toLowerCase()}` });
  const shown = [true, true, true, false, false, false];
  let sliders: Slider[] = [];
  let index: number[] = [];
  const filter = () => {
    const text = search.value.toLowerCase();
    for (const s of sliders) s.element.hidden = !s.name.toLowerCase().includes(text) || !shown[Math.min(5, Math.max(0, s.group))];
  };
  const want = watcher.want(signal, (values) => {
    sliders.forEach((s, i) => s.set(values[index[i]]));
  });
  const tools = el('div', { class: 'row' }, search, ...buttons);
  const details = section(title, true, tools, groups, list);
  details.addEventListener('toggle', () => want.set(details.open));
  want.set(details.open);
  session.on('model', () => {
    ({ sliders, index } = build());
    list.replaceChildren(...sliders.map((s) => s.element));
    details.hidden = sliders.length === 0;
    tools.hidden = sliders.length < 6 && buttons.length === 0;
    search.hidden = sliders.length < 6;
    const used = new Set(sliders.map((s) => s.group));
    groups.hidden = used.size < 2 && used.has(0);
    groups.replaceChildren(...shown.map((on, g) => {
      const chip = el('button', { type: 'button', class: 'chip', 'aria-pressed': String(on), title: `group ${g}`, onclick: () => {
        shown[g] = !shown[g];
        chip.setAttribute('aria-pressed', String(shown[g]));
        filter();
      } }, String(g));
      chip.hidden = !used.has(g);
      return chip;
    }));
    filter();
  });
  return details;
}

export function controlPanel(session: Session, watcher: Watcher): HTMLElement {
  const clear = button('Clear all', () => session.send('ctrl', { v: (session.model?.controls ?? []).map(() => 0) }), 'Sets every control to 0');
  return sliderSection('Control', session, watcher, 'ctrl', () => {
    const controls = session.model?.controls ?? [];
    return {
      index: controls.map((_, i) => i),
      sliders: controls.map((c, i) => slider(c.name || `control ${i}`, c.limited ? c.range : [-1, 1], c.group, (v) => session.send('ctrl', { i, v }))),
    };
  }, clear);
}

export function jointPanel(session: Session, watcher: Watcher): HTMLElement {
  return sliderSection('Joint', session, watcher, 'qpos', () => {
    const scalars = (session.model?.joints ?? []).map((j, i) => ({ ...j, i })).filter((j) => j.type === 'slide' || j.type === 'hinge');
    return {
      index: scalars.map((j) => j.qpos),
      sliders: scalars.map((j) => {
        const range: [number, number] = j.limited ? j.range : j.type === 'hinge' ? [-Math.PI, Math.PI] : [-1, 1];
        return slider(j.name || `joint ${j.i}`, range, j.group, (v) => session.send('qpos', { i: j.qpos, v }));
      }),
    };
  });
}

export function equalityPanel(session: Session, watcher: Watcher): HTMLElement {
  const list = el('div', { class: 'toggles' });
  const details = section('Equality', false, list);
  let inputs: HTMLInputElement[] = [];
  const want = watcher.want('eq_active', (values) => inputs.forEach((input, i) => (input.checked = values[i] !== 0)));
  details.addEventListener('toggle', () => want.set(details.open));
  want.set(details.open);
  session.on('model', (model) => {
    details.hidden = model.equalities.length === 0;
    inputs = model.equalities.map((_, i) => {
      const input: HTMLInputElement = el('input', { type: 'checkbox', onchange: () => session.send('eq', { i, on: input.checked }) });
      return input;
    });
    list.replaceChildren(...inputs.map((input, i) => {
      const e = model.equalities[i];
      return el('label', { class: 'toggle' }, input, el('span', {}, e.name || `${e.type} ${i}`));
    }));
  });
  return details;
}
