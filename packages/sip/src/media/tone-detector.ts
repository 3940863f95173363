// Digits as tones in the sound itself, found with the Goertzel algorithm; used until the peer sends a telephone event.

import type { Key, KeyEvent } from './telephone-events.ts';

const sampleRate = 8000;
const blockSamples = 160;
const blockMs = 20;

const rows = [697, 770, 852, 941];
const columns = [1209, 1336, 1477, 1633];
const keypad: readonly (readonly Key[])[] = [
  ['1', '2', '3', 'A'],
  ['4', '5', '6', 'B'],
  ['7', '8', '9', 'C'],
  ['*', '0', '#', 'D'],
];

/**
 * The share of a block's energy that its two tones must hold. A voice spreads its energy over many harmonics; the limit is
 * high because a word that is taken for a key could acknowledge an alarm.
 */
const leastShare = 0.85;
/** The weakest tone, as a sum of squares per sample: about -35 dB below full scale. */
const leastPower = 220_000;
/** How much stronger one tone may be than the other, as a ratio of energies: 8 dB, and the low one by 4 dB at most. */
const mostColumnOverRow = 6.3;
const mostRowOverColumn = 2.5;
/** Blocks of the same key until it counts, and blocks without it until it is released. */
const blocksToPress = 2;
const blocksToRelease = 2;

const coefficients = [...rows, ...columns].map((hertz) => 2 * Math.cos((2 * Math.PI * hertz) / sampleRate));

export class ToneDetector {
  readonly #block = new Float64Array(blockSamples);
  #filled = 0;
  #candidate: Key | undefined;
  #streak = 0;
  #held: { readonly key: Key; blocks: number; missed: number } | undefined;

  push(samples: Int16Array): KeyEvent[] {
    const events: KeyEvent[] = [];
    for (const sample of samples) {
      this.#block[this.#filled++] = sample;
      if (this.#filled < blockSamples) continue;
      this.#filled = 0;
      events.push(...this.#judge(keyIn(this.#block)));
    }
    return events;
  }

  #judge(key: Key | undefined): KeyEvent[] {
    this.#streak = key !== undefined && key === this.#candidate ? this.#streak + 1 : 1;
    this.#candidate = key;
    const held = this.#held;
    if (held !== undefined && key === held.key) {
      held.blocks += held.missed + 1;
      held.missed = 0;
      return [];
    }
    const isPressed = key !== undefined && this.#streak >= blocksToPress;
    const events: KeyEvent[] = [];
    if (held !== undefined && (++held.missed >= blocksToRelease || isPressed)) {
      events.push({ kind: 'released', key: held.key, durationMs: held.blocks * blockMs });
      this.#held = undefined;
    }
    if (!isPressed) return events;
    this.#held = { key, blocks: this.#streak, missed: 0 };
    return [...events, { kind: 'pressed', key }];
  }
}

function keyIn(block: Float64Array): Key | undefined {
  let total = 0;
  for (const sample of block) total += sample * sample;
  if (total < leastPower * blockSamples) return undefined;
  const energies = coefficients.map((coefficient) => energyAt(block, coefficient));
  const row = strongest(energies.slice(0, 4));
  const column = strongest(energies.slice(4));
  const low = energies[row] ?? 0;
  const high = energies[4 + column] ?? 0;
  const isTwisted = high > low * mostColumnOverRow || low > high * mostRowOverColumn;
  return isTwisted || low + high < leastShare * total ? undefined : keypad[row]?.[column];
}

function strongest(energies: readonly number[]): number {
  return energies.indexOf(Math.max(...energies));
}

/** The energy of one frequency in the block, in the unit of the sum of squares: a pure tone gives that sum. */
function energyAt(block: Float64Array, coefficient: number): number {
  let one = 0;
  let two = 0;
  for (const sample of block) {
    const next = sample + coefficient * one - two;
    two = one;
    one = next;
  }
  return ((one * one + two * two - coefficient * one * two) * 2) / block.length;
}
