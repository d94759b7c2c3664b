// One small symbol per expedition, in a square of 24; drawn for this project.

import type { Color } from '../lib/cards';

export interface Symbol {
  readonly fill?: string;
  /** Lines, drawn with round ends. */
  readonly line?: string;
}

const rays = (inner: number, outer: number, num: number): string =>
  Array.from({ length: num }, (_, at) => {
    const angle = (at * 2 * Math.PI) / num;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const spot = (r: number): string => `${(12 + r * x).toFixed(1)} ${(12 + r * y).toFixed(1)}`;
    return `M${spot(inner)}L${spot(outer)}`;
  }).join('');

export const star = (x: number, y: number, outer: number, points = 5, inner = outer * 0.42): string =>
  Array.from({ length: points * 2 }, (_, at) => {
    const radius = at % 2 ? inner : outer;
    const angle = (at * Math.PI) / points - Math.PI / 2;
    return `${at ? 'L' : 'M'}${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
  }).join('') + 'Z';

const disc = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

const waves = [6, 12, 18].map((y) => `M2 ${y}q2.5-4 5 0t5 0t5 0t5 0`).join('');

export const SYMBOLS: Readonly<Record<Color, Symbol>> = {
  W: { fill: 'M1.5 20.5 9 6l4 7.2 2.2-3.4 7.3 10.7Z' },
  Y: { fill: disc(12, 12, 4.8), line: rays(7.6, 10.6, 8) },
  G: { fill: 'M4.2 19.8C2.8 10.6 9.4 3.6 20.6 3.2c.8 10.8-5.4 18-14.4 17.2l6-8.6-8 8Z', line: 'M3 21.4 6 18' },
  P: { fill: star(12, 12.6, 11) },
  R: { fill: 'M12.6 1.5c.4 5 6.4 7.4 6.4 13.3a7 7 0 0 1-14 0c0-3.4 2.2-4.8 2.9-7.8 1.6.8 2.4 1.9 2.6 3.4 1.7-2.2 2.5-5 2.1-8.9Z' },
  B: { line: waves },
};

/** The mark of a wager: a compass rose. */
export const WAGER: Symbol = { fill: star(12, 12, 11, 4, 3.2), line: 'M12 12m-6.3 0a6.3 6.3 0 1 0 12.6 0a6.3 6.3 0 1 0-12.6 0' };
