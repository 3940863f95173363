// Keeps what intakes refused, and says by a system alarm that the alarms of a caller are being refused until one is taken.

import { sql } from 'kysely';
import { type Caller, callerOf, type Principal } from '../../domain/access/access.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import type { ErrorCode } from '../../errors.ts';
import { insertRows } from '../../store/row-batch.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation, Query, ReadTx, Tx } from '../../store/store.ts';
import { findHolderEver, findRightsNow } from '../access/queries.ts';
import { endSystemAlarm, raiseSystemAlarm } from '../alarms/intake/report.ts';
import { updateRetried } from './retried.ts';

/** The newest of each caller are kept. */
export const maxKeptPerCaller = 100;
/** The bytes of a body that are kept. */
export const maxKeptBytes = 64 * 1024;
export const keptMs = 30 * 86_400_000;

/** The refused request and its body, as they are kept. */
export type RefusedRequest = {
  readonly at: Instant;
  readonly address: string;
  readonly route: string;
  readonly code: string;
  readonly reason: string;
  readonly contentType: string;
  /** The first bytes of the body, in base64. */
  readonly body: string;
  readonly bodyLength: number;
};

export type RefusedIntake = RefusedRequest & {
  /** The caller, or the hash of a token that is not valid, but may be known. */
  readonly by: Principal | { readonly tokenHash: string };
  /** Whether alarms were refused that no other part of the request replaced. */
  readonly isAnnounced: boolean;
};

/** Keeps the refusals of known callers. Returns the callers that have an alarm. */
export const keepRefusals: Operation<readonly RefusedIntake[], readonly string[]> = {
  name: 'keep-refusals',
  async run(tx, now, refusals) {
    const known: { refusal: RefusedIntake; principal: Principal }[] = [];
    for (const refusal of refusals) {
      const principal = await holderOf(tx, refusal.by);
      if (principal !== undefined) known.push({ refusal, principal });
    }
    await tx.each(insertRefusals, known.map(rowOf));
    const lasting: string[] = [];
    for (const [actor, ofCaller] of Map.groupBy(known, ({ principal }) => callerOf(principal).actor)) {
      await tx.run(removeOlder, { actor });
      const newest = ofCaller.findLast(({ refusal }) => refusal.isAnnounced);
      if (newest === undefined) continue;
      await announce(tx, now, actor, newest.refusal, newest.principal);
      lasting.push(actor);
    }
    return lasting;
  },
};

type Retried = {
  readonly id: number;
  readonly caller: Caller;
  /** What was refused again. */
  readonly rest: Pick<RefusedRequest, 'code' | 'reason' | 'contentType' | 'body' | 'bodyLength'> | undefined;
};

/** Notes that a refused intake has been retried, and keeps what is left of a list, with the time and the caller of the list. */
export const endRetry: Operation<Retried, void> = {
  name: 'end-retry-of-refusal',
  async run(tx, now, { id, caller, rest }) {
    const whole = await tx.one(selectSender, { id });
    if (whole === undefined) return;
    await tx.run(updateRetried, { id, at: now, by: caller.actor });
    if (rest === undefined) return;
    const { code, reason, contentType, body, bodyLength } = rest;
    const kept = { code, reason, content_type: contentType, body, body_length: bodyLength };
    await tx.each(insertRefusals, [{ ...whole, ...kept }]);
    await tx.run(removeOlder, { actor: whole.actor });
  },
};

const selectSender = statement((db, args: { id: number }) =>
  db.selectFrom('intake_refusals').select(['at', 'actor', 'principal', 'address', 'route']).where('id', '=', args.id),
);

async function holderOf(tx: ReadTx, by: RefusedIntake['by']): Promise<Principal | undefined> {
  return 'tokenHash' in by ? findHolderEver(tx, by.tokenHash) : by;
}

function rowOf({ refusal, principal }: { readonly refusal: RefusedIntake; readonly principal: Principal }) {
  const { at, address, route, code, reason, contentType, body, bodyLength } = refusal;
  return {
    at,
    actor: callerOf(principal).actor,
    principal: JSON.stringify(principal),
    address,
    route,
    code,
    reason,
    content_type: contentType,
    body,
    body_length: bodyLength,
  };
}

const pathPrefix = 'intake-refused/';

