// Idempotency keys: the outcome of a request is stored with its key and body hash, in the transaction of the change.

import { sql } from 'kysely';
import { AppError } from '../../../errors.ts';
import { insertRows } from '../../../store/row-batch.ts';
import { sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Job, ReadTx, Tx } from '../../../store/store.ts';

export type IdempotencyKey = { readonly key: string; readonly bodyHash: string };

/**
 * Derives a key for each item of a list from the key of the request and the index. A header cannot contain a line
 * break, so no client can send such a key.
 */
export function keyOfItem({ key, bodyHash }: IdempotencyKey, index: number): IdempotencyKey {
  return { key: `${key}\n${index}`, bodyHash };
}

/** Derives the key of a request whose key was used with another body before. */
function keyOfBody({ key, bodyHash }: IdempotencyKey): string {
  return `${key}\r${bodyHash}`;
}

function isItem(key: string): boolean {
  return key.includes('\n');
}

/** Returns the key of the first item of the same list. */
function firstKey(key: string): string {
  return `${key.slice(0, key.indexOf('\n'))}\n0`;
}

/** The warning of an intake that takes a request although its key was used before. */
export const otherBodyWarning =
  'Idempotency-Key: was used for another body within 24 hours, so this was taken as another request';

/** The refusal of the same where no such request is taken. */
export function otherBodyError(): AppError {
  return new AppError(
    'unprocessable',
    'This Idempotency-Key was used for another body: use a new key for a new request.',
  );
}

/** How long a key returns the recorded outcome. */
export const idempotencyTtlMs = 86_400_000;

type KeyedRequest = { readonly caller: { readonly actor: string }; readonly once?: IdempotencyKey | undefined };
type IdempotencyRecord = { readonly bodyHash: string; readonly alarmId: number; readonly warnings: readonly string[] };

/** Reads the recorded outcomes of these requests, as far as there are any. */
export async function readIdempotencyRecords(
  tx: ReadTx,
  jobs: readonly Job<KeyedRequest>[],
): Promise<IdempotencyRecords> {
  const keys = jobs.flatMap(({ input: { caller, once } }) =>
    once === undefined ? [] : [[caller.actor, once.key] as const, [caller.actor, keyOfBody(once)] as const],
  );
  // A long list is processed in several sets: the first key of this one may not be the first of its list.
  const [begin] = keys;
  if (begin !== undefined && isItem(begin[1])) keys.push([begin[0], firstKey(begin[1])]);
  const rows = keys.length === 0 ? [] : await tx.all(selectKeys, { keys: JSON.stringify(keys) });
  return new IdempotencyRecords(
    new Map(
      rows.map(({ actor, key, body_hash, answer, warnings }) => [
        recordKey(actor, key),
        { bodyHash: body_hash, alarmId: answer, warnings: warnings === '' ? [] : JSON.parse(warnings) },
      ]),
    ),
  );
}

/** Recorded outcomes by actor and key; outcomes added in this set are found at once. */
export class IdempotencyRecords {
  readonly #records: Map<string, IdempotencyRecord>;
  readonly #added: NonNullable<(typeof insertRecords)['row']>[] = [];

  constructor(records: Map<string, IdempotencyRecord>) {
    this.#records = records;
  }

  has(actor: string, once: IdempotencyKey | undefined): boolean {
    return this.find(actor, once) !== undefined;
  }

  /** Returns the recorded outcome of this key and body. */
  find(actor: string, once: IdempotencyKey | undefined): IdempotencyRecord | undefined {
    return once && this.#records.get(recordKey(actor, this.#keyOf(actor, once)));
  }

  /** Whether the key was used with another body; the request is then another one, because no alarm is refused over a key. */
  isOtherBody(actor: string, once: IdempotencyKey | undefined): boolean {
    if (once === undefined) return false;
    const earlier =
      this.#records.get(recordKey(actor, once.key)) ??
      (isItem(once.key) ? this.#records.get(recordKey(actor, firstKey(once.key))) : undefined);
    return earlier !== undefined && isDifferentBody(earlier.bodyHash, once.bodyHash);
  }

  /** Returns the key under which the outcome of a request is recorded. */
  #keyOf(actor: string, once: IdempotencyKey): string {
    return this.isOtherBody(actor, once) ? keyOfBody(once) : once.key;
  }

  add(
    now: Instant,
    actor: string,
    once: IdempotencyKey | undefined,
    outcome: Pick<IdempotencyRecord, 'alarmId' | 'warnings'>,
  ): void {
    if (once === undefined) return;
    const { bodyHash } = once;
    const key = this.#keyOf(actor, once);
    this.#records.set(recordKey(actor, key), { bodyHash, ...outcome });
    const warnings = outcome.warnings.length === 0 ? '' : JSON.stringify(outcome.warnings);
    this.#added.push({ actor, key, body_hash: bodyHash, answer: outcome.alarmId, warnings, created_at: now });
  }

  async write(tx: Tx): Promise<void> {
    await tx.each(insertRecords, this.#added);
  }
}

/** Earlier versions stored SHA-256 hashes, in hexadecimal digits; they cannot be compared with today's hashes. */
const lengthOfSha256 = 64;

function isDifferentBody(earlier: string, hash: string): boolean {
  return earlier.length !== lengthOfSha256 && earlier !== hash;
}

function recordKey(actor: string, key: string): string {
  return `${actor} ${key}`;
}

const insertRecords = insertRows('idempotency_keys', {
  actor: 'text',
  key: 'text',
  body_hash: 'text',
  answer: 'int',
  warnings: 'text',
  created_at: 'int',
});

type KeyRow = { actor: string; key: string; body_hash: string; answer: number; warnings: string };

const selectKeys = sqlStatement<{ keys: string }, KeyRow>((args, kind) => {
  const asked =
    kind === 'sqlite'
      ? sql`(select value ->> 0 as actor, value ->> 1 as key from json_each(${args.keys})) as asked`
      : sql`(select value ->> 0 as actor, value ->> 1 as key from json_array_elements(${args.keys}::json)) as asked`;
  return sql`select kept.actor, kept.key, body_hash, answer, warnings from ${asked}
    join ${table('idempotency_keys')} as kept on kept.actor = asked.actor and kept.key = asked.key`;
});
