// Writes call groups and groupings.

import { isReachable } from '../../domain/people/entities.ts';
import { insertRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx, Tx } from '../../store/store.ts';
import { refuseFields, unprocessable } from './refusals.ts';
import { type Change, fieldReferences, missingAmong, type ResourceHooks } from './resource-hooks.ts';

export const callGroupHooks: ResourceHooks<'callGroup'> = {
  searchedBy: ({ name, names }) => [name, ...Object.values(names)],
  async check(tx, { caller, fields, before }) {
    const { teamIds, scheduleId, reliefGroupId } = fields;
    const relief = [{ field: 'reliefGroupId', id: reliefGroupId }];
    refuseFields([
      ...(await missingAmong(tx, caller, 'team', fieldReferences('teamIds', teamIds), before?.teamIds)),
      ...(await missingAmong(tx, caller, 'schedule', [{ field: 'scheduleId', id: scheduleId }])),
      ...(await missingAmong(tx, caller, 'callGroup', relief, [before?.reliefGroupId])),
    ]);
    await refuseReliefCycle(tx, before?.id, reliefGroupId);
  },
  async insert(tx, now, words, change) {
    const { fields } = change;
    const id = await tx.insert(insertGroup, { ...columnsOf(change), name: fields.name, words, now });
    await putTeams(tx, id, fields.teamIds);
    return id;
  },
  async update(tx, _now, id, change) {
    await tx.run(updateGroup, { ...columnsOf(change), id });
    await tx.run(removeTeams, { id });
    await putTeams(tx, id, change.fields.teamIds);
  },
};

/** Refuses a cycle of relief groups, because a call would never end and never be reported as failed. */
async function refuseReliefCycle(tx: ReadTx, id: number | undefined, reliefGroupId: number | undefined) {
  if (id === undefined || reliefGroupId === undefined) return;
  const rows = await tx.all(selectReliefs, {});
  const reliefOf = new Map(rows.map((row) => [row.id, row.relief_group_id]));
  const next = (group: number): readonly number[] => [reliefOf.get(group)].flatMap((relief) => relief ?? []);
  if (isReachable(id, [reliefGroupId], next)) {
    throw unprocessable('reliefGroupId', `leads back to this call group by way of group ${reliefGroupId}`);
  }
}

type GroupColumns = {
  stationId: number;
  names: string;
  timeZone: string;
  callMode: string;
  reliefMode: string;
  reliefGroupId: number | null;
  timeToTake: number | null;
  discard: number;
  scheduleId: number | null;
};

function columnsOf({ fields, stationId = 0 }: Change<'callGroup'>): GroupColumns {
  return {
    stationId,
    names: JSON.stringify(fields.names),
    timeZone: fields.timeZone,
    callMode: fields.callMode,
    reliefMode: fields.reliefMode,
    reliefGroupId: fields.reliefGroupId ?? null,
    timeToTake: fields.timeToTakeSeconds ?? null,
    discard: fields.discardWhenNobodyOnCall ? 1 : 0,
    scheduleId: fields.scheduleId ?? null,
  };
}

const written = (args: GroupColumns) => ({
  station_id: args.stationId,
  names: args.names,
  time_zone: args.timeZone,
  call_mode: args.callMode,
  relief_mode: args.reliefMode,
  relief_group_id: args.reliefGroupId,
  time_to_take: args.timeToTake,
  discard_when_nobody: args.discard as 0 | 1,
  schedule_id: args.scheduleId,
});

const insertGroup = statement<GroupColumns & { name: string; words: string; now: number }, { id: number }>((db, args) =>
  db
    .insertInto('call_groups')
    .values({ ...written(args), name: args.name, words: args.words, last_change: args.now })
    .returning('id'),
);

const updateGroup = statement<GroupColumns & { id: number }>((db, args) =>
  db.updateTable('call_groups').set(written(args)).where('id', '=', args.id),
);

