// The inputs of decisions on calls besides the calls themselves: open causes, recent attempts, lines in use, and whose
// turn it is; loaded once per transaction and kept up to date while it decides.

import { attemptLines, linesOf, sharingLines } from '../../../domain/calls/busy-lines.ts';
import { type CallStep, type CallTarget, repeatedPriorities } from '../../../domain/calls/call.ts';
import { type CallContext, type OpenCauses, peopleInReach } from '../../../domain/calls/decision-context.ts';
import { tollsAfter } from '../../../domain/channels/toll-limits.ts';
import type { NewIds } from '../../../store/new-ids.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { type CallConfiguration, readCallConfiguration } from '../../configuration/call-configuration.ts';
import { readRecordClock } from '../../system/reference-time.ts';
import { selectRecentAttempts } from '../attempts.ts';
import { selectCallsSharing, selectLastInTurn, selectUrgency } from '../queries.ts';
import { heardAlready } from './heard-already.ts';
import { lockMs } from './locked-numbers.ts';
import { readTolls } from './toll-use.ts';

/** Upper bound on the duration of an attempt. */
const longestAttemptMs = 600_000;

/** The most urgent open cause of a call. */
export type FirstCause = {
  readonly priority: number;
  readonly kind: string | null;
  readonly alarm_id: number | null;
  readonly station_id: number | null;
};

const nobody: ReadonlySet<number> = new Set();

const noCauses: OpenCauses = {
  areAny: false,
  isAsking: false,
  mostUrgent: Number.MAX_SAFE_INTEGER,
  isUntilAcknowledged: false,
};

export class DecisionInputs {
  readonly #tx: Tx;
  readonly #now: Instant;
  readonly #ids: NewIds;
  #configuration: CallConfiguration | undefined;
  readonly #causes = new Map<number, OpenCauses>();
  readonly #firstCauses = new Map<number, FirstCause>();
  readonly #lastInTurn = new Map<number, number>();
  readonly changedTurns = new Map<number, number>();
  readonly #recentAttempts = new Map<number, readonly Instant[]>();
  readonly #lockedNumbers = new Set<number>();
  readonly #linesInUse = new Set<string>();
  #tolls: CallContext['tolls'];
  /** By person: the calls whose attempts use their line. */
  readonly #callsOnLine = new Map<number, readonly number[]>();
  /** By call: the other calls that read one of its alarms too. */
  readonly #sharing = new Map<number, ReadonlySet<number>>();
  /** By call to the last resort: the people who have heard the call it is about. */
  readonly #heardAlready = new Map<number, ReadonlySet<number>>();
  /** The people whose recent attempts are loaded. */
  readonly #knownPeople = new Set<number>();

  constructor(tx: Tx, now: Instant, ids: NewIds) {
    this.#tx = tx;
    this.#now = now;
    this.#ids = ids;
  }

  get configuration(): CallConfiguration {
    if (this.#configuration === undefined) throw new Error('The unit of work decides on calls before it loaded them.');
    return this.#configuration;
  }

  /** Loads the inputs of these calls. Their causes are read again if they were loaded before. */
  async load(calls: readonly { readonly id: number; readonly target: CallTarget }[]): Promise<void> {
    this.#configuration ??= await readCallConfiguration(this.#tx);
    if (calls.length === 0) return;
    await this.#loadCauses(calls.map(({ id }) => id));
    if (this.#knownPeople.size === 0) {
      await this.#loadTurns();
      this.#tolls = await readTolls(this.#tx, this.#now, this.#configuration);
    }
    await this.#loadAttempts(calls.map(({ target }) => target));
    await this.#loadSharing(calls.map(({ id }) => id));
    for (const { id, target } of calls)
      if (target.kind === 'last-resort') this.#heardAlready.set(id, await heardAlready(this.#tx, id));
  }

  async #loadCauses(callIds: readonly number[]): Promise<void> {
    const untilAcknowledged = JSON.stringify(repeatedPriorities(this.configuration.policy));
    const rows = await this.#tx.all(selectUrgency, { callIds: JSON.stringify(callIds), untilAcknowledged });
    for (const { priority, ...row } of rows) {
      const id = row.call_id;
      this.#causes.delete(id);
      this.#firstCauses.delete(id);
      if (priority === null) continue;
      this.#firstCauses.set(id, { ...row, priority });
      const isUntilAcknowledged = row.is_until_acknowledged === 1;
      this.#causes.set(id, { areAny: true, isAsking: row.is_asking === 1, mostUrgent: priority, isUntilAcknowledged });
    }
  }

