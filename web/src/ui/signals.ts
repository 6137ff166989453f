// A field that finds signals by any part of their name.

import type { Session } from '../session';
import { el } from './dom';

let fields = 0;

export function signalField(session: Session, what: string, use: (name: string) => void): HTMLElement {
  const id = `signals-${++fields}`;
  const options = el('datalist', { id });
  const submit = () => {
    const name = input.value.trim();
    if (!name) return;
    use(name);
    input.value = '';
  };
  let timer = 0;
  const input = el('input', {
    type: 'search', placeholder: 'signal: qpos, sensor:name, ncon …', 'aria-label': `signal to ${what}`,
    oninput: () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => session.send('signals', { search: input.value.trim(), id }), 120);
    },
    onfocus: () => session.send('signals', { search: input.value.trim(), id }),
    onkeydown: (e: KeyboardEvent) => {
      if (e.key === 'Enter') submit();
    },
  });
  input.setAttribute('list', id);
  session.on('signals', (message) => {
    if (message.id === id) options.replaceChildren(...message.names.map((name) => el('option', { value: name })));
  });
  return el('div', { class: 'row' }, input, el('button', { type: 'button', onclick: submit }, 'Add'), options);
}
