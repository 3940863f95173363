// Leaves out of the filters of lists what the caller does not see; a list that is filtered by nothing else is empty.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { visibilityOf } from '../../domain/people/visibility.ts';
import { isOneOfIds, statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { visibleAmong } from './queries.ts';

type Ids = readonly number[];

type IdFilter = {
  readonly tagGroupId?: Ids | undefined;
  readonly callGroupId?: Ids | undefined;
  readonly scenarioId?: Ids | undefined;
  readonly userId?: Ids | undefined;
};

/**
 * Returns the filter with the objects that a caller bound to stations sees and that exist; undefined if it names only others.
 * Otherwise rows of the caller would be found by the objects of other stations that an administrator has tied them to.
 */
export async function seenFilter<F extends IdFilter>(
  tx: ReadTx,
  caller: Pick<Caller, 'stationIds'>,
  filter: F,
): Promise<F | undefined> {
  if (caller.stationIds.length === 0) return filter;
  const { userId, callGroupId, scenarioId, tagGroupId } = filter;
  const visibility = visibilityOf(caller, (await readCallConfiguration(tx)).snapshot);
  const seen: IdFilter = {
    userId: userId?.filter((id) => visibility.seesPerson(id)),
    callGroupId: callGroupId?.filter((id) => visibility.seesGroup(id)),
    scenarioId: scenarioId && (await visibleAmong(tx, 'scenario', scenarioId, caller)),
    tagGroupId: tagGroupId && (await seenTagGroups(tx, tagGroupId, caller)),
  };
  return Object.values(seen).some((ids) => ids?.length === 0) ? undefined : { ...filter, ...seen };
}

const selectTagGroups = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('tag_groups')
    .select(['id', 'station_id'])
    .where(isOneOfIds('id', args.ids, kind)),
);

async function seenTagGroups(tx: ReadTx, ids: Ids, caller: Pick<Caller, 'stationIds'>): Promise<Ids> {
  const groups = await tx.all(selectTagGroups, { ids: JSON.stringify(ids) });
  return groups.filter(({ station_id }) => seesStation(caller, station_id)).map(({ id }) => id);
}
