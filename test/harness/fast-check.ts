// fast-check with a fixed seed, so that a test that passes today passes tomorrow. TOCSIN_TEST_SEED=random, or a number, uses
// another seed.

import fc from 'fast-check';

const asked = process.env.TOCSIN_TEST_SEED ?? '20261115';
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked) });

export { fc };
