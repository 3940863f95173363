// The seed of random tests: fixed, so that a test that passes today passes tomorrow; random in the soak, which looks for new
// cases. TOCSIN_TEST_SEED, a number or `random`, goes before both.

import { isSoak } from './soak.ts';

const asked = process.env.TOCSIN_TEST_SEED ?? (isSoak ? 'random' : '20261115');

/** Undefined if each test takes a random one, which it names when it fails. */
export const testSeed = asked === 'random' ? undefined : Number(asked);
