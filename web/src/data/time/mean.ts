// Means that are shown: none of too few values. Pure.

/** Below this number a mean says nothing. */
export const fewestForMean = 5;

export function meanOf(values: readonly number[]): number | undefined {
  if (values.length < fewestForMean) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