  async #loadTurns(): Promise<void> {
    const { groups } = this.configuration.snapshot;
    const inTurn = [...groups.values()].filter(({ callMode }) => callMode === 'turn').map(({ id }) => id);
    if (inTurn.length === 0) return;
    for (const { group_id, user_id } of await this.#tx.all(selectLastInTurn, { groupIds: JSON.stringify(inTurn) }))
      this.#lastInTurn.set(group_id, user_id);
  }

  async #loadAttempts(targets: readonly CallTarget[]): Promise<void> {
    const { snapshot, policy } = this.configuration;
    const inReach = new Set(targets.flatMap((target) => [...peopleInReach(target, snapshot, policy)]));
    const people = [...sharingLines(inReach, snapshot)].filter((id) => !this.#knownPeople.has(id));
    for (const id of people) this.#knownPeople.add(id);
    const clock = await readRecordClock(this.#tx);
    const recent = await this.#tx.all(selectRecentAttempts, {
      userIds: JSON.stringify(people),
      since: clock.windowStart(this.#now, Math.max(policy.cap?.windowMs ?? 0, lockMs + longestAttemptMs)),
    });
    for (const row of recent) {
      const { call_id, failure, ended_at, number_id, user_id, is_notice, state, channel, address, created_at } = row;
      const isLocked = failure === 'wrong-pin' && clock.timeNow(ended_at ?? 0) > this.#now - lockMs;
      if (isLocked && number_id !== null) this.#lockedNumbers.add(number_id);
      if (state === 'due' || state === 'started') {
        const lines = linesOf(user_id, { channel, address });
        for (const line of lines) this.#linesInUse.add(line);
        if (lines.length > 0) this.#callsOnLine.set(user_id, [...(this.#callsOnLine.get(user_id) ?? []), call_id]);
      }
      // Notices use lines, but do not count for the cap.
      if (is_notice === 0) this.#noteAttempt(user_id, clock.timeNow(created_at));
    }
  }

  /** A person whose line is in use is waited for if that call reads an alarm of this one too. */
  async #loadSharing(callIds: readonly number[]): Promise<void> {
    if (this.#callsOnLine.size === 0) return;
    const rows = await this.#tx.all(selectCallsSharing, {
      callIds: JSON.stringify(callIds),
      others: JSON.stringify([...new Set([...this.#callsOnLine.values()].flat())]),
    });
    for (const [callId, sharing] of Map.groupBy(rows, ({ call_id }) => call_id))
      this.#sharing.set(callId, new Set(sharing.map(({ other_id }) => other_id)));
  }

  #linesReadingAlso(callId: number): ReadonlySet<number> {
    const sharing = this.#sharing.get(callId);
    if (sharing === undefined) return new Set();
    const people = [...this.#callsOnLine].filter(([, calls]) => calls.some((other) => sharing.has(other)));
    return new Set(people.map(([userId]) => userId));
  }

  #noteAttempt(userId: number, at: Instant): void {
    this.#recentAttempts.set(userId, [...(this.#recentAttempts.get(userId) ?? []), at]);
  }

  contextOf(callId: number): CallContext {
    const { snapshot, policy } = this.configuration;
    return {
      snapshot,
      policy,
      causes: this.#causes.get(callId) ?? noCauses,
      lastInTurn: this.#lastInTurn,
      recentAttempts: this.#recentAttempts,
      linesInUse: this.#linesInUse,
      lockedNumbers: this.#lockedNumbers,
      tolls: this.#tolls,
      linesReadingAlso: this.#linesReadingAlso(callId),
      heardAlready: this.#heardAlready.get(callId) ?? nobody,
      newCycleId: () => this.#ids.next('call_cycles'),
    };
  }

  urgencyOf(callId: number): number {
    return (this.#causes.get(callId) ?? noCauses).mostUrgent;
  }

  firstCauseOf(callId: number): FirstCause | undefined {
    return this.#firstCauses.get(callId);
  }

  /** Notes the attempts and turns of a decision, which the next decisions depend on. */
  note(step: CallStep): void {
    for (const attempt of step.attempts) {
      if (attempt.number !== undefined && !attempt.isNotice) this.#noteAttempt(attempt.userId, this.#now);
      for (const line of attemptLines(attempt)) this.#linesInUse.add(line);
      this.#tolls = tollsAfter(this.#tolls, attempt, this.#now);
    }
    for (const [groupId, userId] of step.inTurn) {
      this.#lastInTurn.set(groupId, userId);
      this.changedTurns.set(groupId, userId);
    }
  }
}
