// Whether a person can be called at all.

import { useUsers } from '../../data/directory.ts';

/** Whether some number of the person may be called; true while it is not known. */
export function useIsVerified(userId: number): boolean {
  return !useUsers().isKnown(
    (all) => all.get(userId)?.numbers.some(({ valid, verified }) => valid && verified) === false,
  );
}
