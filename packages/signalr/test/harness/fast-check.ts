// fast-check with one seed for all runs, so that a passing test keeps passing; in the soak, with TOCSIN_TEST_SOAK=1, each
// property has a random one, which its failure names. TOCSIN_TEST_SEED, a number or `random`, goes before both.

import fc from 'fast-check';

const seed = process.env.TOCSIN_TEST_SEED ?? (process.env.TOCSIN_TEST_SOAK === '1' ? 'random' : '20261115');
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export { fc };
