// The rows of overrides: exceptions to a schedule, each with an id of its own.

import type { Generated, Selectable } from 'kysely';
import type { Override, StoredOverride } from '../../domain/on-call/schedule.ts';
import type { WrittenOverride } from '../../domain/people/entities.ts';
import { insertRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx, Tx } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { isAmong } from '../named-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** Later overrides win over earlier ones, in the order of `place`. Times are as people wrote them. */
    schedule_overrides: {
      id: Generated<number>;
      schedule_id: number;
      place: number;
      team_id: number | null;
      user_id: number | null;
      from_time: string;
      to_time: string;
      reason: string;
      locked: number;
      /** The id of the first override of the swap that this one is part of. */
      swap_id: number | null;
    };
  }
}

/** Returns the overrides of the schedules, which are given as in `isAmong`, in their order. */
export async function loadOverrides(
  tx: ReadTx,
  schedules: { ids: string },
): Promise<ReadonlyMap<number, readonly StoredOverride[]>> {
  const rows = Map.groupBy(await tx.all(selectOverrides, schedules), ({ schedule_id }) => schedule_id);
  return new Map([...rows].map(([id, overrides]) => [id, overrides.map(overrideOf)]));
}

type OverrideRow = Omit<Selectable<Tables['schedule_overrides']>, 'schedule_id' | 'place'>;

function overrideOf(row: OverrideRow): StoredOverride {
  return {
    id: row.id,
    teamId: row.team_id ?? undefined,
    userId: row.user_id ?? undefined,
    from: row.from_time,
    to: row.to_time,
    reason: row.reason,
    lock: row.locked === 1,
    swapId: row.swap_id ?? undefined,
  };
}

/** Writes all overrides of a schedule. One with the id of a former one keeps that id, and the swap it is part of. */
export async function putOverrides(
  tx: Tx,
  scheduleId: number,
  overrides: readonly WrittenOverride[],
  former: readonly StoredOverride[],
): Promise<void> {
  const free = new Map(former.map((override) => [override.id, override]));
  const kept: ({ id: number } & NewRow)[] = [];
  const added: NewRow[] = [];
  overrides.forEach((override, place) => {
    const known = free.get(override.id);
    const row = rowOf(scheduleId, place, override, known?.swapId);
    if (free.delete(override.id)) kept.push({ id: override.id, ...row });
    else added.push(row);
  });
  await tx.run(removeAll, { scheduleId });
  await tx.each(insertKept, kept);
  await tx.each(insertAdded, added);
}

/** Appends an override, which wins over the others; returns its id. */
export async function appendOverride(tx: Tx, scheduleId: number, override: Override): Promise<number> {
  const place = ((await tx.one(selectLastPlace, { scheduleId }))?.place ?? -1) + 1;
  return tx.insert(insertOverride, { scheduleId, place, ...columnsOf(override) });
}

export async function changeOverride(tx: Tx, id: number, override: Override): Promise<void> {
  await tx.run(updateOverride, { id, ...columnsOf(override) });
}

export async function removeOverrides(tx: Tx, overrides: readonly StoredOverride[]): Promise<void> {
  for (const { id } of overrides) await tx.run(removeOne, { id });
}

export async function joinInSwap(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const id of ids) await tx.run(setSwap, { id, swapId: ids[0] ?? id });
}

type NewRow = ReturnType<typeof rowOf>;

function rowOf(scheduleId: number, place: number, override: Override, swapId: number | undefined) {
  return {
    schedule_id: scheduleId,
    place,
    team_id: override.teamId ?? null,
    user_id: override.userId ?? null,
    from_time: override.from,
    to_time: override.to,
    reason: override.reason,
    locked: override.lock ? 1 : 0,
    swap_id: swapId ?? null,
  };
}

type OverrideColumns = {
  teamId: number | null;
  userId: number | null;
  from: string;
  to: string;
  reason: string;
  locked: number;
};

function columnsOf({ teamId, userId, from, to, reason, lock }: Override): OverrideColumns {
  return { teamId: teamId ?? null, userId: userId ?? null, from, to, reason, locked: lock ? 1 : 0 };
}

const written = (args: OverrideColumns) => ({
  team_id: args.teamId,
  user_id: args.userId,
  from_time: args.from,
  to_time: args.to,
  reason: args.reason,
  locked: args.locked,
});

const selectOverrides = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('schedule_overrides')
    .select(['id', 'schedule_id', 'team_id', 'user_id', 'from_time', 'to_time', 'reason', 'locked', 'swap_id'])
    .where(isAmong('schedule_id', args.ids, kind))
    .orderBy('place')
    .orderBy('id'),
);

const columns = {
  schedule_id: 'int',
  place: 'int',
  team_id: 'int',
  user_id: 'int',
  from_time: 'text',
  to_time: 'text',
  reason: 'text',
  locked: 'int',
  swap_id: 'int',
} as const;

const insertKept = insertRows('schedule_overrides', { id: 'int', ...columns });
const insertAdded = insertRows('schedule_overrides', columns);

const selectLastPlace = statement((db, args: { scheduleId: number }) =>
  db
    .selectFrom('schedule_overrides')
    .select('place')
    .where('schedule_id', '=', args.scheduleId)
    .orderBy('place', 'desc')
    .limit(1),
);

const insertOverride = statement<OverrideColumns & { scheduleId: number; place: number }, { id: number }>((db, args) =>
  db
    .insertInto('schedule_overrides')
    .values({ ...written(args), schedule_id: args.scheduleId, place: args.place })
    .returning('id'),
);

const updateOverride = statement<OverrideColumns & { id: number }>((db, args) =>
  db.updateTable('schedule_overrides').set(written(args)).where('id', '=', args.id),
);

const setSwap = statement<{ id: number; swapId: number }>((db, args) =>
  db.updateTable('schedule_overrides').set({ swap_id: args.swapId }).where('id', '=', args.id),
);

const removeOne = statement<{ id: number }>((db, args) =>
  db.deleteFrom('schedule_overrides').where('id', '=', args.id),
);

const removeAll = statement<{ scheduleId: number }>((db, args) =>
  db.deleteFrom('schedule_overrides').where('schedule_id', '=', args.scheduleId),
);
