// The calls that have begun and not ended, as a reader sees them: their causes, the people called and what happens next. A call is the
// escalations to one target that are open at the same time, whatever their causes.

import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../../domain/access/access.ts';
import { mostAnnounced } from '../../../domain/calls/message-text.ts';
import { type DatabaseKind, idsIn, isOneOfIds, sqlStatement, statement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { isVisible, type SeenArgs, seenArgs } from '../../named-rows.ts';
import { type EscalationRow, targetOf } from '../engine/rows/escalation-rows.ts';
import { type CallsNow, readCallsNow } from './calls-now.ts';
import type { WordedReason } from './say-reason.ts';
import { type CallReader, CallShower, type Carriers, type CauseRow, type OpenCall } from './shown-call.ts';

export type SeenBy = Pick<Caller, 'stationIds'>;

/**
 * The condition of a row of `call_causes` by which its call is seen: of a group of the caller's stations, or with a cause that
 * the caller sees.
 */
function isSeen(isBound: boolean, args: SeenArgs, kind: DatabaseKind): RawBuilder<unknown> {
  if (!isBound) return sql`1 = 1`;
  return sql`(${isCauseSeen(args, kind)} or (target_kind = 'group' and exists (select 1 from ${table('call_groups')}
    where call_groups.id = call_causes.target_id and station_id in ${idsIn(args.stationIds, kind)})))`;
}

/** A message has the station of its sender, so it is shown only to callers who see whom it is for as well. */
export function isCauseSeen(args: SeenArgs, kind: DatabaseKind): RawBuilder<unknown> {
  const stations = idsIn(args.stationIds, kind);
  return sql`call_causes.station_id in ${stations} and (call_causes.kind in ('alarm', 'followUp', 'handOver')
    or (call_causes.target_kind = 'group' and exists (select 1 from ${table('call_groups')}
      where call_groups.id = call_causes.target_id and call_groups.station_id in ${stations}))
    or (call_causes.target_kind = 'user' and exists (select 1 from ${table('users')}
      where users.id = call_causes.target_id and (${isVisible('person', args, kind)}))))`;
}

/** Open rows that belong to a call; written so that those that have ended are not visited, of which a call may have many. */
const isOpen = sql`state = 'open' and coalesce(call_id, 0) > 0`;

function buildStatements(isBound: boolean, order: 'asc' | 'desc') {
  type Listed = SeenArgs & { limit: number; offset: number };
  const openCalls = (args: SeenArgs, kind: DatabaseKind) => sql`from ${table('call_causes')}
    where ${isOpen} and ${isSeen(isBound, args, kind)}`;
  return {
    page: sqlStatement<Listed, { id: number }>(
      (args, kind) => sql`select call_id as id ${openCalls(args, kind)}
        group by call_id order by call_id ${sql.raw(order)} limit ${args.limit} offset ${args.offset}`,
    ),
    count: sqlStatement<SeenArgs, { total: number }>(
      (args, kind) => sql`select count(distinct call_id) as total ${openCalls(args, kind)}`,
    ),
    among: sqlStatement<SeenArgs & { ids: string }, { id: number }>(
      (args, kind) => sql`select cast(list.value as bigint) as id from ${textRows(args.ids, kind)}
        where exists (select 1 from ${table('call_causes')}
          where call_id = cast(list.value as bigint) and ${isSeen(isBound, args, kind)}) order by 1`,
    ),
    causes: sqlStatement<SeenArgs & { ids: string }, CauseRow>((args, kind) => {
      const seen = isBound ? sql`and ${isCauseSeen(args, kind)}` : sql``;
      return sql`select call_id, kind, alarm_id, priority, text, created_at, total from (
          select id, call_id, kind, alarm_id, priority, text, created_at,
            row_number() over (partition by call_id order by priority, id) as place,
            count(*) over (partition by call_id) as total
          from ${table('call_causes')}
          where ${isOpen} and coalesce(call_id, 0) in ${idsIn(args.ids, kind)} ${seen}) as ranked
        where place <= ${mostAnnounced} order by call_id, priority, id`;
    }),
  };
}

const statements = {
  whole: { asc: buildStatements(false, 'asc'), desc: buildStatements(false, 'desc') },
  bound: { asc: buildStatements(true, 'asc'), desc: buildStatements(true, 'desc') },
};

function statementsFor({ stationIds }: SeenBy, order: 'asc' | 'desc') {
  return statements[stationIds.length > 0 ? 'bound' : 'whole'][order];
}

/** Returns how many calls the caller sees that have begun and not ended. */
export async function countOpen(tx: ReadTx, caller: SeenBy): Promise<number> {
  return Number((await tx.one(statementsFor(caller, 'asc').count, seenArgs(caller)))?.total ?? 0);
}

type Page = { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number };

export async function listOpen(
  tx: ReadTx,
  now: Instant,
  reader: CallReader,
  { order, limit, offset }: Page,
): Promise<readonly OpenCall[]> {
  const { page } = statementsFor(reader, order);
  const rows = limit === 0 ? [] : await tx.all(page, { ...seenArgs(reader), limit, offset });
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => Number(id));
  return new CallsShown(tx, now, await readCallsNow(tx, now)).of(ids, reader);
}

