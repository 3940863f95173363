// Purges old events, ended script runs, refused intakes, expired sessions, old codes, inbound messages and what sign-ins left
// behind in small steps.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation } from '../../store/store.ts';
import { forgetSignIns } from '../access/sign-in-guesses.ts';
import { idempotencyTtlMs } from '../alarms/intake/idempotency.ts';
import { forgetInbound } from '../calls/inbound/inbound-rows.ts';
import { keptMs } from '../intake/refusals.ts';
import { forgetCodes } from '../people/users/verification.ts';

/** Few enough not to delay an alarm; the caller repeats the operation until nothing is left. */
const rowsPerStep = 500;

type Purge = {
  /** What had expired by then is removed; the clock may be later, see domain/purge-pace.ts. */
  readonly asOf: Instant;
  readonly eventsBefore: Instant;
};

/** Returns whether there may be more to remove. */
export const purgeExpired: Operation<Purge, boolean> = {
  name: 'purge-expired',
  async run(tx, now, { asOf, eventsBefore }) {
    const events = await tx.run(removeOldEvents, { before: eventsBefore });
    const descriptions = await tx.run(removeOldDescriptions, { before: eventsBefore });
    const sessions = await tx.run(removeExpiredSessions, { asOf });
    const keys = await tx.run(removeOldKeys, { before: asOf - idempotencyTtlMs });
    const runs = await tx.run(removeOldRuns, { before: eventsBefore });
    await forgetSignIns(tx, now, asOf);
    await forgetCodes(tx, now);
    const revoked = await tx.run(removeExpiredRevocations, { asOf });
    const refusals = await tx.run(removeOldRefusals, { before: asOf - keptMs });
    const inbound = await forgetInbound(tx, asOf);
    return [events, descriptions, sessions, keys, runs, revoked, refusals, inbound].includes(rowsPerStep);
  },
};

/** Reads only the oldest events, never the whole log. The newest always stays, because it holds the last position. */
const removeOldEvents = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('events')} where position in (
    select position from (
      select position, at from ${table('events')} where position is not null order by position limit ${sql.lit(rowsPerStep)}
    ) as oldest where at < ${args.before} and position < (select max(position) from ${table('events')}))`,
);

/** What no alarm is called any more, and no event that is kept shows. */
const removeOldDescriptions = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('alarm_descriptions')} where id in (
    select id from ${table('alarm_descriptions')} where ended_at < ${args.before} order by ended_at limit ${sql.lit(rowsPerStep)})`,
);

const removeExpiredSessions = sqlStatement<{ asOf: number }>(
  (args) => sql`delete from ${target('sessions')} where id in (
    select id from ${table('sessions')} where expires_at < ${args.asOf} order by expires_at limit ${sql.lit(rowsPerStep)})`,
);

const removeExpiredRevocations = sqlStatement<{ asOf: number }>(
  (args) => sql`delete from ${target('revoked_keys')} where token_hash in (
    select token_hash from ${table('revoked_keys')} where expires_at < ${args.asOf} limit ${sql.lit(rowsPerStep)})`,
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
