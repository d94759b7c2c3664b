// The quiet picture of a card, in a square of 100. It can be counted: a 7 has seven leaves, waves,
// ridges, rays, tongues of fire or stars, so the picture grows as an expedition goes on.

import type { Color, Rank } from '../lib/cards';
import { star } from './symbols';

export interface Stroke {
  readonly d: string;
  readonly filled?: boolean;
}

const n = (value: number): string => value.toFixed(1);
const range = (num: number): number[] => Array.from({ length: num }, (_, at) => at);

function ridges(rank: Rank): Stroke[] {
  return range(rank).map((at) => {
    const y = 96 - at * 7.4;
    const tall = 9 + at * 2.1;
    const peak = 50 + (at % 2 ? 5 : -5);
    return { d: `M0 ${n(y)}L${n(peak - 30)} ${n(y - tall * 0.45)} ${n(peak - 20)} ${n(y - tall * 0.2)} ${n(peak)} ${n(y - tall)} ${n(peak + 17)} ${n(y - tall * 0.25)} ${n(peak + 26)} ${n(y - tall * 0.5)} 100 ${n(y)}` };
  });
}

function sun(rank: Rank): Stroke[] {
  const [x, y, radius] = [50, 66, 15];
  const beams = range(rank).map((at) => {
    const angle = Math.PI + ((at + 0.5) * Math.PI) / rank;
    const spot = (r: number): string => `${n(x + r * Math.cos(angle))} ${n(y + r * Math.sin(angle))}`;
    return { d: `M${spot(radius + 8)}L${spot(radius + 26 + (at % 2 ? 0 : 8))}` };
  });
  const dunes = [0, 1, 2].map((at) => ({ d: `M0 ${76 + at * 9}C22 ${66 + at * 9} 36 ${86 + at * 8} 58 ${77 + at * 9}S88 ${68 + at * 9} 100 ${75 + at * 9}` }));
  return [{ d: `M${x - radius} ${y}a${radius} ${radius} 0 0 1 ${2 * radius} 0`, filled: true }, ...beams, ...dunes];
}

function leaves(rank: Rank): Stroke[] {
  const top = 92 - rank * 8;
  const stem = { d: `M50 100C46 ${n(76)} 54 ${n((100 + top) / 2)} 50 ${n(top)}` };
  const blades = range(rank).map((at) => {
    const y = 92 - at * 8.2;
    const side = at % 2 ? 1 : -1;
    const long = 34 - at * 1.7;
    const tip = `${n(50 + side * long)} ${n(y - 17)}`;
    return { d: `M50 ${n(y)}C${n(50 + side * 6)} ${n(y - 17)} ${n(50 + side * 20)} ${n(y - 21)} ${tip}C${n(50 + side * 28)} ${n(y - 3)} ${n(50 + side * 14)} ${n(y + 3)} 50 ${n(y)}Z` };
  });
  return [stem, ...blades];
}

const SKY: readonly (readonly [number, number])[] = [
  [12, 84], [27, 68], [43, 82], [58, 66], [78, 76], [88, 54], [68, 42], [46, 48], [28, 34], [52, 18],
];

function constellation(rank: Rank): Stroke[] {
  const spots = SKY.slice(0, rank);
  const way = { d: spots.map(([x, y], at) => `${at ? 'L' : 'M'}${x} ${y}`).join('') };
  return [way, ...spots.map(([x, y], at) => ({ d: star(x, y, at === rank - 1 ? 11 : 6.5), filled: true }))];
}

function flames(rank: Rank): Stroke[] {
  return range(rank).map((at) => {
    const size = 0.24 + (at + 1) * 0.083;
    const [wide, tall] = [30 * size, 84 * size];
    const y = 97;
    return { d: `M50 ${y}C${n(50 - wide * 1.5)} ${y} ${n(50 - wide * 1.4)} ${n(y - tall * 0.5)} ${n(50 - wide * 0.35)} ${n(y - tall * 0.72)}Q${n(50 - wide * 0.05)} ${n(y - tall * 0.82)} ${n(50 + wide * 0.05)} ${n(y - tall)}C${n(50 + wide * 0.5)} ${n(y - tall * 0.76)} ${n(50 + wide * 1.6)} ${n(y - tall * 0.58)} ${n(50 + wide * 1.3)} ${n(y - tall * 0.28)}C${n(50 + wide * 1.1)} ${n(y - tall * 0.08)} ${n(50 + wide * 0.6)} ${y} 50 ${y}Z` };
  });
}

