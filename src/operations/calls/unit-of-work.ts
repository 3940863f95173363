// The unit of work for calls: loads the calls of a transaction, advances them in memory, and writes each table once.

import { attemptLines, linesOf, sharingLines } from '../../domain/calls/busy-lines.ts';
import {
  type Call,
  type CallEvent,
  type CallNote,
  type CallTarget,
  type CallTrouble,
  type Cycle,
  hasAcknowledged,
  type NewAttempt,
  newCall,
  targetName,
} from '../../domain/calls/call.ts';
import { type OpenCauses, peopleInReach } from '../../domain/calls/decision-context.ts';
import { advanceCall } from '../../domain/calls/escalation.ts';
import { withNames } from '../../domain/people/references.ts';
import { visibilityOf } from '../../domain/people/visibility.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { searchableText } from '../../domain/search.ts';
import { appendEvents } from '../../store/event-log.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { appendAudits } from '../audit/append.ts';
import { attemptEntry } from '../audit/attempt-entry.ts';
import { attemptRows, cancelDueAttempts, noteAcknowledged, selectRecentAttempts } from './attempts.ts';
import { callRow, callRows, causeRows, cycleRow, cycleRows } from './call-rows.ts';
import { type CallConfiguration, readCallConfiguration } from './configuration.ts';
import { freeLines } from './free-lines.ts';
import {
  type CallRecord,
  endCausesOfCalls,
  findCalls,
  findOpenCalls,
  selectLastInTurn,
  selectUrgency,
  storeLastInTurn,
} from './queries.ts';

type CallEntry = {
  readonly id: number;
  readonly startedAt: Instant;
  readonly loaded: Call | undefined;
  call: Call;
  /** Every cycle that was changed, including cycles of a round that has ended since. */
  readonly cycles: Map<number, { readonly cycle: Cycle; readonly round: number }>;
  readonly attempts: NewAttempt[];
  readonly notes: CallNote[];
};

/** A problem to raise as a system alarm, with the target of the call and the station it concerns. */
export type Trouble = CallTrouble & { readonly target: CallTarget; readonly stationId: number };

/** How long a number is locked after three wrong PINs. */
const lockMs = 900_000;
/** Upper bound on the duration of an attempt. */
const longestAttemptMs = 600_000;

type FirstCause = {
  readonly priority: number;
  readonly kind: string | null;
  readonly alarm_id: number | null;
  readonly station_id: number | null;
};

const noCauses: OpenCauses = {
  areAny: false,
  isAsking: false,
  mostUrgent: Number.MAX_SAFE_INTEGER,
  isUntilAcknowledged: false,
};

export class CallUnitOfWork {
  readonly #tx: Tx;
  readonly #now: Instant;
  readonly #entries = new Map<number, CallEntry>();
  #loadedConfiguration: CallConfiguration | undefined;
  readonly #causes = new Map<number, OpenCauses>();
  /** The most urgent open cause by call id. */
  readonly #first = new Map<number, FirstCause>();
  #lastInTurn = new Map<number, number>();
  readonly #changedLastInTurn = new Map<number, number>();
  #recent = new Map<number, readonly number[]>();
  #locked: ReadonlySet<number> = new Set();
  readonly #linesInUse = new Set<string>();
  /** The id of the newest cycle that is not stored yet; negative until write() maps it to that of a row. */
  #newCycleId = 0;
  readonly troubles: Trouble[] = [];

  constructor(tx: Tx, now: Instant) {
    this.#tx = tx;
    this.#now = now;
  }

