import jsQR from 'jsqr';
import { expect, it } from 'vitest';
import { qrCode } from '../src/lib/qr';

/** Draws the code as a camera would see it, and reads it with another program. */
function read(rows: boolean[][]): string | undefined {
  const scale = 4;
  const side = (rows.length + 8) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  rows.forEach((row, y) => row.forEach((dark, x) => {
    if (!dark) return;
    for (let dy = 0; dy < scale; dy += 1)
      for (let dx = 0; dx < scale; dx += 1) pixels.fill(0, (((y + 4) * scale + dy) * side + (x + 4) * scale + dx) * 4, (((y + 4) * scale + dy) * side + (x + 4) * scale + dx) * 4 + 3);
  }));
  return jsQR(pixels, side, side)?.data;
}

it.each([1, 14, 26, 42, 62, 84, 106, 122, 152, 180, 213])('a text of %i bytes is read back', (length) => {
  const text = 'http://192.168.1.20:8080/join/HQ4282XRME?'.repeat(6).slice(0, length);
  expect(read(qrCode(text))).toBe(text);
});
it('says when a text is too long', () => expect(() => qrCode('x'.repeat(214))).toThrow('at most 213 bytes'));
