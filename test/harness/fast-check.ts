// fast-check with the seed of this run. Without one each property has a random seed, which its failure names.

import fc from 'fast-check';
import { testSeed } from './seed.ts';

if (testSeed !== undefined) fc.configureGlobal({ seed: testSeed });

export { fc };
