// Scales the long tests: `npm test` runs a tenth of them, `npm run test:quick` a hundredth, `npm run test:soak` the whole.

export const isSoak = process.env.TOCSIN_TEST_SOAK === '1';
export const isQuick = process.env.TOCSIN_TEST_QUICK === '1';

/** Returns how much of `whole` this run does. */
export function soak(whole: number): number {
  if (isSoak) return whole;
  return Math.ceil(whole / (isQuick ? 100 : 10));
}
