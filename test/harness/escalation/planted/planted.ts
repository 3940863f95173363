// An engine with a defect, and the checker that finds it.

import type { Decide } from '../shell.ts';

export type Planted = {
  readonly name: string;
  /** The checker that finds it, and a day on which it does. */
  readonly checker: string;
  readonly seed: number;
  /** Whether the soak test alone tries it. */
  readonly isSlow?: true;
  readonly engine: Decide;
};
