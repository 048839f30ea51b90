// The sound of a notification: two soft notes, made in the browser.

import { now, timer } from '../../shared/clock.ts';

const notes = [
  { hertz: 660, atSeconds: 0 },
  { hertz: 880, atSeconds: 0.12 },
];
const noteSeconds = 0.35;
const loudness = 0.15;
const leastBetweenMs = 2000;
const allowedWithinMs = 500;

let context: AudioContext | null = null;
let playedAt = 0;

/** False: the browser does not play it. Most play nothing before the first click or key on the page. */
export async function play(): Promise<boolean> {
  // Several that come together are one sound.
  if (now() - playedAt < leastBetweenMs) return true;
  context ??= new AudioContext();
  const own = context;
  // What the browser does not allow waits for a click, and would then be heard much too late.
  await Promise.race([own.resume(), new Promise<void>((resolve) => timer.later(allowedWithinMs, resolve))]);
  if (own.state !== 'running') {
    for (const gesture of ['pointerdown', 'keydown'])
      addEventListener(gesture, () => void own.resume(), { once: true, passive: true });
    return false;
  }
  playedAt = now();
  for (const { hertz, atSeconds } of notes) sound(own, hertz, own.currentTime + atSeconds);
  return true;
}

function sound(own: AudioContext, hertz: number, at: number): void {
  const note = own.createOscillator();
  const volume = own.createGain();
  note.frequency.value = hertz;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loudness, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, at + noteSeconds);
  note.connect(volume).connect(own.destination);
  note.start(at);
  note.stop(at + noteSeconds);
}
