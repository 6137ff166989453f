// What a script lays over the picture: texts in the corners, figures, images.

import type { Overlay } from '../messages';
import type { Session } from '../session';
import { el } from './dom';

const places = ['top left', 'top right', 'bottom left', 'bottom right', 'top', 'bottom', 'left', 'right'];

export function overlay(session: Session, viewport: () => { width: number; height: number }): HTMLElement {
  const box = el('div', { class: 'overlay' });
  const place = (element: HTMLElement, rect: number[]) => {
    // rectangles are in pixels of the canvas, from its bottom left
    const { width, height } = viewport();
    Object.assign(element.style, {
      left: `${(100 * rect[0]) / width}%`, bottom: `${(100 * rect[1]) / height}%`, width: `${(100 * rect[2]) / width}%`, height: `${(100 * rect[3]) / height}%`,
    });
    return element;
  };
  session.on('model', () => box.replaceChildren());
  session.on('overlay', (message) => {
    const corners = places.map((name, grid) => {
      const texts = message.texts.filter((t) => t.grid === grid);
      const corner = el('div', { class: `corner ${name}` }, ...texts.map((t) => {
        const line = el('div', { class: 'text' }, el('pre', {}, t.left), el('pre', {}, t.right));
        line.style.fontSize = `${fontSize(t.font)}px`;
        return line;
      }));
      return corner;
    });
    const images = message.images.map((i) => place(el('img', { src: `data:image/png;base64,${i.png}`, alt: 'picture of the script' }), i.rect));
    const figures = message.figures.map((f) => place(figure(f), f.rect));
    box.replaceChildren(...corners, ...images, ...figures);
  });
  return box;
}

/** mjtFontScale 0..: normal, shadow, big; else percent. */
function fontSize(font: number): number {
  return font >= 50 ? (12 * font) / 100 : font === 2 ? 20 : 13;
}

function figure(f: Overlay['figures'][number]): HTMLElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 100 100');
  svg.setAttribute('preserveAspectRatio', 'none');
  const points = f.lines.flatMap((l) => l.x.map((x, i) => [x, l.y[i]]));
  const span = (k: number) => {
    const values = points.map((p) => p[k]);
    const low = Math.min(...values);
    return { low, size: Math.max(...values) - low || 1 };
  };
  const x = span(0);
  const y = span(1);
  for (const l of f.lines) {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
    line.setAttribute('points', l.x.map((v, i) => `${(100 * (v - x.low)) / x.size},${100 - (100 * (l.y[i] - y.low)) / y.size}`).join(' '));
    line.setAttribute('stroke', `rgb(${l.rgb.map((c) => Math.round(255 * c)).join()})`);
    line.setAttribute('vector-effect', 'non-scaling-stroke');
    svg.append(line);
  }
  return el('figure', {}, el('figcaption', {}, f.title), svg as never, el('div', { class: 'xlabel' }, f.xlabel));
}
