// Cards travel from where they were to where they are: transform and opacity only, never in the way.

import { isStill } from './settings.svelte';

const TIME = 380;
const EASE = 'cubic-bezier(0.2, 0.75, 0.25, 1)';

export const rectOf = (selector: string): DOMRect | null => document.querySelector(selector)?.getBoundingClientRect() ?? null;

/** Lets an element come from a place. */
export function comeFrom(node: Element | null | undefined, from: DOMRect | null): void {
  if (!node || !from || isStill()) return;
  const to = node.getBoundingClientRect();
  if (!to.width || !to.height) return;
  const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
  const scale = Math.min(1.4, Math.max(0.5, from.width / to.width));
  const flight = node.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: 'none' }], { duration: TIME, easing: EASE });
  lift([node as HTMLElement, node.closest<HTMLElement>('[data-spot]'), node.closest<HTMLElement>('[data-lane]')], flight);
}

/** What flies is above the cards, columns and rows that it crosses. */
function lift(layers: readonly (HTMLElement | null)[], flight: Animation): void {
  for (const layer of layers) if (layer) layer.style.zIndex = '6';
  void flight.finished.catch(() => undefined).then(() => {
    for (const layer of layers) if (layer) layer.style.zIndex = '';
  });
}

/** Lets a card's back go from one place to another, and vanish: what it shows, everybody sees. */
export function sendBack(from: DOMRect | null, to: DOMRect | null, className: string): void {
  if (!from || !to || isStill()) return;
  const ghost = document.createElement('div');
  ghost.className = className;
  ghost.setAttribute('aria-hidden', 'true');
  Object.assign(ghost.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` });
  document.body.append(ghost);
  const [dx, dy] = [to.left + to.width / 2 - from.left - from.width / 2, to.top + to.height / 2 - from.top - from.height / 2];
  ghost.animate([{ transform: 'none', opacity: 1 }, { transform: `translate(${dx}px, ${dy}px) scale(0.4)`, opacity: 0.2 }], { duration: TIME, easing: EASE }).finished.catch(() => undefined).then(() => ghost.remove());
}
