// The shape of a catalogue: the English one; the other languages have the same keys.

import type { en } from './en/en.ts';

export type Words = typeof en;
