// Scales the property tests: a run with TOCSIN_TEST_SOAK=1 has the whole number, any other a tenth. The package stands alone,
// so that it has its own copy.

export const isSoak = process.env.TOCSIN_TEST_SOAK === '1';

/** Returns `whole` in a soak test, and a tenth of it otherwise. */
export function soak(whole: number): number {
  return isSoak ? whole : Math.ceil(whole / 10);
}
