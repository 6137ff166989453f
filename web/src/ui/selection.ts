// The selected body, and the tree in which it is found.

import type { Selection } from '../messages';
import type { Session } from '../session';
import { button, el, section, shortNumber } from './dom';

const vector = (v: number[] | undefined) => (v ? v.map((x) => shortNumber(Number(x.toFixed(5)))).join('  ') : '');

export function selectionPanel(session: Session, track: (body: number) => void): HTMLElement {
  const table = el('dl', { class: 'values' });
  const hint = el('p', { class: 'hint' }, 'Double-click a body to select it. Ctrl and left drag turns it, Ctrl and right drag pulls it.');
  let shown = 0;
  const buttons = el('div', { class: 'row', hidden: true },
    button('Track', () => track(shown), 'The camera follows this body'),
    button('Parent', () => session.send('select_body', { body: session.model?.bodies[shown]?.parent ?? 0 })),
    button('Clear', () => session.send('select_body', { body: 0 })));
  const cells = new Map<string, HTMLElement>();
  const set = (name: string, value: string) => {
    let cell = cells.get(name);
    if (!cell) {
      cell = el('dd', {});
      cells.set(name, cell);
      table.append(el('dt', {}, name), cell);
    }
    if (cell.textContent !== value) cell.textContent = value;
  };
  const show = (s: Selection | undefined) => {
    shown = s?.body ?? 0;
    const some = shown > 0;
    hint.hidden = some;
    table.hidden = buttons.hidden = !some;
    if (!s || !some) return;
    const body = session.model?.bodies[s.body];
    set('body', s.name || `body ${s.body}`);
    set('id', String(s.body));
    set('geom', s.geom >= 0 ? s.geom_name || `geom ${s.geom}` : s.flex >= 0 ? `flex ${s.flex}` : s.skin >= 0 ? `skin ${s.skin}` : '–');
    set('parent', body && body.parent >= 0 ? session.model?.bodies[body.parent]?.name || `body ${body.parent}` : '–');
    set('mass', `${shortNumber(s.mass)} kg`);
    set('position', vector(s.pos));
    set('quaternion', vector(s.quat));
    set('velocity', vector(s.linvel));
    set('angular velocity', vector(s.angvel));
    set('point', vector(s.point));
  };
  session.on('selection', show);
  session.on('status', (s) => show(s.selection));
  session.on('model', () => show(undefined));
  show(undefined);
  return section('Selection', true, hint, table, buttons);
}

const mostRows = 400;

export function treePanel(session: Session): HTMLElement {
  const search = el('input', { type: 'search', placeholder: 'search bodies, joints, geoms, sites', 'aria-label': 'search the model', oninput: () => fill() });
  const list = el('ul', { class: 'tree', 'aria-label': 'model tree' });
  const more = el('p', { class: 'hint', hidden: true });
  const rows = new Map<number, HTMLElement>();
  let chosen = -1;
  const fill = () => {
    const model = session.model;
    list.replaceChildren();
    rows.clear();
    if (!model || !details.open) return;
    const text = search.value.toLowerCase();
    const depth: number[] = [];
    let left = 0;
    const put = (body: number, level: number, kind: string, name: string) => {
      if (text && !`${kind} ${name}`.toLowerCase().includes(text)) return;
      if (list.childElementCount >= mostRows) {
        ++left;
        return;
      }
      const entry = el('button', { type: 'button', onclick: () => session.send('select_body', { body }) }, el('span', { class: `kind ${kind}` }, kind), name);
      const row = el('li', {}, entry);
      row.style.setProperty('--level', String(text ? 0 : level));
      if (kind === 'body') rows.set(body, row);
      list.append(row);
    };
    const sites = new Map<number, string[]>();
    model.sites.forEach((s, i) => sites.set(s.body, [...(sites.get(s.body) ?? []), s.name || `site ${i}`]));
    model.bodies.forEach((b, i) => {
      depth[i] = i === 0 ? 0 : (depth[b.parent] ?? 0) + 1;
      put(i, depth[i], 'body', i === 0 ? b.name || 'world' : b.name || `body ${i}`);
      for (let j = b.joint[0]; j < b.joint[0] + b.joint[1]; ++j) put(i, depth[i] + 1, 'joint', model.joints[j]?.name || `joint ${j}`);
      for (let g = b.geom[0]; g < b.geom[0] + b.geom[1]; ++g) put(i, depth[i] + 1, 'geom', model.geoms[g]?.name || `geom ${g}`);
      for (const s of sites.get(i) ?? []) put(i, depth[i] + 1, 'site', s);
    });
    more.hidden = left === 0;
    more.textContent = `${left} more: search to find them`;
    mark(chosen);
  };
  const mark = (body: number) => {
    rows.get(chosen)?.removeAttribute('aria-current');
    chosen = body;
    rows.get(chosen)?.setAttribute('aria-current', 'true');
  };
  const details = section('Model tree', false, search, list, more);
  details.addEventListener('toggle', fill);
  session.on('model', fill);
  session.on('selection', (s) => mark(s.body));
  return details;
}