  async load(ids: readonly number[]): Promise<void> {
    for (const record of await findCalls(this.#tx, [...new Set(ids)])) this.#addLoaded(record);
    await this.#loadContext();
  }

  /** Attaches causes to the open calls of their targets, begins missing calls, and applies the events. */
  async callFor(causes: readonly { readonly id: number; readonly target: CallTarget }[]): Promise<void> {
    const open = await findOpenCalls(this.#tx, distinct(causes.map(({ target }) => target)));
    for (const record of open) this.#addLoaded(record);
    const byTarget = new Map([...this.#entries.values()].map((entry) => [targetName(entry.call.target), entry]));
    const missing = distinct(causes.map(({ target }) => target)).filter((target) => !byTarget.has(targetName(target)));
    const ids = missing.length === 0 ? [] : await this.#tx.nextIds('calls', missing.length);
    for (const [index, target] of missing.entries()) {
      const entry = this.#addNew(ids[index] ?? 0, target);
      byTarget.set(targetName(target), entry);
    }
    await this.#tx.each(
      causeRows.attach,
      causes.map(({ id, target }) => ({ id, call_id: byTarget.get(targetName(target))?.id ?? 0 })),
    );
    await this.#loadContext();
    this.applyMostUrgentFirst(
      [...this.#entries.values()].map(({ id, loaded }) => ({
        callId: id,
        event: { kind: loaded === undefined ? 'begin' : 'cause-added' },
      })),
    );
  }

  /** Applies events in order of priority, so that the most urgent call gets a line that several calls wait for. */
  applyMostUrgentFirst(events: readonly { readonly callId: number; readonly event: CallEvent }[]): void {
    const urgency = (id: number): number => (this.#causes.get(id) ?? noCauses).mostUrgent;
    const inOrder = events.toSorted((one, other) => urgency(one.callId) - urgency(other.callId));
    for (const { callId, event } of inOrder) this.apply(callId, event);
  }

  call(id: number): Call | undefined {
    return this.#entries.get(id)?.call;
  }

  apply(id: number, event: CallEvent): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#apply(entry, event);
  }

  /** Ends the loaded calls that have no open causes; to be called after causes were ended. */
  endCallsWithoutCauses(reason: string): void {
    for (const entry of this.#entries.values()) this.#apply(entry, { kind: 'causes-ended', reason });
  }

  #apply(entry: CallEntry, event: CallEvent): void {
    const { snapshot, policy } = this.#configuration();
    const context = {
      snapshot,
      policy,
      causes: this.#causes.get(entry.id) ?? noCauses,
      lastInTurn: this.#lastInTurn,
      recentAttempts: this.#recent,
      linesInUse: this.#linesInUse,
      lockedNumbers: this.#locked,
      newCycleId: () => --this.#newCycleId,
    };
    const step = advanceCall(entry.call, event, context, this.#now);
    entry.call = step.call;
    for (const cycle of step.call.cycles) entry.cycles.set(cycle.id, { cycle, round: step.call.round });
    entry.attempts.push(...step.attempts);
    entry.notes.push(...step.notes);
    for (const { userId } of step.attempts.filter(({ number }) => number !== undefined))
      this.#recent.set(userId, [...(this.#recent.get(userId) ?? []), this.#now]);
    for (const line of step.attempts.flatMap(attemptLines)) this.#linesInUse.add(line);
    for (const [groupId, userId] of step.inTurn) {
      this.#lastInTurn.set(groupId, userId);
      this.#changedLastInTurn.set(groupId, userId);
    }
    this.troubles.push(...step.troubles.map((trouble) => this.#located(trouble, entry)));
  }

  /** The station is that of the group or, for a person, of the cause; the last resort concerns the whole installation. */
  #located(trouble: CallTrouble, { id, call: { target } }: CallEntry): Trouble {
    const { snapshot } = this.#configuration();
    const causeStation = target.kind === 'last-resort' ? undefined : this.#first.get(id)?.station_id;
    const groupId = trouble.groupId ?? (target.kind === 'group' ? target.id : 0);
    const stationId = snapshot.groups.get(groupId)?.stationId ?? causeStation ?? defaultStationId;
    const sentence = withNames(trouble.sentence, snapshot, visibilityOf({ stationIds: [stationId] }, snapshot));
    return { ...trouble, target, stationId, sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1) };
  }

  #configuration(): CallConfiguration {
    if (this.#loadedConfiguration === undefined) throw new Error('The unit of calls was used before it was loaded.');
    return this.#loadedConfiguration;
  }

  #addLoaded({ id, call, startedAt }: CallRecord): void {
    this.#addEntry({ id, call, startedAt, loaded: call });
  }

  #addNew(id: number, target: CallTarget): CallEntry {
    return this.#addEntry({ id, call: newCall(target), startedAt: this.#now, loaded: undefined });
  }

  #addEntry(fresh: Pick<CallEntry, 'id' | 'call' | 'startedAt' | 'loaded'>): CallEntry {
    const entry = { ...fresh, cycles: new Map(), attempts: [], notes: [] };
    this.#entries.set(entry.id, entry);
    return entry;
  }

