// The rows that decisions on many alarms are made on, kept between them: of a row that was read before, only its mark is read, which
// changes with every change that a decision depends on.

import type { Attempt } from '../../../../domain/escalation/escalation.ts';
import { KnownCalling } from '../../../../domain/escalation/related/known-calling.ts';
import type { Instant, ReadTx } from '../../../../store/store.ts';
import type { Around } from '../read-around.ts';
import { causesOf, firstRoundSince, rememberedSince } from '../read-calling.ts';
import { type AttemptRow, attemptOf, selectAttemptsAmong } from '../rows/attempt-rows.ts';
import { earlierIn } from '../rows/earlier-attempts.ts';
import { type EscalationRow, escalationOf, selectEscalationsOfCauses } from '../rows/escalation-rows.ts';
import { type Mark, selectAttemptMarksSince, selectOpenMarks, selectUnderWayMarks } from '../rows/marks.ts';

const mostAtOnce = 5_000;

/** `isAnnounced`: whether its mark says that the cause has changed. */
type Reading = { readonly around: Around; readonly isAnnounced: boolean };

export class KnownRows {
  readonly calling = new KnownCalling();
  readonly escalationRows = new Map<number, EscalationRow>();
  readonly attemptRows = new Map<number, AttemptRow>();
  /** Those under way. */
  underWay: readonly Attempt[] = [];
  readonly #marks = new Map<number, number>();
  /** By id of a cause: when the oldest of its present rounds began, and attempts before that which are still read. */
  readonly #rounds = new Map<number, number>();
  readonly #earlier = new Map<number, readonly number[]>();
  /** Causes that were read anew. */
  readonly #touched = new Set<number>();
  /** Causes that attempts under way are for, and that are not open. */
  #others: ReadonlySet<number> = new Set();
  readonly #attempts = new Map<number, { readonly mark: string; readonly attempt: Attempt }>();

  /** Reads what has changed; `again`: causes that are read whatever their marks are. */
  async refresh(tx: ReadTx, now: Instant, around: Around, again: ReadonlySet<number>): Promise<void> {
    const underWay = await tx.all(selectUnderWayMarks, {});
    await this.#readAttempts(tx, underWay, around);
    this.underWay = underWay.flatMap(({ id }) => this.#attempts.get(id)?.attempt ?? []);
    await this.#readCauses(tx, now, around, again);
    const firstRound = [...this.#rounds.values()].reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY);
    const ended = await tx.all(selectAttemptMarksSince, { since: rememberedSince(now, firstRound, around) });
    const known = new Set([...ended, ...underWay].map(({ id }) => id));
    await this.#readAttempts(tx, ended, around);
    await this.#readEarlier(tx, known, around);
    for (const id of this.#attempts.keys()) if (!known.has(id)) this.#forgetAttempt(id);
  }

  async #readAttempts(tx: ReadTx, marks: readonly Mark[], { time }: Around): Promise<void> {
    const changed = marks.filter(({ id, mark }) => this.#attempts.get(id)?.mark !== mark);
    const markOf = new Map(changed.map(({ id, mark }) => [id, mark]));
    for (const ids of inParts([...markOf.keys()])) {
      for (const row of await tx.all(selectAttemptsAmong, { ids: JSON.stringify(ids) })) {
        const attempt = attemptOf(row, time);
        this.attemptRows.set(row.id, row);
        this.#attempts.set(row.id, { mark: markOf.get(row.id) ?? '', attempt });
        this.calling.setAttempt(attempt);
      }
    }
  }

  /** Those from before the present rounds: once, and when their cause has changed, as it does when one is answered. */
  async #readEarlier(tx: ReadTx, known: Set<number>, around: Around): Promise<void> {
    const unread: Mark[] = [];
    for (const [causeId, ids] of this.#earlier) {
      for (const id of ids) {
        if (known.has(id)) continue;
        known.add(id);
        if (this.#touched.has(causeId) || !this.#attempts.has(id))
          unread.push({ id, mark: `${around.decisionTime.engine}` });
      }
    }
    await this.#readAttempts(tx, unread, around);
    this.#touched.clear();
  }

  #forgetAttempt(id: number): void {
    this.#attempts.delete(id);
    this.attemptRows.delete(id);
    this.calling.removeAttempt(id);
  }

  /** Those of the open causes, and of those that attempts under way are for. */
  async #readCauses(tx: ReadTx, now: Instant, around: Around, again: ReadonlySet<number>): Promise<void> {
    const marks = await tx.all(selectOpenMarks, { now });
    const open = new Set<number>();
    const changed = new Set<number>();
    const seen = new Set<number>();
    for (const { id, cause_id, mark } of marks) {
      const causeId = cause_id ?? id;
      open.add(causeId);
      seen.add(id);
      if (this.#marks.get(id) !== mark) changed.add(causeId);
      this.#marks.set(id, mark);
    }
    for (const id of this.#marks.keys()) {
      if (seen.has(id)) continue;
      this.#marks.delete(id);
      changed.add(this.escalationRows.get(id)?.cause_id ?? id);
    }
    const underWay = this.underWay.flatMap(({ tries }) => tries.map(({ causeId }) => causeId));
    const others = new Set(underWay.filter((id) => !open.has(id)));
    for (const id of [...this.#others, ...others]) changed.add(id);
    this.#others = others;
    const isDue = ({ retry_at, ended_at }: EscalationRow): boolean =>
      retry_at === null || retry_at <= now || ended_at !== null;
    for (const causeIds of inParts([...changed.union(again)])) {
      const found = await tx.all(selectEscalationsOfCauses, { causeIds: JSON.stringify(causeIds) });
      const isRead = (causeId: number): boolean => open.has(causeId) || others.has(causeId);
      const rows = Map.groupBy(found.filter(isDue), (row) => row.cause_id ?? row.id);
      for (const causeId of causeIds) {
        const found = isRead(causeId) ? (rows.get(causeId) ?? []) : [];
        this.#setCause(causeId, found, { around, isAnnounced: changed.has(causeId) });
      }
    }
  }

  #setCause(causeId: number, rows: readonly EscalationRow[], { around: { time }, isAnnounced }: Reading): void {
    this.#touched.add(causeId);
    for (const { id } of this.calling.find(causeId)?.escalations ?? []) this.escalationRows.delete(id);
    for (const row of rows) this.escalationRows.set(row.id, row);
    const counting = rows.filter(({ ended_at, state }) => ended_at === null && state !== 'done');
    const earlier = counting.flatMap(earlierIn);
    if (earlier.length > 0) this.#earlier.set(causeId, earlier);
    else this.#earlier.delete(causeId);
    this.#rounds.set(causeId, firstRoundSince(counting));
    const [cause] = causesOf(rows);
    const escalations = rows.map((row) => escalationOf(row, time));
    if (cause !== undefined) this.calling.setCause({ cause, escalations }, isAnnounced);
    else {
      this.#rounds.delete(causeId);
      this.calling.removeCause(causeId);
    }
  }
}

function inParts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / mostAtOnce) }, (_, part) =>
    all.slice(part * mostAtOnce, (part + 1) * mostAtOnce),
  );
}
