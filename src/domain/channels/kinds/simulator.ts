// Simulated providers: phones in the console, with faults to switch on. Pure.

import { choiceSetting, optional, type SettingValues, yesOrNo } from '../settings.ts';
import type { ProviderKind } from './kind.ts';

/**
 * - `busy`: every telephone is busy
 * - `bad-number`: it says of every number that it does not exist
 * - `no-answer`: nobody can pick up
 * - `dead`: it refuses everything, as a provider that is down
 * - `silent`: it takes everything and never answers, as a network that swallows packets
 * - `slow`: it takes three seconds for each message
 * - `late-receipt`: the receipt of a text comes after half a minute
 * - `lying-receipt`: texts are reported as delivered and read, twice and in the wrong order, and are never shown
 * - `voicemail`: an answering machine picks up and presses no key
 */
export const simulatorFaults = [
  'none',
  'busy',
  'bad-number',
  'no-answer',
  'dead',
  'silent',
  'slow',
  'late-receipt',
  'lying-receipt',
  'voicemail',
] as const;

const fields = {
  fault: optional(choiceSetting(simulatorFaults), 'none' as const),
  /** Whether people may ring in. */
  ringIn: optional(yesOrNo, false),
};

export type SimulatorSettings = SettingValues<typeof fields>;

export const simulatorProviders = {
  name: 'simulator',
  channels: undefined,
  capabilities: { isSpoken: true, mostCharacters: undefined, hasReceipts: true, takesReplies: true, isRoom: false },
  fields,
  secrets: [],
  isHeld: () => false,
} as const satisfies ProviderKind;
