// Refuses a change that would leave the group of the last resort without anybody.

import { staffOf } from '../../domain/calls/people-in-reach.ts';
import { AppError } from '../../errors.ts';
import type { ReadTx } from '../../store/store.ts';
import { readCallConfiguration } from './call-configuration.ts';

/** Returns whether the group of the last resort names somebody; true if there is no such group. To be asked before a change. */
export async function isLastResortStaffed(tx: ReadTx): Promise<boolean> {
  const { policy, snapshot } = await readCallConfiguration(tx);
  if (policy.lastResortGroupId === undefined) return true;
  const group = snapshot.groups.get(policy.lastResortGroupId);
  return group !== undefined && staffOf(group, snapshot).length > 0;
}

/** To be called after the change, once the version of the directory is another. */
export async function refuseEmptyLastResort(tx: ReadTx, wasStaffed: boolean): Promise<void> {
  if (wasStaffed && !(await isLastResortStaffed(tx)))
    throw new AppError('still-referred-to', 'The last resort would be left without anybody: name another group first.');
}
