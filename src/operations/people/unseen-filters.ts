// Recognises filters of lists that name something the caller does not see; such a list is empty.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { visibilityOf } from '../../domain/people/visibility.ts';
import type { ReadTx } from '../../store/store.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { plantStatements } from '../plant/queries.ts';
import { visibleAmong } from './queries.ts';

type IdFilter = {
  readonly tagGroupId?: number | undefined;
  readonly callGroupId?: number | undefined;
  readonly scenarioId?: number | undefined;
  readonly userId?: number | undefined;
};

/**
 * Whether the filter names an object that a caller bound to stations does not see, or that does not exist. Without this
 * check, rows of the caller would be found by the objects of other stations that an administrator has tied them to.
 */
export async function namesUnseen(
  tx: ReadTx,
  caller: Pick<Caller, 'stationIds'>,
  { tagGroupId, callGroupId, scenarioId, userId }: IdFilter,
): Promise<boolean> {
  if (caller.stationIds.length === 0) return false;
  const visibility = visibilityOf(caller, (await readCallConfiguration(tx)).snapshot);
  if (userId !== undefined && !visibility.seesPerson(userId)) return true;
  if (callGroupId !== undefined && !visibility.seesGroup(callGroupId)) return true;
  if (scenarioId !== undefined && (await visibleAmong(tx, 'scenario', [scenarioId], caller)).length === 0) return true;
  if (tagGroupId === undefined) return false;
  const group = await tx.one(plantStatements.tagGroup.byId, { id: tagGroupId });
  return group === undefined || !seesStation(caller, group.station_id ?? 0);
}
