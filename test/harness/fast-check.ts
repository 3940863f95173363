// fast-check with one seed for all, so that what passes today passes tomorrow. TOCSIN_TEST_SEED=random, or a number, looks
// elsewhere.

import fc from 'fast-check';

const asked = process.env.TOCSIN_TEST_SEED ?? '20261115';
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked) });

export { fc };