function waves(rank: Rank): Stroke[] {
  return range(rank).map((at) => {
    const y = 95 - at * 8.4;
    const tall = 3 + at * 0.9;
    const shift = at % 2 ? -12 : 0;
    return { d: `M${shift} ${n(y)}q12.5 ${n(-2 * tall)} 25 0t25 0t25 0t25 0t25 0` };
  });
}

const SCENES: Readonly<Record<Color, (rank: Rank) => Stroke[]>> = {
  W: ridges, Y: sun, G: leaves, P: constellation, R: flames, B: waves,
};

const ring = (r: number): Stroke => ({ d: `M${50 - r} 54a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z` });

const ticks: Stroke = {
  d: range(32).map((at) => {
    const angle = (at * Math.PI) / 16;
    const inner = at % 4 ? 37 : 34;
    const spot = (r: number): string => `${n(50 + r * Math.cos(angle))} ${n(54 + r * Math.sin(angle))}`;
    return `M${spot(inner)}L${spot(40)}`;
  }).join(''),
};

/** A wager: a compass rose, the same for all; the color and its symbol tell them apart. */
const WAGER_SCENE: Stroke[] = [ring(40), ticks, ring(22), { d: star(50, 54, 31, 4, 7), filled: true }, { d: star(50, 54, 19, 8, 9) }];

export const sceneOf = (color: Color, rank: Rank): Stroke[] => (rank === 0 ? WAGER_SCENE : SCENES[color](rank));

/** The way that runs on from card to card of a column: through one spot per card. */
export function journey(color: Color, spots: readonly number[], x: number, swing: number): Stroke[] {
  if (!spots.length) return [];
  const start = Math.max(0, spots[0]! - 12);
  const points = spots.map((y, at) => [x + (at % 2 ? swing : -swing), y] as const);
  const from = [x, start] as const;
  if (color === 'W' || color === 'P') {
    const line = `M${from.join(' ')}` + points.map(([px, py]) => `L${n(px)} ${n(py)}`).join('');
    const marks = color === 'P' ? points.map(([px, py]) => star(px, py, 4.6)) : points.map(([px, py]) => `M${n(px - 4.5)} ${n(py + 3)}L${n(px)} ${n(py - 4)}L${n(px + 4.5)} ${n(py + 3)}Z`);
    return [{ d: line }, ...marks.map((d) => ({ d, filled: true }))];
  }
  let [lastX, lastY] = from as readonly [number, number];
  let line = `M${n(lastX)} ${n(lastY)}`;
  for (const [px, py] of points) {
    const half = (py - lastY) / 2;
    line += `C${n(lastX)} ${n(lastY + half)} ${n(px)} ${n(py - half)} ${n(px)} ${n(py)}`;
    [lastX, lastY] = [px, py];
  }
  return [{ d: line }, ...points.map(([px, py], at) => ({ d: MARKS[color](px, py, at), filled: true }))];
}

const spot = (x: number, y: number, r: number): string => `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

const MARKS: Readonly<Record<Color, (x: number, y: number, at: number) => string>> = {
  W: () => '',
  P: () => '',
  Y: (x, y) => spot(x, y, 3.4),
  G: (x, y, at) => {
    const side = at % 2 ? 1 : -1;
    return `M${n(x)} ${n(y + 1)}c${side * 1} -6 ${side * 6} -8 ${side * 10} -7c${side * 0} 5 ${side * -4} 9 ${side * -10} 7Z`;
  },
  R: (x, y) => `M${n(x)} ${n(y - 6)}c3 3 4.5 5 4.5 7.5a4.5 4.5 0 0 1-9 0c0-2.5 2.5-4.5 4.5-7.5Z`,
  B: (x, y) => `M${n(x - 6)} ${n(y)}q3-5 6 0t6 0q-3 3-6 0t-6 0Z`,
};
