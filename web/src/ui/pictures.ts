// Without WebGL: pictures that the server draws.

import type { Session } from '../session';
import { el } from './dom';
import { Toolbar } from './toolbar';

export function serverPictures(session: Session): HTMLElement {
  const image = el('img', { class: 'server-picture', alt: 'the simulated scene' });
  const hint = el('p', { class: 'hint' }, 'This browser has no WebGL 2: the server draws the pictures.');
  let url = '';
  session.on('welcome', (message) => {
    if (!message.picture) hint.textContent = 'This browser has no WebGL 2, and this server cannot draw pictures.';
  });
  session.on('model', () => {
    const width = Math.min(1024, Math.max(160, Math.round(window.innerWidth)));
    session.send('picture', { width, height: Math.min(1024, Math.round(width * 0.75)), hz: 5 });
  });
  session.on('binary', (message) => {
    if (message.kind !== 'picture') return;
    URL.revokeObjectURL(url);
    url = URL.createObjectURL(new Blob([message.png as BlobPart], { type: 'image/png' }));
    image.src = url;
  });
  return el('div', { class: 'plain' }, new Toolbar(session, []).element, hint, image);
}
