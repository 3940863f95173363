// The causes that attempts have announced, stored with each attempt, and those that an attempt would announce now.

import {
  type Announced,
  announcedByBoth,
  announcedItem,
  type OpenAnnounced,
  openAnnounced,
} from '../../domain/calls/announced.ts';
import type { TryFor } from '../../domain/escalation/escalation.ts';
import { isOneOfIds, statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { triesOf } from './engine/rows/attempt-rows.ts';

/** A cause that people are called for. */
export type OpenCause = NonNullable<(typeof selectOpenCauses)['types']>['row'] & { readonly isUntaken?: boolean };

/** The open causes among some, the most urgent first. */
export type OpenCausesOf = {
  /** As many as a message names at most. */
  readonly causes: readonly OpenCause[];
  /** The ids of all of them. */
  readonly ids: readonly number[];
  /** By id of a station: how many of all are there. */
  readonly stations: ReadonlyMap<number, number>;
};

export const noOpenCauses: OpenCausesOf = { causes: [], ids: [], stations: new Map() };

/** One row for each cause: the first of its escalations. */
const selectOpenCauses = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'kind', 'list', 'alarm_id', 'history_id', 'message_id', 'station_id', 'priority', 'is_transitory'])
    .select(['target_kind', 'text', 'short_text'])
    .where(isOneOfIds('id', args.ids, kind))
    .where('ended_at', 'is', null)
    .orderBy('priority')
    .orderBy('id'),
);

/** Returns those of the causes that are open; `limit` is how many a message names at most. */
export async function openAmong(
  tx: ReadTx,
  causeIds: readonly number[],
  limit: number,
  untaken: ReadonlySet<number> = new Set(),
): Promise<OpenCausesOf> {
  if (causeIds.length === 0) return noOpenCauses;
  const causes = await tx.all(selectOpenCauses, { ids: JSON.stringify([...new Set(causeIds)]) });
  return openOf(
    causes.map((cause) => (untaken.has(cause.id) ? { ...cause, isUntaken: true } : cause)),
    limit,
  );
}

/** Returns the ids of the causes of which the last resort is told by these tries, because nobody else has taken them. */
export async function untakenAmong(tx: ReadTx, tries: readonly TryFor[]): Promise<ReadonlySet<number>> {
  if (tries.length === 0) return new Set();
  const ids = JSON.stringify([...new Set(tries.map(({ escalationId }) => escalationId))]);
  return new Set((await tx.all(selectLastResorts, { ids })).map(({ cause_id }) => cause_id ?? 0));
}

/** Those that were opened because nobody took the alarm; an alarm of Tocsin's own calls the last resort from the first. */
const selectLastResorts = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select('cause_id')
    .where(isOneOfIds('id', args.ids, kind))
    .where('target_kind', '=', 'last-resort')
    .whereRef('id', '<>', 'cause_id'),
);

function openOf(causes: readonly OpenCause[], limit: number): OpenCausesOf {
  const byStation = Map.groupBy(causes, ({ station_id }) => station_id);
  return {
    causes: causes.slice(0, limit),
    ids: causes.map(({ id }) => id),
    stations: new Map([...byStation].map(([id, of]) => [id, of.length])),
  };
}

/** Returns by id of each attempt what it is for and is still open. */
export async function openForAttempts(
  tx: ReadTx,
  attempts: readonly { readonly id: number; readonly tries: string }[],
  limit: number,
): Promise<ReadonlyMap<number, OpenCausesOf>> {
  const tries = attempts.flatMap(triesOf);
  const causeIds = new Map(attempts.map((row) => [row.id, new Set(triesOf(row).map(({ causeId }) => causeId))]));
  const untaken = await untakenAmong(tx, tries);
  const all = await openAmong(
    tx,
    tries.map(({ causeId }) => causeId),
    Number.MAX_SAFE_INTEGER,
    untaken,
  );
  return new Map(
    [...causeIds].map(([id, own]) => {
      const causes = all.causes.filter((cause) => own.has(cause.id));
      return [id, openOf(causes, limit)];
    }),
  );
}

type AnnouncingAttempt = { readonly announced: string | null; readonly announced_causes: string | null };

/** The columns of what an attempt announces; `before` are those of an attempt that was started before. */
export function announcedColumns(
  { causes, ids }: Pick<OpenCausesOf, 'causes' | 'ids'>,
  before?: AnnouncingAttempt,
): AnnouncedColumns {
  const now: Announced = { items: causes.map(announcedItem), causes: ids };
  const isAgain = before !== undefined && before.announced !== null;
  const { items, causes: all } = isAgain ? announcedByBoth(announcedIn(before), now) : now;
  return { announced: JSON.stringify({ items }), announced_causes: JSON.stringify(all) };
}

type AnnouncedColumns = { readonly announced: string; readonly announced_causes: string };

export function announcedIn({ announced, announced_causes }: AnnouncingAttempt): Announced {
  const { items = [] } = announced === null ? {} : (JSON.parse(announced) as Partial<Announced>);
  return { items, causes: announced_causes === null ? [] : JSON.parse(announced_causes) };
}

/** Returns by attempt the causes it announced that are still open. */
export async function openAnnouncedOf<A extends AnnouncingAttempt>(
  tx: ReadTx,
  attempts: readonly A[],
): Promise<ReadonlyMap<A, OpenAnnounced<OpenCause>>> {
  const announced = attempts.map((attempt) => [attempt, announcedIn(attempt)] as const);
  const causeIds = announced.flatMap(([, { causes }]) => causes);
  const { causes } = await openAmong(tx, causeIds, Number.MAX_SAFE_INTEGER);
  return new Map(announced.map(([attempt, what]) => [attempt, openAnnounced(what, causes)]));
}

/**
 * Alarms stay open until somebody takes them, and causes of a group stay open for its other members; a drill is over for
 * all when one has confirmed it.
 */
export function endsWhenHeard({ kind, list, target_kind }: OpenCause): boolean {
  return list !== 'alarm' && (target_kind === 'user' || kind === 'test');
}
