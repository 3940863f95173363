// The rows that decisions on many alarms are made on, kept between them: of a row that was read before, only its mark is read, which
// changes with every change that a decision depends on.

import type { Attempt } from '../../../domain/escalation/escalation.ts';
import { KnownCalling } from '../../../domain/escalation/known-calling.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import type { Around } from './read-around.ts';
import { causesOf, rememberedSince } from './read-calling.ts';
import { type AttemptRow, attemptOf, selectAttemptsAmong } from './rows/attempt-rows.ts';
import { earlierIn } from './rows/earlier-attempts.ts';
import {
  type EscalationRow,
  escalationOf,
  selectEscalations,
  selectEscalationsOfCauses,
} from './rows/escalation-rows.ts';
import {
  type Mark,
  selectAttemptMarks,
  selectAttemptMarksSince,
  selectOpenMarks,
  selectUnderWayMarks,
} from './rows/marks.ts';

const mostAtOnce = 5_000;

export class KnownRows {
  readonly calling = new KnownCalling();
  readonly escalationRows = new Map<number, EscalationRow>();
  readonly attemptRows = new Map<number, AttemptRow>();
  /** Those under way. */
  underWay: readonly Attempt[] = [];
  readonly #ofCauses = new Map<number, Set<number>>();
  readonly #marks = new Map<number, string>();
  readonly #attempts = new Map<number, { readonly mark: string; readonly attempt: Attempt }>();

  /** Reads what has changed; `again`: causes that are read whatever their marks are. */
  async refresh(tx: ReadTx, now: Instant, around: Around, again: ReadonlySet<number>): Promise<void> {
    const underWay = await tx.all(selectUnderWayMarks, {});
    await this.#readAttempts(tx, underWay, around);
    this.underWay = underWay.flatMap(({ id }) => this.#attempts.get(id)?.attempt ?? []);
    await this.#readCauses(tx, now, around, again);
    const rows = [...this.escalationRows.values()].filter(
      ({ ended_at, state }) => ended_at === null && state !== 'done',
    );
    const ended = await tx.all(selectAttemptMarksSince, { since: rememberedSince(now, rows, around) });
    const known = new Set([...ended, ...underWay].map(({ id }) => id));
    const ids = [...new Set(rows.flatMap(earlierIn))].filter((id) => !known.has(id));
    const earlier = ids.length === 0 ? [] : await tx.all(selectAttemptMarks, { ids: JSON.stringify(ids) });
    await this.#readAttempts(tx, [...ended, ...earlier], around);
    for (const { id } of earlier) known.add(id);
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

  #forgetAttempt(id: number): void {
    this.#attempts.delete(id);
    this.attemptRows.delete(id);
    this.calling.removeAttempt(id);
  }

  /** Those of the open causes, and of those that attempts under way are for. */
  async #readCauses(tx: ReadTx, now: Instant, around: Around, again: ReadonlySet<number>): Promise<void> {
    const marks = new Map((await tx.all(selectOpenMarks, { now })).map(({ id, mark }) => [id, mark]));
    const isChanged = (id: number): boolean => {
      const causeId = this.escalationRows.get(id)?.cause_id ?? id;
      return this.#marks.get(id) !== marks.get(id) || again.has(causeId);
    };
    const changed: EscalationRow[] = [];
    for (const ids of inParts([...marks.keys()].filter(isChanged)))
      changed.push(...(await tx.all(selectEscalations, { ids: JSON.stringify(ids) })));
    const gone = [...this.escalationRows.keys()].filter((id) => !marks.has(id));
    const touched = new Set([
      ...gone.map((id) => this.#forgetRow(id)),
      ...changed.map((row) => this.#keepRow(row, marks)),
    ]);
    const others = this.#causesUnderWay();
    if (others.length > 0) {
      const rows = await tx.all(selectEscalationsOfCauses, { causeIds: JSON.stringify(others) });
      const isDue = ({ retry_at, ended_at }: EscalationRow): boolean =>
        retry_at === null || retry_at <= now || ended_at !== null;
      for (const row of rows.filter(isDue)) touched.add(this.#keepRow(row, marks));
    }
    for (const causeId of touched) this.#setCause(causeId, around);
  }

  /** The causes of attempts under way that are not known, because they have ended. */
  #causesUnderWay(): readonly number[] {
    const ids = new Set(this.underWay.flatMap(({ tries }) => tries.map(({ causeId }) => causeId)));
    return [...ids].filter((id) => !this.#ofCauses.has(id));
  }

  #keepRow(row: EscalationRow, marks: ReadonlyMap<number, string>): number {
    const causeId = row.cause_id ?? row.id;
    this.escalationRows.set(row.id, row);
    const mark = marks.get(row.id);
    if (mark === undefined) this.#marks.delete(row.id);
    else this.#marks.set(row.id, mark);
    const ids = this.#ofCauses.get(causeId);
    if (ids === undefined) this.#ofCauses.set(causeId, new Set([row.id]));
    else ids.add(row.id);
    return causeId;
  }

  #forgetRow(id: number): number {
    const causeId = this.escalationRows.get(id)?.cause_id ?? id;
    this.escalationRows.delete(id);
    this.#marks.delete(id);
    const ids = this.#ofCauses.get(causeId);
    ids?.delete(id);
    if (ids?.size === 0) this.#ofCauses.delete(causeId);
    return causeId;
  }

  #setCause(causeId: number, { time }: Around): void {
    const ids = [...(this.#ofCauses.get(causeId) ?? [])].sort((one, other) => one - other);
    const rows = ids.flatMap((id) => this.escalationRows.get(id) ?? []);
    const [cause] = causesOf(rows);
    if (cause === undefined) this.calling.removeCause(causeId);
    else this.calling.setCause({ cause, escalations: rows.map((row) => escalationOf(row, time)) });
  }
}

function inParts<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / mostAtOnce) }, (_, part) =>
    all.slice(part * mostAtOnce, (part + 1) * mostAtOnce),
  );
}
