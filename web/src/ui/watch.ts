// Sensors, contacts and any number by name.

import type { Session } from '../session';
import { el, remember, remembered, section, shortNumber } from './dom';
import { signalField } from './signals';
import type { Watcher } from './watcher';

export function sensorPanel(session: Session, watcher: Watcher, plot: (signal: string) => void): HTMLElement {
  const table = el('dl', { class: 'values' });
  const details = section('Sensors', false, table);
  let cells: HTMLElement[] = [];
  const want = watcher.want('sensordata', (values) => {
    session.model?.sensors.forEach((s, i) => {
      cells[i].textContent = [...values.subarray(s.adr, s.adr + Math.min(6, s.dim))].map(shortNumber).join('  ') + (s.dim > 6 ? ' …' : '');
    });
  });
  details.addEventListener('toggle', () => want.set(details.open));
  want.set(details.open);
  session.on('model', (model) => {
    details.hidden = model.sensors.length === 0;
    cells = model.sensors.map(() => el('dd', {}, '–'));
    table.replaceChildren(...model.sensors.flatMap((s, i) => [
      el('dt', {}, el('button', { type: 'button', class: 'link', title: 'plot', onclick: () => plot(s.name ? `sensor:${s.name}` : `sensordata[${s.adr}]`) }, s.name || `sensor ${i}`)),
      cells[i],
    ]));
  });
  return details;
}

export function contactPanel(session: Session, watcher: Watcher): HTMLElement {
  const body = el('tbody');
  const none = el('p', { class: 'hint' }, 'No contacts.');
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...['between', 'distance mm', 'normal N', 'friction N'].map((h) => el('th', { scope: 'col' }, h)))), body);
  const details = section('Contacts', false, none, table);
  const follow = () => watcher.wantContacts(details.open);
  details.addEventListener('toggle', follow);
  follow();
  session.on('status', (s) => {
    if (!details.open) return;
    const contacts = s.contacts ?? [];
    none.hidden = contacts.length > 0;
    table.hidden = contacts.length === 0;
    body.replaceChildren(...contacts.map((c) => el('tr', {},
      el('td', {}, el('button', { type: 'button', class: 'link', onclick: () => session.send('select_body', { body: c.body1 > 0 ? c.body1 : Math.max(0, c.body2) }) }, `${c.geom1 || '?'} – ${c.geom2 || '?'}`)),
      el('td', {}, short(1000 * c.dist)), el('td', {}, short(c.force)), el('td', {}, short(c.friction)))));
  });
  return details;
}

/** Four digits are enough for a table that changes all the time. */
function short(x: number): string {
  return Math.abs(x) < 5e-5 ? '0' : String(Number(x.toPrecision(4)));
}

export function watchPanel(session: Session, watcher: Watcher): HTMLElement {
  const key = 'sinew-watch';
  let names: string[] = JSON.parse(remembered(key) ?? '[]') as string[];
  const list = el('dl', { class: 'values' });
  const entries = new Map<string, { want: { set: (on: boolean) => void }; cells: HTMLElement[] }>();
  const add = (name: string, save: boolean) => {
    if (entries.has(name)) return;
    const value = el('dd', {}, '–');
    const want = watcher.want(name, (values, columns) => {
      value.replaceChildren(...(values.length === 1 ? [shortNumber(values[0])] : [...values.subarray(0, 32)].map((v, i) => el('div', { title: columns[i] }, shortNumber(v)))));
    });
    const remove = el('button', { type: 'button', class: 'icon small', 'aria-label': `stop watching ${name}`, onclick: () => {
      want.set(false);
      entries.delete(name);
      for (const cell of [label, value]) cell.remove();
      names = names.filter((n) => n !== name);
      remember(key, JSON.stringify(names));
    } }, '×');
    const label = el('dt', {}, name, remove);
    list.append(label, value);
    entries.set(name, { want, cells: [label, value] });
    want.set(true);
    if (save) {
      names.push(name);
      remember(key, JSON.stringify(names));
    }
  };
  for (const name of names) add(name, false);
  return section('Watch', false, signalField(session, 'watch', (name) => add(name, true)), list);
}