type Asked = {
  readonly now: Instant;
  readonly ids: readonly number[];
  readonly readers: readonly CallReader[];
};

/** Returns for each reader those of the calls that they see, also if they have ended. */
export const getCalls: Query<Asked, readonly (readonly OpenCall[])[]> = {
  name: 'get-calls',
  isComputation: true,
  async run(tx, { now, ids, readers }) {
    const seen: (readonly number[])[] = [];
    for (const reader of readers) seen.push(await seenAmong(tx, reader, ids));
    if (seen.every((own) => own.length === 0)) return readers.map(() => []);
    const shown = new CallsShown(tx, now, await readCallsNow(tx, now));
    const calls: (readonly OpenCall[])[] = [];
    for (const [index, reader] of readers.entries()) calls.push(await shown.of(seen[index] ?? [], reader));
    return calls;
  },
};

/** Returns the ids of those calls that the caller sees, open or ended. */
export async function seenAmong(tx: ReadTx, caller: SeenBy, ids: readonly number[]): Promise<readonly number[]> {
  const args = { ...seenArgs(caller), ids: JSON.stringify(ids) };
  return (await tx.all(statementsFor(caller, 'asc').among, args)).map(({ id }) => Number(id));
}

/** What a call was that is not decided on: it has ended, was called in vain, or a fault set it aside. */
type Rest = Pick<OpenCall, 'phase' | 'round' | 'next' | 'people'> & WordedReason;

class CallsShown {
  readonly #tx: ReadTx;
  readonly #now: Instant;
  readonly #calls: CallsNow;

  constructor(tx: ReadTx, now: Instant, calls: CallsNow) {
    this.#tx = tx;
    this.#now = now;
    this.#calls = calls;
  }

  async of(ids: readonly number[], reader: CallReader): Promise<readonly OpenCall[]> {
    if (ids.length === 0) return [];
    const { calling, rows, states } = this.#calls;
    const shower = new CallShower(reader, calling.configuration, this.#now);
    const args = { ids: JSON.stringify(ids) };
    const causes = await this.#tx.all(statementsFor(reader, 'asc').causes, { ...seenArgs(reader), ...args });
    const byCall = Map.groupBy(causes, ({ call_id }) => Number(call_id));
    const began = new Map((await this.#tx.all(selectBegan, args)).map(({ id, due_at }) => [id, due_at]));
    const others = await this.#newestOf(ids.filter((id) => !rows.has(id)));
    const carriers = carriersIn(calling);
    return ids.flatMap((id) => {
      const own = rows.get(id) ?? [];
      const row = own[0] ?? others.get(id);
      if (row === undefined) return [];
      const state = states.of(own.map((one) => one.id));
      return [
        {
          id,
          ...shower.target(targetOf(row)),
          startedAt: Number(began.get(id) ?? row.due_at),
          ...shower.causes(byCall.get(id) ?? []),
          ...(state === undefined ? restOf(row, shower) : shower.state(state, carriers)),
        },
      ];
    });
  }

  /** By id of a call: a row that a fault set aside, otherwise what ended last. */
  async #newestOf(ids: readonly number[]): Promise<ReadonlyMap<number, NewestRow>> {
    const rows = ids.length === 0 ? [] : await this.#tx.all(selectNewest, { ids: JSON.stringify(ids) });
    return new Map(rows.map((row) => [Number(row.call_id), row]));
  }
}

type NewestRow = Pick<
  EscalationRow,
  'call_id' | 'target_kind' | 'target_id' | 'state' | 'round' | 'reason' | 'due_at' | 'ended_at' | 'end_reason'
>;

/** The row with the id of a call began it; it may have been purged while others of the call are open. */
const selectBegan = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'due_at'])
    .where(isOneOfIds('id', args.ids, kind)),
);

const selectNewest = sqlStatement<{ ids: string }, NewestRow>(
  (args, kind) => sql`select call_id, target_kind, target_id, state, round, reason, due_at, ended_at, end_reason
    from (select *, row_number() over (partition by call_id order by
        case when ended_at is null and state <> 'done' then 0 else 1 end, coalesce(ended_at, 0) desc, id desc) as place
      from ${table('call_causes')} where call_id in ${idsIn(args.ids, kind)}) as ranked
    where place = 1`,
);

function restOf({ ended_at, state, round, reason, end_reason }: NewestRow, { wording }: CallShower): Rest {
  const fixed = { round, next: undefined, people: [] };
  if (ended_at !== null) return { phase: 'ended', ...fixed, ...wording.wordedStored(end_reason ?? '') };
  const phase = state === 'open' ? 'calling' : 'ended';
  return { phase, ...fixed, ...wording.wordedStored(reason ?? '{"code":"raised"}') };
}

function carriersIn({ attemptRows, configuration: { providers } }: CallsNow['calling']): Carriers {
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return new Map(
    [...attemptRows.values()].flatMap(({ id, state, provider_id }) =>
      state === 'started' && provider_id !== null ? [[id, names.get(provider_id) ?? ''] as const] : [],
    ),
  );
}