  /** Loads the decision context of all loaded calls. */
  async #loadContext(): Promise<void> {
    this.#loadedConfiguration = await readCallConfiguration(this.#tx);
    if (this.#entries.size === 0) return;
    const { snapshot, policy } = this.#loadedConfiguration;
    const callIds = JSON.stringify([...this.#entries.keys()]);
    const untilAcknowledged = JSON.stringify(policy.untilAcknowledged);
    for (const first of await this.#tx.all(selectUrgency, { callIds, untilAcknowledged })) {
      const { call_id, priority, is_asking, is_until_acknowledged } = first;
      if (priority === null) continue;
      this.#first.set(call_id, { ...first, priority });
      const isUntilAcknowledged = is_until_acknowledged === 1;
      this.#causes.set(call_id, {
        areAny: true,
        isAsking: is_asking === 1,
        mostUrgent: priority,
        isUntilAcknowledged,
      });
    }
    const inTurn = [...snapshot.groups.values()].filter(({ callMode }) => callMode === 'turn').map(({ id }) => id);
    const last = inTurn.length === 0 ? [] : await this.#tx.all(selectLastInTurn, { groupIds: JSON.stringify(inTurn) });
    this.#lastInTurn = new Map(last.map(({ group_id, user_id }) => [group_id, user_id]));
    const people = new Set<number>();
    for (const { call } of this.#entries.values())
      for (const id of peopleInReach(call.target, snapshot, policy)) people.add(id);
    const recent = await this.#tx.all(selectRecentAttempts, {
      userIds: JSON.stringify([...sharingLines(people, snapshot)]),
      since: this.#now - Math.max(policy.cap?.windowMs ?? 0, lockMs + longestAttemptMs),
    });
    const locked = recent.filter(
      ({ failure, ended_at }) => failure === 'wrong-pin' && (ended_at ?? 0) > this.#now - lockMs,
    );
    this.#locked = new Set(locked.flatMap(({ number_id }) => number_id ?? []));
    for (const { user_id, state, channel, address } of recent)
      if (state === 'due' || state === 'started')
        for (const line of linesOf(user_id, { channel, address })) this.#linesInUse.add(line);
    for (const [userId, rows] of Map.groupBy(recent, ({ user_id }) => user_id))
      this.#recent.set(
        userId,
        rows.map(({ created_at }) => created_at),
      );
  }

  async write(): Promise<void> {
    const changed = [...this.#entries.values()].filter(({ call, loaded }) => call !== loaded);
    if (changed.length === 0) return;
    await this.#writeCalls(changed);
    const cycleIds = await this.#writeCycles(changed);
    await this.#writeAttempts(changed, cycleIds);
    await this.#closeAttempts(changed);
    const over = changed.filter(({ call }) => call.phase === 'ended');
    for (const [reason, entries] of Map.groupBy(over, ({ call }) => call.reason)) {
      const callIds = JSON.stringify(entries.map(({ id }) => id));
      await this.#tx.run(endCausesOfCalls, { callIds, now: this.#now, reason });
    }
    for (const [groupId, userId] of this.#changedLastInTurn) await storeLastInTurn(this.#tx, groupId, userId);
    await this.#writeEvents(changed);
  }

  async #writeCalls(changed: readonly CallEntry[]): Promise<void> {
    const fresh = changed.filter(({ loaded }) => loaded === undefined);
    const known = changed.filter(({ loaded }) => loaded !== undefined);
    await this.#tx.each(
      callRows.insert,
      fresh.map(({ id, call, startedAt }) => ({
        ...callRow(id, call, this.#now),
        target_kind: call.target.kind,
        target_id: call.target.id,
        started_at: startedAt,
      })),
    );
    await this.#tx.each(
      callRows.update,
      known.map(({ id, call }) => callRow(id, call, this.#now)),
    );
  }

  /** Writes cycles; returns by entry the stored ids of new cycles by their temporary negative ids. */
  async #writeCycles(changed: readonly CallEntry[]): Promise<ReadonlyMap<CallEntry, ReadonlyMap<number, number>>> {
    const fresh = changed.map((entry) => [...entry.cycles.keys()].filter((id) => id < 0));
    const count = fresh.reduce((sum, ids) => sum + ids.length, 0);
    const ids = count === 0 ? [] : [...(await this.#tx.nextIds('call_cycles', count))];
    const real = new Map(
      changed.map((entry, index) => [entry, new Map((fresh[index] ?? []).map((id) => [id, ids.shift() ?? 0]))]),
    );
    const inserted = changed.flatMap((entry) =>
      [...entry.cycles.values()]
        .filter(({ cycle }) => cycle.id < 0)
        .map(({ cycle, round }) => ({
          ...cycleRow(real.get(entry)?.get(cycle.id) ?? 0, cycle),
          call_id: entry.id,
          round,
          user_id: cycle.userId,
          group_id: cycle.groupId ?? null,
          level: cycle.level,
          is_relief: cycle.isRelief ? 1 : 0,
        })),
    );
    const updated = changed.flatMap((entry) =>
      [...entry.cycles.values()]
        .filter(({ cycle }) => cycle.id > 0 && !entry.loaded?.cycles.includes(cycle))
        .map(({ cycle }) => cycleRow(cycle.id, cycle)),
    );
    await this.#tx.each(cycleRows.insert, inserted);
    await this.#tx.each(cycleRows.update, updated);
    return real;
  }

  async #writeAttempts(
    changed: readonly CallEntry[],
    cycleIds: ReadonlyMap<CallEntry, ReadonlyMap<number, number>>,
  ): Promise<void> {
    const { snapshot } = this.#configuration();
    const calling = changed.filter(({ attempts }) => attempts.length > 0);
    const count = calling.reduce((sum, { attempts }) => sum + attempts.length, 0);
    const ids = count === 0 ? [] : [...(await this.#tx.nextIds('call_attempts', count))];
    const rows = [];
    for (const entry of calling) {
      const cause = this.#first.get(entry.id);
      for (const { cycleId, userId, groupId, number, attempt, reason } of entry.attempts) {
        const user_name = snapshot.people.get(userId)?.name ?? '';
        rows.push({
          id: ids.shift() ?? 0,
          call_id: entry.id,
          cycle_id: cycleIds.get(entry)?.get(cycleId) ?? cycleId,
          user_id: userId,
          user_name,
          group_id: groupId ?? null,
          station_id: snapshot.groups.get(groupId ?? 0)?.stationId ?? cause?.station_id ?? 0,
          cause: cause?.kind ?? 'alarm',
          alarm_id: cause?.alarm_id ?? null,
          priority: cause?.priority ?? 0,
          number_id: number?.id ?? null,
          channel: number?.channel ?? '',
          address: number?.address ?? '',
          attempt,
          // A person without a usable number gets a failed row, so that the call history shows it.
          state: number === undefined ? 'failed' : 'due',
          reply_code: '',
          created_at: this.#now,
          ended_at: number === undefined ? this.#now : null,
          detail: reason,
          words: searchableText(user_name, reason),
          address_words: searchableText(number?.address ?? ''),
        });
      }
    }
    await this.#tx.each(attemptRows.insert, rows);
    const failed = rows.filter(({ state }) => state === 'failed');
    await appendAudits(
      this.#tx,
      failed.map((row) => ({ at: this.#now, ...attemptEntry(row, { ...row, user: row.user_name }) })),
    );
  }

  /** Cancels due attempts of cycles that have moved on, and stores the acknowledgement time with started ones. */
  async #closeAttempts(changed: readonly CallEntry[]): Promise<void> {
    const over = changed.flatMap(({ call, loaded }) =>
      call.cycles.filter((cycle) => cycle.id > 0 && cycle.phase !== 'attempting' && !loaded?.cycles.includes(cycle)),
    );
    const heard = over.filter(hasAcknowledged).map(({ id }) => id);
    const cancelled = await this.#cancelAttempts(over);
    if (heard.length > 0) await this.#tx.run(noteAcknowledged, { cycleIds: JSON.stringify(heard), now: this.#now });
    const people = over.map(({ userId }) => userId);
    if (cancelled > 0) await freeLines(this.#tx, this.#now, people);
  }

  async #cancelAttempts(over: readonly Cycle[]): Promise<number> {
    if (over.length === 0) return 0;
    const cycleIds = JSON.stringify(over.map(({ id }) => id));
    return await this.#tx.run(cancelDueAttempts, { cycleIds, now: this.#now, detail: over[0]?.reason ?? '' });
  }

  async #writeEvents(changed: readonly CallEntry[]): Promise<void> {
    await appendEvents(
      this.#tx,
      changed.flatMap(({ id, call, notes }) =>
        notes.map(({ kind, ...note }) => ({
          kind: `call.${kind}`,
          actor: 'system',
          subjectId: id,
          at: this.#now,
          data: { ...note, round: call.round, target: call.target },
        })),
      ),
    );
  }
}

function distinct(targets: readonly CallTarget[]): readonly CallTarget[] {
  return [...new Map(targets.map((target) => [targetName(target), target])).values()];
}
