// fast-check with one seed for all runs, so that a passing test keeps passing; in the soak each property has a random one,
// which its failure names. TOCSIN_TEST_SEED, a number or `random`, goes before both.

import fc from 'fast-check';
import { isSoak } from './soak.ts';

const seed = process.env.TOCSIN_TEST_SEED ?? (isSoak ? 'random' : '20261115');
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export { fc };
