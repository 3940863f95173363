// A request that may be sent again: the first answer is kept with what was asked, in the transaction of the change.

import { sql } from 'kysely';
import { AppError } from '../../errors.ts';
import { insertRows } from '../../store/row-batch.ts';
import { sqlStatement } from '../../store/statement.ts';
import type { Instant, Job, ReadTx, Tx } from '../../store/store.ts';

export type IdempotencyKey = { readonly key: string; readonly bodyHash: string };

/** For each item of a list: what was asked, and its place. No header holds a line break, so nobody else has such a key. */
export function keyOfItem({ key, bodyHash }: IdempotencyKey, index: number): IdempotencyKey {
  return { key: `${key}\n${index}`, bodyHash };
}

function isItem(key: string): boolean {
  return key.includes('\n');
}

/** The key of the first item of the same list. */
function firstKey(key: string): string {
  return `${key.slice(0, key.indexOf('\n'))}\n0`;
}

/** How long the same key gets the same answer. */
export const rememberedMs = 86_400_000;

type Asked = { readonly caller: { readonly actor: string }; readonly once?: IdempotencyKey | undefined };
type Answer = { readonly bodyHash: string; readonly answer: number; readonly warnings: readonly string[] };

/** What the requests of these jobs were answered before, as far as they were. */
export async function readIdempotencyRecords(tx: ReadTx, jobs: readonly Job<Asked>[]): Promise<IdempotencyRecords> {
  const keys = jobs.flatMap(({ input: { caller, once } }) =>
    once === undefined ? [] : [[caller.actor, once.key] as const],
  );
  // A long list is taken in several sets: what this one begins with may not be the first of its list.
  const [begin] = keys;
  if (begin !== undefined && isItem(begin[1])) keys.push([begin[0], firstKey(begin[1])]);
  const rows = keys.length === 0 ? [] : await tx.all(selectKeys, { keys: JSON.stringify(keys) });
  return new IdempotencyRecords(
    new Map(
      rows.map(({ actor, key, body_hash, answer, warnings }) => [
        nameOf(actor, key),
        { bodyHash: body_hash, answer, warnings: warnings === '' ? [] : JSON.parse(warnings) },
      ]),
    ),
  );
}

/** Answers by who asked and with which key; those given meanwhile count at once. */
export class IdempotencyRecords {
  readonly #answers: Map<string, Answer>;
  readonly #given: NonNullable<(typeof insertAnswers)['row']>[] = [];

  constructor(answers: Map<string, Answer>) {
    this.#answers = answers;
  }

  has(actor: string, once: IdempotencyKey | undefined): boolean {
    return once !== undefined && this.#answers.has(nameOf(actor, once.key));
  }

  /** Refuses a key that came with another body. */
  find(actor: string, once: IdempotencyKey | undefined): Answer | undefined {
    if (once === undefined) return undefined;
    const earlier = this.#answers.get(nameOf(actor, once.key));
    const ofRequest = earlier ?? (isItem(once.key) ? this.#answers.get(nameOf(actor, firstKey(once.key))) : undefined);
    if (ofRequest !== undefined && isAnother(ofRequest.bodyHash, once.bodyHash)) {
      throw new AppError(
        'unprocessable',
        'This Idempotency-Key was used for another body: use a new key for a new request.',
      );
    }
    return earlier;
  }

  keep(
    now: Instant,
    actor: string,
    once: IdempotencyKey | undefined,
    given: Pick<Answer, 'answer' | 'warnings'>,
  ): void {
    if (once === undefined) return;
    const { key, bodyHash } = once;
    this.#answers.set(nameOf(actor, key), { bodyHash, ...given });
    const warnings = given.warnings.length === 0 ? '' : JSON.stringify(given.warnings);
    this.#given.push({ actor, key, body_hash: bodyHash, answer: given.answer, warnings, created_at: now });
  }

  async write(tx: Tx): Promise<void> {
    await tx.each(insertAnswers, this.#given);
  }
}

/** In hexadecimal digits: what earlier versions kept, which cannot be compared with the hashes of today. */
const lengthOfSha256 = 64;

function isAnother(earlier: string, hash: string): boolean {
  return earlier.length !== lengthOfSha256 && earlier !== hash;
}

function nameOf(actor: string, key: string): string {
  return `${actor} ${key}`;
}

const insertAnswers = insertRows('idempotency_keys', {
  actor: 'text',
  key: 'text',
  body_hash: 'text',
  answer: 'int',
  warnings: 'text',
  created_at: 'int',
});

type Kept = { actor: string; key: string; body_hash: string; answer: number; warnings: string };

const selectKeys = sqlStatement<{ keys: string }, Kept>((args, kind) => {
  const asked =
    kind === 'sqlite'
      ? sql`(select value ->> 0 as actor, value ->> 1 as key from json_each(${args.keys})) as asked`
      : sql`(select value ->> 0 as actor, value ->> 1 as key from json_array_elements(${args.keys}::json)) as asked`;
  return sql`select kept.actor, kept.key, body_hash, answer, warnings from ${asked}
    join idempotency_keys as kept on kept.actor = asked.actor and kept.key = asked.key`;
});
