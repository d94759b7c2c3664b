// A QR code of a short text: byte mode, error correction M, versions 1 to 10 (ISO/IEC 18004).

/** For level M: codewords of correction per block, and blocks as [number, data codewords]. */
const LEVEL_M: readonly (readonly [number, readonly (readonly [number, number])[]])[] = [
  [10, [[1, 16]]], [16, [[1, 28]]], [26, [[1, 44]]], [18, [[2, 32]]], [24, [[2, 43]]],
  [16, [[4, 27]]], [18, [[4, 31]]], [22, [[2, 38], [2, 39]]], [22, [[3, 36], [2, 37]]], [26, [[4, 43], [1, 44]]],
];
const ALIGNMENT: readonly (readonly number[])[] = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP: number[] = [];
const LOG: number[] = [];
for (let at = 0, value = 1; at < 255; at += 1) {
  EXP[at] = value;
  LOG[value] = at;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}
const times = (a: number, b: number): number => (a && b ? EXP[(LOG[a]! + LOG[b]!) % 255]! : 0);

function correctionOf(data: readonly number[], degree: number): number[] {
  let divisor = [1];
  for (let at = 0; at < degree; at += 1) {
    const next = [...divisor, 0];
    divisor.forEach((term, i) => (next[i + 1] = next[i + 1]! ^ times(term, EXP[at]!)));
    divisor = next;
  }
  const rest = Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    divisor.slice(1).forEach((term, i) => (rest[i] = rest[i]! ^ times(term, factor)));
  }
  return rest;
}

function codewordsOf(text: string): { version: number; bytes: number[] } {
  const bytes = [...new TextEncoder().encode(text)];
  const version = LEVEL_M.findIndex(([, blocks], at) => capacity(blocks) * 8 >= 4 + (at < 9 ? 8 : 16) + bytes.length * 8) + 1;
  if (!version) throw new Error(`expected a text of at most 213 bytes for a QR code, got ${bytes.length}`);
  const [degree, blocks] = LEVEL_M[version - 1]!;
  const bits = [...toBits(4, 4), ...toBits(bytes.length, version < 10 ? 8 : 16), ...bytes.flatMap((byte) => toBits(byte, 8))];
  const room = capacity(blocks) * 8;
  bits.push(...Array<number>(Math.min(4, room - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  const words = Array.from({ length: bits.length / 8 }, (_, at) => parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2));
  for (let pad = 0xec; words.length < room / 8; pad ^= 0xec ^ 0x11) words.push(pad);
  return { version, bytes: interleave(words, degree, blocks) };
}

const capacity = (blocks: readonly (readonly [number, number])[]): number => blocks.reduce((sum, [num, size]) => sum + num * size, 0);
const toBits = (value: number, length: number): number[] => Array.from({ length }, (_, at) => (value >> (length - 1 - at)) & 1);

function interleave(words: number[], degree: number, blocks: readonly (readonly [number, number])[]): number[] {
  const data: number[][] = [];
  for (const [num, size] of blocks) for (let at = 0; at < num; at += 1) data.push(words.splice(0, size));
  const correction = data.map((block) => correctionOf(block, degree));
  const columns = (rows: number[][]): number[] =>
    Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, at) => rows.flatMap((row) => (at < row.length ? [row[at]!] : []))).flat();
  return [...columns(data), ...columns(correction)];
}

type Grid = (boolean | null)[][];

/** Rows of dark (true) and light modules, without a quiet zone. */
export function qrCode(text: string): boolean[][] {
  const { version, bytes } = codewordsOf(text);
  const plain = frame(version);
  const isFree = plain.map((row) => row.map((module) => module === null));
  const bits = bytes.flatMap((byte) => toBits(byte, 8));
  const candidates = MASKS.map((mask, number) => {
    const grid = plain.map((row) => [...row]);
    place(grid, isFree, bits, mask);
    writeFormat(grid, number);
    return grid.map((row) => row.map(Boolean));
  });
  return candidates.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}

function frame(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (x: number, y: number, dark: boolean): void => {
    if (x >= 0 && y >= 0 && x < size && y < size) grid[y]![x] = dark;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const)
    for (let dy = -4; dy <= 4; dy += 1)
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
  const spots = ALIGNMENT[version - 1]!;
  for (const cy of spots)
    for (const cx of spots) {
      const last = size - 7;
      if ((cx === 6 && cy === 6) || (cx === 6 && cy === last) || (cx === last && cy === 6)) continue;
      for (let dy = -2; dy <= 2; dy += 1) for (let dx = -2; dx <= 2; dx += 1) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  writeFormat(grid, 0);
  if (version >= 7) writeVersion(grid, version, size);
  return grid;
}

function writeVersion(grid: Grid, version: number, size: number): void {
  let rest = version;
  for (let at = 0; at < 12; at += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const dark = ((bits >> at) & 1) === 1;
    const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)];
    grid[b]![a] = dark;
    grid[a]![b] = dark;
  }
}

/** Level M is 00. */
function writeFormat(grid: Grid, mask: number): void {
  let rest = mask;
  for (let at = 0; at < 10; at += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const size = grid.length;
  const bit = (at: number): boolean => ((bits >> at) & 1) === 1;
  for (let at = 0; at <= 5; at += 1) grid[at]![8] = bit(at);
  grid[7]![8] = bit(6);
  grid[8]![8] = bit(7);
  grid[8]![7] = bit(8);
  for (let at = 9; at < 15; at += 1) grid[8]![14 - at] = bit(at);
  for (let at = 0; at < 8; at += 1) grid[8]![size - 1 - at] = bit(at);
  for (let at = 8; at < 15; at += 1) grid[size - 15 + at]![8] = bit(at);
  grid[size - 8]![8] = true;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function place(grid: Grid, isFree: boolean[][], bits: readonly number[], mask: (x: number, y: number) => boolean): void {
  const size = grid.length;
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const upward = ((right + 1) & 2) === 0;
      const y = upward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isFree[y]![x]) continue;
        grid[y]![x] = ((bits[at] ?? 0) === 1) !== mask(x, y);
        at += 1;
      }
    }
  }
}

function penalty(grid: readonly (readonly boolean[])[]): number {
  const size = grid.length;
  const columns = grid.map((_, x) => grid.map((row) => row[x]!));
  let sum = 0;
  for (const line of [...grid, ...columns]) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    for (const shape of ['10111010000', '00001011101']) for (let at = text.indexOf(shape); at >= 0; at = text.indexOf(shape, at + 1)) sum += 40;
  }
  for (let y = 1; y < size; y += 1)
    for (let x = 1; x < size; x += 1) {
      const dark = grid[y]![x]!;
      if (grid[y - 1]![x] === dark && grid[y]![x - 1] === dark && grid[y - 1]![x - 1] === dark) sum += 3;
    }
  const share = grid.flat().filter(Boolean).length / size ** 2;
  return sum + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
