// What is asked about alarms in a dialog. Pure.

export type Asking = {
  /** `confirm`: to acknowledge them without a comment, too. */
  readonly what: 'mask' | 'comment' | 'acknowledge' | 'confirm' | 'unmask';
  readonly ids: readonly number[];
  /** Whether some were selected without having been on screen. */
  readonly isWhole: boolean;
};

/**
 * Returns what is sent of the asked ids: of a whole selection only what the filter still leaves, because nobody has looked at
 * each of them; what was selected by hand is meant wherever it has gone.
 */
export function stillMeant(
  ids: readonly number[],
  { isWhole }: Pick<Asking, 'isWhole'>,
  matching: readonly { readonly id: number }[],
): readonly number[] {
  if (!isWhole) return ids;
  const left = new Set(matching.map(({ id }) => id));
  return ids.filter((id) => left.has(id));
}
