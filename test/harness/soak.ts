// How much of the long tests is run: a tenth by `npm test`, all of it by `npm run test:soak`.

const isSoak = process.env.TOCSIN_TEST_SOAK === '1';

/** `whole` in a soak, and a tenth of it otherwise. */
export function soak(whole: number): number {
  return isSoak ? whole : Math.ceil(whole / 10);
}
