// Watches the rows of calls: after every write it reads what was written, so that a day leaves a trace that the checkers judge.

import type { Provider } from '../../../src/domain/channels/provider.ts';
import type { ContactNumber } from '../../../src/domain/people/person.ts';
import type { Surroundings } from '../escalation/surroundings.ts';
import { Timeline } from '../escalation/timeline.ts';
import {
  type AttemptTrace,
  type CauseTrace,
  type ChannelState,
  type EscalationTrace,
  noCounts,
  type Trace,
} from '../escalation/trace.ts';
import type { MemoryStore } from '../stores/memory-store.ts';
import type { StoreClock } from './store-clock.ts';
import {
  type AttemptRow,
  attemptIn,
  type CauseRow,
  escalationIn,
  readAttemptRows,
  readCauseRows,
  readDownProviders,
  targetIn,
} from './stored-calls.ts';

const lockMs = 15 * 60_000;
const dayMs = 86_400_000;

type Parts = {
  readonly store: MemoryStore;
  readonly clock: StoreClock;
  readonly surroundings: Surroundings;
  readonly providers: readonly Provider[];
};

export class RowWatch {
  readonly causes = new Map<number, CauseTrace>();
  readonly escalations = new Map<number, EscalationTrace>();
  readonly attempts = new Map<number, AttemptTrace>();
  readonly escalated: { readonly at: number; readonly causeId: number }[] = [];
  readonly flaws: string[] = [];
  readonly counts = noCounts();
  /** By id of a cause. */
  readonly alarmIds = new Map<number, number>();
  readonly #parts: Parts;
  readonly #channels: Timeline<ChannelState>;
  readonly #writtenCauses: () => readonly number[];
  readonly #writtenAttempts: () => readonly number[];
  readonly #causeRows = new Map<number, CauseRow>();
  readonly #liveRows = new Map<number, AttemptRow>();
  readonly #rows = new Map<number, AttemptRow>();
  /** The ids of attempts that wait to be made or are being made. */
  readonly #atWork = new Set<number>();
  /** By id of an attempt: what the clock of the database showed when it was begun. */
  readonly #begunAt = new Map<number, number>();
  #changes = 0;
  #goneNodes: ReadonlySet<string> = new Set();
  #channelsSeen = '';

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#writtenCauses = parts.store.watchRows('call_causes');
    this.#writtenAttempts = parts.store.watchRows('call_attempts');
    const all = new Set(parts.providers.map(({ id }) => id));
    this.#channels = new Timeline(parts.surroundings.now, { working: all, free: all, usedUp: new Set<number>() });
  }

  /** Reads what was written since the last look; returns whether anything of it has changed. */
  async look(): Promise<boolean> {
    const { store } = this.#parts;
    const before = this.#changes;
    const causes = this.#writtenCauses();
    if (causes.length > 0) for (const row of await store.read(readCauseRows, { ids: causes })) this.#noteCause(row);
    const attempts = this.#writtenAttempts();
    if (attempts.length > 0)
      for (const row of await store.read(readAttemptRows, { ids: attempts })) this.#noteAttempt(row);
    await this.#noteChannels();
    return this.#changes > before;
  }

  get #now(): number {
    return this.#parts.surroundings.now;
  }

  #noteCause(row: CauseRow): void {
    const before = this.#causeRows.get(row.id);
    this.#causeRows.set(row.id, row);
    const causeId = row.cause_id ?? row.id;
    // The cause stands for a newer occurrence of its alarm.
    if (before !== undefined && before.history_id !== row.history_id)
      this.causes.get(causeId)?.raisedAgainAt.push(this.#now);
    if (before !== undefined && !isOtherCause(before, row)) return;
    this.#changes++;
    this.#noteCauseOf(row, causeId);
    const known = this.escalations.get(row.id);
    const dueAt = known?.dueAt ?? this.#parts.clock.ofWait(row.due_at);
    const escalation = escalationIn(row, dueAt);
    if (known !== undefined) known.states.set(this.#now, escalation);
    else {
      const states = new Timeline(this.#now, escalation);
      this.escalations.set(row.id, { id: row.id, causeId, target: targetIn(row), openedAt: this.#now, dueAt, states });
    }
  }

  #noteCauseOf(row: CauseRow, id: number): void {
    let cause = this.causes.get(id);
    if (cause === undefined) {
      const asks = row.kind === 'alarm' && row.list === 'alarm';
      const priority = new Timeline(this.#now, row.priority);
      cause = { id, raisedAt: this.#now, asks, priority, raisedAgainAt: [], endedAt: undefined };
      this.causes.set(id, cause);
      if (row.alarm_id !== null) this.alarmIds.set(id, row.alarm_id);
      this.counts.alarms++;
    }
    if (cause.priority.last !== row.priority) cause.priority.set(this.#now, row.priority);
    if (row.ended_at !== null) cause.endedAt ??= this.#now;
  }

  #noteAttempt(row: AttemptRow): void {
    const before = this.#rows.get(row.id);
    // Who has no number that can be called has a row in the history, and no attempt.
    if (row.number_id === null) return;
    this.#rows.set(row.id, row);
    if (row.ended_at === null) this.#liveRows.set(row.id, row);
    else this.#liveRows.delete(row.id);
    if (row.state === 'due' || row.state === 'started') this.#atWork.add(row.id);
    else this.#atWork.delete(row.id);
    if (before !== undefined && !isOtherAttempt(before, row)) return;
    this.#changes++;
    const attempt = attemptIn(row, this.#parts.clock);
    const trace = this.attempts.get(row.id) ?? this.#begun(row);
    trace.attempt = attempt;
    if (attempt.hasLeft) trace.leftAt ??= this.#now;
    if (attempt.announced !== undefined) trace.announcedAt ??= this.#now;
    if (row.cancel_reason !== null) trace.cancelReason ??= JSON.parse(row.cancel_reason);
    if (row.failure === 'wrong-pin' && before?.failure !== 'wrong-pin')
      this.#parts.surroundings.lock(attempt.numberId, this.#now + lockMs);
  }

  #begun(row: AttemptRow): AttemptTrace {
    const { snapshot } = this.#parts.surroundings;
    const number = snapshot.people.get(row.user_id)?.numbers.find(({ id }) => id === row.number_id);
    if (number === undefined) this.flaws.push(`attempt ${row.id} is to number ${row.number_id}, which does not exist`);
    const trace: AttemptTrace = {
      attempt: attemptIn(row, this.#parts.clock),
      reason: JSON.parse(row.reason ?? '{"code":"sent"}'),
      number: number as ContactNumber,
      ...{ leftAt: undefined, announcedAt: undefined, cancelReason: undefined, isLost: false },
    };
    this.attempts.set(row.id, trace);
    this.#begunAt.set(row.id, this.#parts.clock.civil);
    this.counts.attempts++;
    return trace;
  }

  /** Whether an attempt waits to be made or is being made. */
  get hasWork(): boolean {
    return this.#atWork.size > 0;
  }

  /** The attempts that a node has begun and somebody stopped. */
  get stopped(): readonly number[] {
    return [...this.#liveRows.values()].flatMap(({ id, state, cancel_reason }) =>
      state === 'started' && cancel_reason !== null ? [id] : [],
    );
  }

  /** When the last alarm that the attempt is for ended; undefined while one is open. */
  overSince(attemptId: number): number | undefined {
    const tries = this.attempts.get(attemptId)?.attempt.tries ?? [];
    const ends = tries.map(({ causeId }) => this.causes.get(causeId)?.endedAt);
    return ends.length === 0 || ends.includes(undefined) ? undefined : Math.max(...(ends as readonly number[]));
  }

  /** Notes which nodes a decision knows to be gone. */
  async noteGone(nodes: ReadonlySet<string>): Promise<void> {
    this.#goneNodes = nodes;
    await this.#noteChannels();
  }

  async #noteChannels(): Promise<void> {
    const { store, providers } = this.#parts;
    const down = await store.read(readDownProviders, {});
    const isGone = (node: string | undefined): boolean => node !== undefined && this.#goneNodes.has(node);
    const working = providers.filter(({ id, node }) => !down.has(id) && !isGone(node));
    const inUse = (providerId: number): number =>
      [...this.#liveRows.values()].filter(({ provider_id }) => provider_id === providerId).length;
    const free = working.filter(({ id, lines = Number.POSITIVE_INFINITY }) => inUse(id) < lines);
    const usedUp = working.filter(({ id, perDay }) => perDay !== undefined && this.#carriedToday(id) >= perDay);
    const [workingIds, freeIds, usedUpIds] = [working, free, usedUp].map((some) => some.map(({ id }) => id));
    const seen = JSON.stringify([workingIds, freeIds, usedUpIds]);
    if (seen === this.#channelsSeen) return;
    this.#channelsSeen = seen;
    this.#channels.set(this.#now, {
      working: new Set(workingIds),
      free: new Set(freeIds),
      usedUp: new Set(usedUpIds),
    });
  }

  #carriedToday(providerId: number): number {
    const midnight = Math.floor(this.#parts.clock.civil / dayMs) * dayMs;
    return [...this.#rows.values()].filter(
      ({ id, provider_id, outcome }) =>
        provider_id === providerId && (this.#begunAt.get(id) ?? 0) >= midnight && outcome !== 'providerDown',
    ).length;
  }

  trace(seed: number, begin: number, slackMs: number): Trace {
    const { surroundings, providers } = this.#parts;
    const { policies, snapshots, locks, civilOffsets, now: end } = surroundings;
    const { causes, escalations, attempts, escalated, flaws, counts } = this;
    const around = { policies, snapshots, locks, civilOffsets, providers, channels: this.#channels };
    return { seed, begin, end, slackMs, ...around, causes, escalations, attempts, escalated, flaws, counts };
  }
}

function isOtherCause(before: CauseRow, { version, state, ended_at, priority }: CauseRow): boolean {
  return (
    before.version !== version || before.state !== state || before.ended_at !== ended_at || before.priority !== priority
  );
}

function isOtherAttempt(before: AttemptRow, row: AttemptRow): boolean {
  return (
    before.version !== row.version ||
    before.state !== row.state ||
    before.provider_id !== row.provider_id ||
    before.announced_causes !== row.announced_causes ||
    before.cancel_reason !== row.cancel_reason
  );
}
