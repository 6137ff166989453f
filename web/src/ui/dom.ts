// Elements and the few kinds of controls that the panels are made of.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** Makes an element: properties that begin with "on" are listeners, `class` and names with "-" are attributes. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on') && typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'class' || name === 'for' || name === 'role' || name.includes('-')) element.setAttribute(name, String(value));
    else (element as unknown as Props)[name] = value;
  }
  element.append(...(children.filter((c) => c !== null && c !== undefined && c !== false) as (Node | string)[]));
  return element;
}

const icons: Record<string, string> = {
  play: 'M5 3l9 5-9 5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M3 3l7 5-7 5zM11 3h2v10h-2z',
  back: 'M13 3L6 8l7 5zM3 3h2v10H3z',
  reset: 'M8 3a5 5 0 1 1-4.6 3l1.8.8A3 3 0 1 0 8 5v2.5L4 4.2 8 1z',
  reload: 'M2 3h5l2 2h5v8H2z',
  help: 'M7 11h2v2H7zM8 2a3.5 3.5 0 0 1 1.2 6.8V10H6.8V7.5c2 0 2.7-.6 2.7-1.7A1.5 1.5 0 0 0 6.6 5.5H4.5A3.5 3.5 0 0 1 8 2z',
  left: 'M2 3h12v10H2zM6.5 4.5v7h6v-7z',
  right: 'M2 3h12v10H2zM3.5 4.5v7h6v-7z',
  theme: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5v9a4.5 4.5 0 0 0 0-9z',
  camera: 'M5 4l1-2h4l1 2h3v9H2V4zM8 6a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  plot: 'M2 2h1.5v10.5H14V14H2zM5 11V8h2v3zM8 11V4h2v7zM11 11V6h2v5z',
  close: 'M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z',
  record: 'M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  link: 'M8 2v7l2.5-2.5 1 1L8 11 4.5 7.5l1-1L8 9V2zM3 12h10v2H3z',
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', icons[name] ?? '');
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/** A button with a picture; its name is what assistive technology and the tooltip say. */
export function iconButton(name: string, label: string, onclick: () => void, shortcut = ''): HTMLButtonElement {
  return el('button', { class: 'icon', type: 'button', 'aria-label': label, title: shortcut ? `${label} (${shortcut})` : label, onclick }, icon(name));
}

export function button(label: string, onclick: () => void, title = ''): HTMLButtonElement {
  return el('button', { type: 'button', title, onclick }, label);
}

export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const key = `sinew-open ${title}`;
  const known = remembered(key);
  const details = el('details', { open: known === null ? open : known === '1' }, el('summary', {}, title), el('div', { class: 'body' }, ...children));
  details.addEventListener('toggle', () => remember(key, details.open ? '1' : '0'));
  return details;
}

export function toggle(label: string, on: boolean, change: (on: boolean) => void, hint = ''): { element: HTMLElement; set: (on: boolean) => void } {
  const input = el('input', { type: 'checkbox', checked: on, onchange: () => change(input.checked) });
  return {
    element: el('label', { class: 'toggle', title: hint }, input, el('span', {}, label), hint.length === 1 ? el('kbd', {}, hint) : null),
    set: (value) => (input.checked = value),
  };
}

export function select(label: string, options: string[], value: number, change: (value: number) => void): { element: HTMLElement; set: (value: number) => void } {
  const input = el('select', { onchange: () => change(input.selectedIndex) }, ...options.map((o) => el('option', {}, o)));
  input.selectedIndex = value;
  return { element: el('label', { class: 'field' }, el('span', {}, label), input), set: (v) => (input.selectedIndex = v) };
}

/** One number or several of them. */
export function numbers(label: string, values: number[], change: (values: number[]) => void): { element: HTMLElement; set: (values: number[]) => void } {
  const inputs = values.map((value, i) =>
    el('input', {
      type: 'number', step: 'any', value: shortNumber(value), 'aria-label': values.length > 1 ? `${label} ${i + 1}` : label,
      onchange: () => {
        const next = inputs.map((input) => input.valueAsNumber);
        if (next.every(Number.isFinite)) change(next);
      },
    }),
  );
  return {
    element: el('div', { class: values.length > 1 ? 'field many' : 'field' }, el('span', {}, label), el('div', { class: 'numbers' }, ...inputs)),
    set: (next) => inputs.forEach((input, i) => {
      if (document.activeElement !== input) input.value = shortNumber(next[i]);
    }),
  };
}

export interface Slider {
  element: HTMLElement;
  name: string;
  group: number;
  set(value: number): void;
}

/** A slider with its number, both of which can be changed. */
export function slider(name: string, range: [number, number], group: number, change: (value: number) => void): Slider {
  const step = (range[1] - range[0]) / 1000 || 0.001;
  const apply = (value: number) => {
    bar.value = String(value);
    if (Number.isFinite(value)) change(value);
  };
  const bar = el('input', { type: 'range', min: String(range[0]), max: String(range[1]), step: String(step), 'aria-label': name, oninput: () => {
    field.value = shortNumber(bar.valueAsNumber);
    change(bar.valueAsNumber);
  } });
  const field = el('input', { type: 'number', step: 'any', 'aria-label': `${name}, value`, onchange: () => apply(field.valueAsNumber) });
  let held = false;
  bar.addEventListener('pointerdown', () => (held = true));
  window.addEventListener('pointerup', () => (held = false));
  return {
    name, group,
    element: el('div', { class: 'slider' }, el('span', { class: 'name', title: name }, name), field, bar),
    set(value) {
      if (!held) bar.value = String(value);
      if (document.activeElement !== field && !held) field.value = shortNumber(value);
    },
  };
}

export function shortNumber(x: number | undefined): string {
  if (x === undefined || !Number.isFinite(x)) return x === undefined ? '' : String(x);
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-4) return x.toExponential(2);
  return String(Number(x.toPrecision(5)));
}

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // private windows refuse: the setting holds as long as the page
  }
}

export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  el('a', { href: url, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
