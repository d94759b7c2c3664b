// Three short sounds, made here: no files to load.

import { settings } from './settings.svelte';

type Tone = readonly [frequency: number, start: number, length: number];

const SOUNDS: Readonly<Record<'turn' | 'card' | 'end', readonly Tone[]>> = {
  turn: [[587, 0, 0.16], [880, 0.11, 0.22]],
  card: [[392, 0, 0.06]],
  end: [[523, 0, 0.18], [659, 0.14, 0.18], [784, 0.28, 0.36]],
};

let context: AudioContext | null = null;

export function play(name: keyof typeof SOUNDS): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  if (context.state !== 'running') return; // browsers allow sound after the first press only; a late one would be noise
  const now = context.currentTime;
  for (const [frequency, start, length] of SOUNDS[name]) tone(context, frequency, now + start, length);
}

function tone(audio: AudioContext, frequency: number, start: number, length: number): void {
  const wave = audio.createOscillator();
  const volume = audio.createGain();
  wave.type = 'triangle';
  wave.frequency.value = frequency;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.12, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  wave.connect(volume).connect(audio.destination);
  wave.start(start);
  wave.stop(start + length + 0.02);
}
