// Which numbers wait because every provider that could carry them is at its capacity, so that they do not hide others. Pure.

import { type ChoiceContext, chooseProvider, providersOf } from './choose-provider.ts';

/** The numbers of a channel whose longest prefix in the list is this one: the same providers serve all of them. */
export type FullNumbers = {
  readonly channel: string;
  readonly prefix: string;
  /** Attempts of this priority and of less urgent ones wait. */
  readonly fromPriority: number;
};

/** Of no attempt; the greatest integer that both databases have in common. */
const none = 2_147_483_647;

/** Returns all prefixes by which the providers of the channel differ. */
export function fullNumbers(channel: string, context: ChoiceContext): readonly FullNumbers[] {
  const ofChannel = providersOf(channel, context.providers, context.hasSimulator);
  const prefixes = new Set(['', ...ofChannel.flatMap(({ countries }) => countries)]);
  return [...prefixes].map((prefix) => {
    const waits = (priority: number): boolean =>
      chooseProvider({ channel, address: prefix, priority }, [], context).kind === 'wait';
    // A provider that has carried as much as it may in a day carries priority 1 alone.
    return { channel, prefix, fromPriority: waits(1) ? 1 : waits(2) ? 2 : none };
  });
}