const selectReliefs = statement((db) =>
  db.selectFrom('call_groups').select(['id', 'relief_group_id']).where('relief_group_id', 'is not', null),
);

function putTeams(tx: Tx, id: number, teamIds: readonly number[]): Promise<void> {
  return tx.each(
    insertTeams,
    teamIds.map((teamId, index) => ({ call_group_id: id, place: index, team_id: teamId })),
  );
}

const insertTeams = insertRows('call_group_teams', { call_group_id: 'int', place: 'int', team_id: 'int' });

const removeTeams = statement<{ id: number }>((db, args) =>
  db.deleteFrom('call_group_teams').where('call_group_id', '=', args.id),
);

export const groupingHooks: ResourceHooks<'grouping'> = {
  searchedBy: ({ name }) => [name],
  async check(tx, { caller, fields: { callGroupIds, groupingIds }, before }) {
    const groups = fieldReferences('callGroupIds', callGroupIds);
    refuseFields([
      ...(await missingAmong(tx, caller, 'callGroup', groups, before?.callGroupIds)),
      ...(await missingAmong(tx, caller, 'grouping', fieldReferences('groupingIds', groupingIds), before?.groupingIds)),
    ]);
    await refuseGroupingCycle(tx, before?.id, groupingIds);
  },
  async insert(tx, now, words, change) {
    const { fields, stationId = 0 } = change;
    const id = await tx.insert(insertGrouping, { name: fields.name, words, stationId, now });
    await putMembers(tx, id, change);
    return id;
  },
  async update(tx, _now, id, change) {
    await tx.run(removeMemberGroups, { id });
    await tx.run(removeMemberGroupings, { id });
    await putMembers(tx, id, change);
  },
};

async function refuseGroupingCycle(tx: ReadTx, id: number | undefined, groupingIds: readonly number[]) {
  if (id === undefined || groupingIds.length === 0) return;
  const members = Map.groupBy(await tx.all(selectNesting, {}), ({ grouping_id }) => grouping_id);
  const next = (grouping: number): readonly number[] => (members.get(grouping) ?? []).map(({ member_id }) => member_id);
  const index = groupingIds.findIndex((member) => isReachable(id, [member], next));
  if (index >= 0) {
    throw unprocessable(`groupingIds[${index}]`, `names grouping ${groupingIds[index]}, which holds this one in turn`);
  }
}

async function putMembers(tx: Tx, id: number, { fields }: Change<'grouping'>): Promise<void> {
  const rowsOf = (ids: readonly number[]) => ids.map((member, index) => ({ grouping_id: id, place: index, member }));
  await tx.each(
    insertMemberGroups,
    rowsOf(fields.callGroupIds).map(({ member, ...rest }) => ({ ...rest, call_group_id: member })),
  );
  await tx.each(
    insertMemberGroupings,
    rowsOf(fields.groupingIds).map(({ member, ...rest }) => ({ ...rest, member_id: member })),
  );
}

const insertGrouping = statement<{ name: string; words: string; stationId: number; now: number }, { id: number }>(
  (db, args) =>
    db
      .insertInto('call_group_groupings')
      .values({ name: args.name, words: args.words, station_id: args.stationId, last_change: args.now })
      .returning('id'),
);

const selectNesting = statement((db) => db.selectFrom('grouping_groupings').select(['grouping_id', 'member_id']));

const removeMemberGroups = statement<{ id: number }>((db, args) =>
  db.deleteFrom('grouping_call_groups').where('grouping_id', '=', args.id),
);

const removeMemberGroupings = statement<{ id: number }>((db, args) =>
  db.deleteFrom('grouping_groupings').where('grouping_id', '=', args.id),
);

const insertMemberGroups = insertRows('grouping_call_groups', {
  grouping_id: 'int',
  place: 'int',
  call_group_id: 'int',
});

const insertMemberGroupings = insertRows('grouping_groupings', { grouping_id: 'int', place: 'int', member_id: 'int' });
