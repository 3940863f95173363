// Scales the long tests: `npm test` runs a tenth of them, `npm run test:soak` the whole.

export const isSoak = process.env.TOCSIN_TEST_SOAK === '1';

/** Returns `whole` in a soak test, and a tenth of it otherwise. */
export function soak(whole: number): number {
  return isSoak ? whole : Math.ceil(whole / 10);
}
