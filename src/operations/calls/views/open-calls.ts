// The calls that have begun and not ended, as a caller sees them: their causes, the people called and what happens next.

import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../../domain/access/access.ts';
import {
  type Call,
  type CallTarget,
  type Cycle,
  type CycleHold,
  callDue,
  cycleStatus,
  isOpen,
} from '../../../domain/calls/call.ts';
import { mostAnnounced } from '../../../domain/calls/message-text.ts';
import { numbersOf } from '../../../domain/calls/usable-numbers.ts';
import { wordsIn } from '../../../domain/calls/words/catalogue.ts';
import { textFor } from '../../../domain/calls/words/stored-text.ts';
import { ownerOfNumber } from '../../../domain/people/call-group.ts';
import { withNames } from '../../../domain/people/references.ts';
import { foreignId, foreignName, type Visibility, visibilityOf } from '../../../domain/people/visibility.ts';
import { type DatabaseKind, idsIn, sqlStatement, statement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { type CallConfiguration, readCallConfiguration } from '../../configuration/call-configuration.ts';
import { isVisible, type SeenArgs, seenArgs } from '../../named-rows.ts';
import { type CallRecord, findCalls } from '../queries.ts';

/**
 * What happens next: the call begins after its delay, somebody is on duty, another round, the next level although this one
 * goes on, or a person's step.
 */
export type NextStep = 'start' | 'duty' | 'round' | 'level' | 'attempt';

/** What the person's part of the call is doing; see `CyclePhase`. */
export type PersonStep =
  | 'calling'
  | 'retrying'
  | 'callBack'
  | 'gathering'
  | 'reached'
  | 'lineInUse'
  | 'channelDown'
  | 'limited'
  | 'throttled'
  | 'heard'
  | 'failed'
  | 'notified'
  | 'ended';

export type OpenCallPerson = {
  readonly userId: number;
  readonly name: string;
  readonly groupId: number | undefined;
  readonly isRelief: boolean;
  readonly isNotice: boolean;
  readonly step: PersonStep;
  readonly status: number;
  readonly channel: string | undefined;
  /** The provider that carries the attempt under way. */
  readonly provider: string | undefined;
  /** The attempt at the present number and how many there are at most; undefined before the first and after the end. */
  readonly attempt: { readonly number: number; readonly of: number } | undefined;
  readonly nextAt: Instant | undefined;
  readonly reason: string;
};

export type OpenCallCause = {
  readonly kind: string;
  readonly alarmId: number | undefined;
  readonly priority: number;
  readonly text: string;
  readonly since: Instant;
};

export type OpenCall = {
  readonly id: number;
  readonly target: CallTarget;
  readonly targetName: string;
  readonly phase: Call['phase'];
  readonly round: number;
  readonly startedAt: Instant;
  readonly nextStep: NextStep | undefined;
  readonly nextAt: Instant | undefined;
  readonly reason: string;
  /** The most urgent ones that the caller sees. */
  readonly causes: readonly OpenCallCause[];
  readonly causeCount: number;
  readonly people: readonly OpenCallPerson[];
};

export type SeenBy = Pick<Caller, 'stationIds'>;

/** A bound caller sees the calls of groups of its stations, and those with a cause that it sees. */
function isSeen(isBound: boolean, args: SeenArgs, kind: DatabaseKind): RawBuilder<unknown> {
  if (!isBound) return sql`1 = 1`;
  return sql`(exists (select 1 from ${table('call_causes')} where call_id = calls.id and ${isCauseSeen(args, kind)})
    or (target_kind = 'group' and exists (select 1 from ${table('call_groups')}
      where call_groups.id = calls.target_id and station_id in ${idsIn(args.stationIds, kind)})))`;
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

function buildStatements(isBound: boolean, order: 'asc' | 'desc') {
  type Listed = SeenArgs & { limit: number; offset: number };
  const where = (args: SeenArgs, kind: DatabaseKind) => sql`ended_at is null and ${isSeen(isBound, args, kind)}`;
  return {
    page: sqlStatement<Listed, { id: number }>(
      (args, kind) => sql`select id from ${table('calls')} where ${where(args, kind)}
        order by id ${sql.raw(order)} limit ${args.limit} offset ${args.offset}`,
    ),
    count: sqlStatement<SeenArgs, { total: number }>(
      (args, kind) => sql`select count(*) as total from ${table('calls')} where ${where(args, kind)}`,
    ),
    among: sqlStatement<SeenArgs & { ids: string }, { id: number }>(
      (args, kind) => sql`select id from ${table('calls')}
        where id in ${idsIn(args.ids, kind)} and ${isSeen(isBound, args, kind)} order by id`,
    ),
  };
}

const statements = {
  whole: { asc: buildStatements(false, 'asc'), desc: buildStatements(false, 'desc') },
  bound: { asc: buildStatements(true, 'asc'), desc: buildStatements(true, 'desc') },
};

function argsOf(caller: SeenBy): { readonly args: SeenArgs; readonly set: keyof typeof statements } {
  return { args: seenArgs(caller), set: caller.stationIds.length > 0 ? 'bound' : 'whole' };
}

/** Returns how many calls the caller sees that have begun and not ended. */
export async function countOpen(tx: ReadTx, caller: SeenBy): Promise<number> {
  const { args, set } = argsOf(caller);
  return Number((await tx.one(statements[set].asc.count, args))?.total ?? 0);
}

type Page = { readonly order: 'asc' | 'desc'; readonly limit: number; readonly offset: number };

export async function listOpen(tx: ReadTx, caller: SeenBy, page: Page): Promise<readonly OpenCall[]> {
  const { args, set } = argsOf(caller);
  const { order, limit, offset } = page;
  const rows = limit === 0 ? [] : await tx.all(statements[set][order].page, { ...args, limit, offset });
  return shownCalls(
    tx,
    caller,
    rows.map(({ id }) => id),
  );
}

/** Returns those of the calls that the caller sees, also if they have ended. */
export const getCalls: Query<{ readonly caller: SeenBy; readonly ids: readonly number[] }, readonly OpenCall[]> = {
  name: 'get-calls',
  async run(tx, { caller, ids }) {
    return shownCalls(tx, caller, await seenAmong(tx, caller, ids));
  },
};

/** Returns the ids of those calls that the caller sees, open or ended. */
export async function seenAmong(tx: ReadTx, caller: SeenBy, ids: readonly number[]): Promise<readonly number[]> {
  const { args, set } = argsOf(caller);
  const rows = await tx.all(statements[set].asc.among, { ...args, ids: JSON.stringify(ids) });
  return rows.map(({ id }) => id);
}

async function shownCalls(tx: ReadTx, caller: SeenBy, ids: readonly number[]): Promise<readonly OpenCall[]> {
  if (ids.length === 0) return [];
  const configuration = await readCallConfiguration(tx);
  const visibility = visibilityOf(caller, configuration.snapshot);
  const { args, set } = argsOf(caller);
  const causes = await tx.all(selectCauses[set], { ...args, ids: JSON.stringify(ids) });
  const byCall = Map.groupBy(causes, ({ call_id }) => call_id);
  const found = new Map((await findCalls(tx, ids)).map((record) => [record.id, record]));
  // Providers belong to no station: only callers of the whole installation see them.
  const carriers = visibility.isWhole ? await carriersOf(tx, ids, configuration) : new Map<number, string>();
  return ids.flatMap((id) => {
    const record = found.get(id);
    return record === undefined ? [] : [shownCall(record, byCall.get(id) ?? [], carriers, configuration, visibility)];
  });
}

/** By id of a cycle: the name of the provider that carries its attempt. */
type Carriers = ReadonlyMap<number, string>;

async function carriersOf(tx: ReadTx, ids: readonly number[], { providers }: CallConfiguration): Promise<Carriers> {
  const rows = await tx.all(selectCarriers, { ids: JSON.stringify(ids) });
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return new Map(rows.map(({ cycle_id, provider_id }) => [cycle_id, names.get(provider_id ?? 0) ?? '']));
}

const selectCarriers = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_attempts')
    .select(['cycle_id', 'provider_id'])
    .where('call_id', 'in', idsIn(args.ids, kind))
    .where('state', '=', 'started')
    .where('provider_id', 'is not', null),
);

export type CauseRow = {
  call_id: number;
  kind: string;
  alarm_id: number | null;
  priority: number;
  text: string;
  created_at: Instant;
  total: number;
};

function causesStatement(isBound: boolean) {
  return sqlStatement<SeenArgs & { ids: string }, CauseRow>((args, kind) => {
    const seen = isBound ? sql`and ${isCauseSeen(args, kind)}` : sql``;
    return sql`select call_id, kind, alarm_id, priority, text, created_at, total from (
        select id, call_id, kind, alarm_id, priority, text, created_at,
          row_number() over (partition by call_id order by priority, id) as place,
          count(*) over (partition by call_id) as total
        from ${table('call_causes')} where call_id in ${idsIn(args.ids, kind)} and ended_at is null ${seen}) as ranked
      where place <= ${mostAnnounced} order by call_id, priority, id`;
  });
}

const selectCauses = { whole: causesStatement(false), bound: causesStatement(true) };

function shownCall(
  { id, call, startedAt }: CallRecord,
  causes: readonly CauseRow[],
  carriers: Carriers,
  configuration: CallConfiguration,
  visibility: Visibility,
): OpenCall {
  const { snapshot } = configuration;
  const isOver = call.phase === 'ended';
  return {
    id,
    ...shownTarget(call.target, configuration, visibility),
    phase: call.phase,
    round: call.round,
    startedAt,
    nextStep: isOver ? undefined : nextStepOf(call),
    nextAt: isOver ? undefined : callDue(call),
    reason: withNames(call.reason, snapshot, visibility),
    ...shownCauses(causes, configuration),
    people: call.cycles.map((cycle) => shownPerson(cycle, carriers.get(cycle.id), configuration, visibility)),
  };
}

/** The texts of causes, in English as all that is listed. */
export function shownCauses(causes: readonly Omit<CauseRow, 'call_id'>[], { policy }: CallConfiguration) {
  const reader = { words: wordsIn('en'), language: 'en', timeZone: policy.timeZone };
  const shown: readonly OpenCallCause[] = causes.map(({ kind, alarm_id, priority, text, created_at }) => ({
    kind,
    alarmId: alarm_id ?? undefined,
    priority,
    text: textFor(text, reader),
    since: created_at,
  }));
  return { causes: shown, causeCount: Number(causes[0]?.total ?? 0) };
}

/** A number is shown as the person who has it. */
export function shownTarget(target: CallTarget, { snapshot }: CallConfiguration, visibility: Visibility) {
  const owner = target.kind === 'number' ? (ownerOfNumber(target.id, snapshot)?.id ?? foreignId) : undefined;
  const { kind, id } = owner === undefined ? target : { kind: 'user' as const, id: owner };
  if (kind === 'last-resort') return { target: { kind, id }, targetName: 'last resort' };
  const isShown = kind === 'group' ? visibility.seesGroup(id) : visibility.seesPerson(id);
  if (!isShown) return { target: { kind, id: foreignId }, targetName: foreignName };
  const named = kind === 'group' ? snapshot.groups.get(id) : snapshot.people.get(id);
  return { target: { kind, id }, targetName: named?.name ?? '' };
}

function nextStepOf(call: Call): NextStep {
  if (call.phase === 'waiting') return 'duty';
  if (call.phase === 'pausing' && call.due !== undefined) return 'round';
  return call.takeBy !== undefined && call.takeBy === callDue(call) ? 'level' : 'attempt';
}

function shownPerson(
  cycle: Cycle,
  carrier: string | undefined,
  { snapshot, policy }: CallConfiguration,
  visibility: Visibility,
): OpenCallPerson {
  const person = snapshot.people.get(cycle.userId);
  const isShown = visibility.seesPerson(cycle.userId);
  const isGroupShown = cycle.groupId !== undefined && visibility.seesGroup(cycle.groupId);
  const number = numbersOf(person, { policy }).find(({ id }) => id === cycle.numberId);
  const tried = cycle.tries + (cycle.phase === 'attempting' || cycle.phase === 'reached' ? 1 : 0);
  const isTrying = isOpen(cycle) && number !== undefined && tried > 0;
  return {
    userId: isShown ? cycle.userId : foreignId,
    name: isShown ? (person?.name ?? '') : foreignName,
    groupId: isGroupShown ? cycle.groupId : undefined,
    isRelief: cycle.isRelief,
    isNotice: cycle.isNotice,
    step: stepOf(cycle),
    status: cycleStatus(cycle),
    channel: isShown ? number?.channel : undefined,
    provider: isShown ? carrier : undefined,
    attempt: isTrying ? { number: tried, of: Math.max(tried, number.countTry) } : undefined,
    nextAt: isOpen(cycle) ? cycle.due : undefined,
    reason: withNames(cycle.reason, snapshot, visibility),
  };
}

const stepOfHold = {
  line: 'lineInUse',
  cap: 'throttled',
  channel: 'channelDown',
  toll: 'limited',
} as const satisfies Record<CycleHold, PersonStep>;

function stepOf({ phase, pause, hold }: Cycle): PersonStep {
  switch (phase) {
    case 'attempting':
      return 'calling';
    case 'pausing':
      return pause === 'asked-later' ? 'callBack' : pause === 'gathering' ? 'gathering' : 'retrying';
    case 'held':
      return hold === undefined ? 'lineInUse' : stepOfHold[hold];
    case 'acknowledged':
    case 'followed':
      return 'heard';
    default:
      return phase;
  }
}
