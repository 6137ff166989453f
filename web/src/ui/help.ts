// The sheet of shortcuts.

import { keyName, type Keyboard } from '../keys';
import { el } from './dom';

const mouse: [string, string][] = [
  ['Left drag', 'orbit'], ['Right drag', 'pan (Shift: along the ground)'], ['Wheel, middle drag', 'zoom'], ['Double click', 'select a body'],
  ['Right double click', 'look at this point'], ['Ctrl right double click', 'follow this body'], ['Ctrl left drag', 'turn the selected body (Shift: about the horizontal)'],
  ['Ctrl right drag', 'pull the selected body; moves it while paused'], ['One finger, two fingers', 'orbit; pan and zoom'], ['Drop files', 'open a model'],
];

export class Help {
  readonly element: HTMLDialogElement;

  constructor(private readonly keyboard: Keyboard) {
    this.element = el('dialog', { class: 'help', 'aria-label': 'keyboard shortcuts' });
  }

  toggle(): void {
    if (this.element.open) return this.element.close();
    const groups = new Map<string, HTMLElement[]>();
    for (const s of this.keyboard.shortcuts) {
      const list = groups.get(s.group) ?? [];
      list.push(el('li', {}, el('kbd', {}, keyName(s)), el('span', {}, s.what)));
      groups.set(s.group, list);
    }
    this.element.replaceChildren(
      el('form', { method: 'dialog' }, el('h2', {}, 'Keys and mouse'), el('button', { 'aria-label': 'Close' }, 'Close')),
      el('div', { class: 'columns' },
        el('section', {}, el('h3', {}, 'Mouse and touch'), el('ul', {}, ...mouse.map(([k, what]) => el('li', {}, el('kbd', {}, k), el('span', {}, what))))),
        ...[...groups].map(([name, items]) => el('section', {}, el('h3', {}, name), el('ul', {}, ...items)))));
    this.element.showModal();
  }
}
