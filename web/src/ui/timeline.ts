// The bar at the bottom: back through the last minutes, or through a recording.

import type { Span } from '../messages';
import type { Session } from '../session';
import { el, iconButton } from './dom';

export function timeline(session: Session): HTMLElement {
  const bar = el('input', { type: 'range', min: '0', max: '0', step: '1', 'aria-label': 'time' });
  const from = el('output', { class: 'from', 'aria-label': 'start of the history' }, '');
  const to = el('output', { class: 'to', 'aria-label': 'end of the history' }, '');
  let held = false;
  let sent = 0;
  let pending: number | null = null;
  const seek = () => {
    if (pending === null) return;
    session.send('seek', { frame: pending });
    pending = null;
    sent = performance.now();
  };
  bar.addEventListener('input', () => {
    pending = bar.valueAsNumber;
    if (performance.now() - sent > 40) seek();
    else window.setTimeout(seek, 40);
  });
  bar.addEventListener('pointerdown', () => (held = true));
  window.addEventListener('pointerup', () => {
    held = false;
    seek();
  });
  const loop = el('label', { class: 'toggle loop', hidden: true }, el('input', { type: 'checkbox', onchange: (e: Event) => session.send('play_range', { loop: (e.target as HTMLInputElement).checked }) }), el('span', {}, 'loop'));
  const show = (span: Span) => {
    bar.max = String(Math.max(0, span.count - 1));
    if (!held) bar.value = String(span.now);
    bar.disabled = span.count < 2;
    bar.setAttribute('aria-valuetext', `${(span.start + ((span.end - span.start) * span.now) / Math.max(1, span.count - 1)).toFixed(2)} s`);
    from.textContent = `${span.start.toFixed(2)} s`;
    to.textContent = `${span.end.toFixed(2)} s`;
  };
  session.on('status', (s) => {
    show(s.recording ?? s.history);
    loop.hidden = !session.welcome?.recording;
    writing.hidden = !s.writing;
    writing.title = s.writing ?? '';
  });
  const writing = el('span', { class: 'writing', hidden: true }, 'recording');
  const live = iconButton('play', 'Back to now', () => session.send('seek', { frame: Math.max(0, Number(bar.max)) }), 'End');
  return el('div', { class: 'timeline', role: 'group', 'aria-label': 'history' }, from, bar, to, live, loop, writing);
}
