// What is done at once with the selected alarms: a whole selection is confirmed first, and what is refused stays selected.

import { useState } from 'react';
import type { Refused } from '../../data/refusals.ts';
import type { Asking } from './asking/asking.ts';
import { useAcknowledge, useUnmask } from './use-alarm-commands.ts';
import type { Selection } from './use-selection.ts';

/** `ask` confirms with its count what was not all on screen. */
export function useSelectionCommands({ isWhole, setSelected }: Selection, ask: (asking: Asking) => void) {
  const acknowledging = useAcknowledge();
  const unmasking = useUnmask();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  /** What is refused stays selected, or becomes so: the bar of the selection says why. */
  const select = (left: readonly Refused[] | undefined): readonly Refused[] | undefined => {
    if (left === undefined) return undefined;
    setRefused(left);
    setSelected(new Set(left.map(({ id }) => id)));
    return left;
  };
  const acknowledge = async (ids: readonly number[], comment?: string) => select(await acknowledging.run(ids, comment));
  const unmask = async (ids: readonly number[]) => select(await unmasking.run(ids));
  const runOrAsk = (what: Asking['what'], run: (ids: readonly number[]) => unknown) => (ids: readonly number[]) => {
    if (isWhole) ask({ what, ids, isWhole });
    else void run(ids);
  };
  return {
    acknowledge,
    unmask,
    acknowledgeOrAsk: runOrAsk('confirm', acknowledge),
    unmaskOrAsk: runOrAsk('unmask', unmask),
    refused,
    isBusy: acknowledging.isBusy || unmasking.isBusy,
  };
}

export type SelectionCommands = ReturnType<typeof useSelectionCommands>;
