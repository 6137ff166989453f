// What the page has to tell: problems of the model file, warnings of the simulation, passing notices.

import type { Problem } from '../messages';
import type { Session } from '../session';
import { el, iconButton } from './dom';

export class Notices {
  readonly element = el('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });

  show(text: string, kind: 'notice' | 'error' = 'notice'): void {
    const note = el('div', { class: `notice ${kind}` }, text);
    this.element.append(note);
    while (this.element.childElementCount > 4) this.element.firstElementChild!.remove();
    window.setTimeout(() => note.remove(), kind === 'error' ? 8000 : 4000);
  }
}

export function problemPanel(session: Session): HTMLElement {
  const title = el('h2', {});
  const list = el('ul', {});
  const panel = el('section', { class: 'problems', role: 'alert', hidden: true, 'aria-label': 'problems of the model' },
    el('div', { class: 'row' }, title, iconButton('close', 'Hide the problems', () => (panel.hidden = true))), list);
  session.on('problems', (message) => {
    panel.hidden = message.problems.length === 0;
    title.textContent = message.title;
    panel.classList.toggle('warnings', message.problems.every((p) => p.severity === 'warning'));
    list.replaceChildren(...message.problems.map((p) => el('li', { class: p.severity },
      p.file ? el('code', { class: 'where' }, p.line > 0 ? `${p.file}:${p.line}` : p.file) : null, el('span', {}, withoutPlace(p)))));
  });
  return panel;
}

/** The text without the place and the severity, which stand before it already. */
function withoutPlace(p: Problem): string {
  const place = `${p.file}:${p.line}: `;
  return (p.file && p.text.startsWith(place) ? p.text.slice(place.length) : p.text).replace(/^(error|warning): /, '');
}

export function warningPanel(session: Session): HTMLElement {
  const panel = el('section', { class: 'warnings', role: 'status', hidden: true, 'aria-label': 'warnings of the simulation' });
  let shown = '';
  session.on('status', (s) => {
    const texts = [...(s.diverged ? [s.diverged] : []), ...s.warnings];
    const key = texts.join('\n');
    if (key === shown) return;
    shown = key;
    panel.hidden = texts.length === 0;
    panel.classList.toggle('diverged', Boolean(s.diverged));
    panel.replaceChildren(...texts.map((t) => el('div', {}, t)));
  });
  return panel;
}