/** Raises the alarm about a caller, or tells the one that is raised of the newest refusal. */
async function announce(
  tx: Tx,
  now: Instant,
  actor: string,
  { route, code, reason, address }: RefusedIntake,
  { name, stationIds }: Principal,
): Promise<void> {
  await raiseSystemAlarm(tx, now, {
    path: `${pathPrefix}${actor}`,
    stationId: stationIds[0] ?? defaultStationId,
    priority: 2,
    message: { code: 'intake-refused', parameters: { actor, name, route, reason, code, address } },
  });
}

/** Ends the alarm about a caller of whom an alarm has been taken. */
export const endRefusalAlarm: Operation<{ readonly actor: string }, void> = {
  name: 'end-refusal-alarm',
  run: (tx, now, { actor }) => end(tx, now, actor),
};

/** Raised when one refused request could not be kept although others could; the list of refusals lacks it. */
export const reportRefusalNotKept: Operation<
  { readonly caller: string; readonly route: string; readonly code: string },
  void
> = {
  name: 'report-refusal-not-kept',
  run: (tx, now, { caller, route, code }) =>
    raiseSystemAlarm(tx, now, {
      path: 'refusal-not-kept',
      priority: 2,
      message: { code: 'refusal-not-kept', parameters: { lines: [{ caller, route, code }], hasMore: false } },
      isGrowing: true,
    }),
};

export const refusalOperations = [keepRefusals, endRetry, endRefusalAlarm, reportRefusalNotKept] as const;

async function end(tx: Tx, now: Instant, actor: string): Promise<void> {
  const open = (await tx.all(selectOpen, {})).filter(({ path }) => actorIn(path) === actor);
  for (const { station_id } of open)
    await endSystemAlarm(tx, now, `${pathPrefix}${actor}`, station_id, 'as-policy-says');
}

/** An alarm about a caller of whom none can be taken any more ends this long after the last request. */
const quietMs = 3_600_000;

type RefusedCaller = {
  readonly actor: string;
  /** It can send no alarm any more, because its key was revoked or has expired, and has stopped trying. */
  readonly isOver: boolean;
};

/** Lists the callers whose alarms are being refused, by the alarms that say so. */
export const listRefusedCallers: Query<{ readonly now: Instant }, readonly RefusedCaller[]> = {
  name: 'list-refused-callers',
  isQuick: true,
  async run(tx, { now }) {
    const callers: RefusedCaller[] = [];
    for (const { path } of await tx.all(selectOpen, {})) {
      const actor = actorIn(path);
      const newest = await tx.one(selectNewest, { actor });
      const isQuiet = newest === undefined || newest.at <= now - quietMs;
      callers.push({ actor, isOver: isQuiet && (newest?.code === deadCode || !(await isThere(tx, actor))) });
    }
    return callers;
  },
};

/** The code of a request whose token is not valid. */
const deadCode: ErrorCode = 'not-signed-in';

async function isThere(tx: ReadTx, actor: string): Promise<boolean> {
  const [kind, id] = actor.split(':');
  return (await findRightsNow(tx, { kind: kind === 'key' ? 'key' : 'user', id: Number(id) })) !== undefined;
}

const selectNewest = statement((db, args: { actor: string }) =>
  db
    .selectFrom('intake_refusals')
    .select(['at', 'code'])
    .where('actor', '=', args.actor)
    .orderBy('id', 'desc')
    .limit(1),
);

function actorIn(path: string): string {
  return path.slice(`system/${pathPrefix}`.length);
}

const selectOpen = sqlStatement<Record<string, never>, { path: string; station_id: number }>(
  () => sql`select alarms.path, alarms.station_id from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path like ${sql.lit(`system/${pathPrefix}%`)} and alarms.state in (1, 3)`,
);

const insertRefusals = insertRows('intake_refusals', {
  at: 'int',
  actor: 'text',
  principal: 'text',
  address: 'text',
  route: 'text',
  code: 'text',
  reason: 'text',
  content_type: 'text',
  body: 'text',
  body_length: 'int',
});

const removeOlder = sqlStatement<{ actor: string }>(
  (args) => sql`delete from ${target('intake_refusals')} where actor = ${args.actor} and id <= (
    select id from ${table('intake_refusals')} where actor = ${args.actor}
    order by id desc limit 1 offset ${sql.lit(maxKeptPerCaller)})`,
);
