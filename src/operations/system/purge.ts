// Purges old events, ended script runs, refused intakes, expired sessions, old codes, inbound messages and what sign-ins left behind in small steps, and warns of API keys about to expire.

import { sql } from 'kysely';
import { systemCaller } from '../../domain/access/access.ts';
import { dueWarning } from '../../domain/access/key-expiry.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { appendEvent } from '../../store/event-log.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation } from '../../store/store.ts';
import { forgetSignIns } from '../access/sign-in-guesses.ts';
import { idempotencyTtlMs } from '../alarms/intake/idempotency.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { forgetInbound } from '../calls/inbound/inbound-rows.ts';
import { keptMs } from '../intake/refusals.ts';
import { forgetCodes } from '../people/users/verification.ts';

/** Few enough not to delay an alarm; the caller repeats the operation until nothing is left. */
const rowsPerStep = 500;

type Purge = { readonly eventsBefore: Instant };
type Purged = { readonly removed: number; readonly hasMore: boolean };

export const purgeExpired: Operation<Purge, Purged> = {
  name: 'purge-expired',
  async run(tx, now, { eventsBefore }) {
    const events = await tx.run(removeOldEvents, { before: eventsBefore });
    const sessions = await tx.run(removeExpiredSessions, { now });
    const keys = await tx.run(removeOldKeys, { before: now - idempotencyTtlMs });
    const runs = await tx.run(removeOldRuns, { before: eventsBefore });
    await forgetSignIns(tx, now);
    await forgetCodes(tx, now);
    for (const key of await tx.all(selectKeysToWatch, { before: now + 31 * 86_400_000 })) {
      const days = dueWarning(key.expires_at, key.warned_days ?? undefined, now);
      if (days === undefined) continue;
      await tx.run(updateWarned, { id: key.id, days });
      await appendEvent(tx, now, {
        kind: 'key.expiring',
        actor: systemCaller.actor,
        subjectId: key.id,
        data: { name: key.name, days },
      });
      await raiseSystemAlarm(tx, now, {
        path: `key-expiring/${key.id}`,
        stationId: key.station_id ?? defaultStationId,
        isRepeated: true,
        priority: days <= 1 ? 1 : 2,
        message: `The API key ${key.id}, "${key.name}", ends in ${days === 1 ? 'a day' : `${days} days`}: whoever uses it needs a new one.`,
      });
    }
    const revoked = await tx.run(removeExpiredRevocations, { now });
    const refusals = await tx.run(removeOldRefusals, { before: now - keptMs });
    const inbound = await forgetInbound(tx, now);
    const counts = [events, sessions, keys, runs, revoked, refusals, inbound];
    return { removed: counts.reduce((sum, count) => sum + count), hasMore: counts.includes(rowsPerStep) };
  },
};

/** Reads only the oldest events, never the whole log. The newest always stays, because it holds the last position. */
const removeOldEvents = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('events')} where position in (
    select position from (
      select position, at from ${table('events')} where position is not null order by position limit ${sql.lit(rowsPerStep)}
    ) as oldest where at < ${args.before} and position < (select max(position) from ${table('events')}))`,
);

const removeExpiredSessions = sqlStatement<{ now: number }>(
  (args) => sql`delete from ${target('sessions')} where id in (
    select id from ${table('sessions')} where expires_at < ${args.now} order by id limit ${sql.lit(rowsPerStep)})`,
);

const removeExpiredRevocations = sqlStatement<{ now: number }>(
  (args) => sql`delete from ${target('revoked_keys')} where token_hash in (
    select token_hash from ${table('revoked_keys')} where expires_at < ${args.now} limit ${sql.lit(rowsPerStep)})`,
);

const removeOldKeys = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('idempotency_keys')} where (actor, key) in (
    select actor, key from ${table('idempotency_keys')} where created_at < ${args.before} limit ${sql.lit(rowsPerStep)})`,
);

const removeOldRefusals = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('intake_refusals')} where id in (
    select id from ${table('intake_refusals')} where at < ${args.before} order by at limit ${sql.lit(rowsPerStep)})`,
);

/** The outcome of a script run stays in the event log for as long as that is kept. */
const removeOldRuns = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('command_runs')} where id in (
    select id from ${table('command_runs')} where ended_at < ${args.before} order by ended_at limit ${sql.lit(rowsPerStep)})`,
);

const selectKeysToWatch = statement((db, args: { before: number }) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'expires_at', 'warned_days'])
    // The first station of a key that is bound to stations: a key is named only where it works.
    .select((eb) =>
      eb
        .selectFrom('api_key_stations')
        .select((inner) => inner.fn.min('station_id').as('station_id'))
        .whereRef('api_key_id', '=', 'api_keys.id')
        .as('station_id'),
    )
    .where('expires_at', '<', args.before),
);

const updateWarned = statement<{ id: number; days: number }>((db, args) =>
  db.updateTable('api_keys').set({ warned_days: args.days }).where('id', '=', args.id),
);
