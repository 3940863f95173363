// The rows of a random day: the smallest stand-in for the database, which records all that changes.

import type { CallTarget } from '../../../src/domain/calls/call.ts';
import type { Provider, ProviderHealth } from '../../../src/domain/channels/provider.ts';
import { unknownHealth } from '../../../src/domain/channels/provider.ts';
import { escalate } from '../../../src/domain/escalation/escalate.ts';
import type { Attempt, Cause, Escalation } from '../../../src/domain/escalation/escalation.ts';
import type { Reason } from '../../../src/domain/escalation/reason.ts';
import { DecisionTime, type World } from '../../../src/domain/escalation/world.ts';
import type { RandomDay } from './random-day.ts';
import { Surroundings } from './surroundings.ts';
import { Timeline } from './timeline.ts';
import { hasTolls } from './tolls.ts';
import {
  type AttemptTrace,
  type CauseTrace,
  type ChannelState,
  type EscalationTrace,
  noCounts,
  type Trace,
} from './trace.ts';

/** Attempts that no open escalation needs are passed to the engine for this long. */
const recentMs = 30 * 60_000;
const dayMs = 86_400_000;

export type Rows = {
  readonly causes: readonly Cause[];
  readonly escalations: readonly Escalation[];
  readonly attempts: readonly Attempt[];
};

export class Site extends Surroundings {
  readonly causes = new Map<number, Cause>();
  readonly causeTraces = new Map<number, CauseTrace>();
  readonly escalations = new Map<number, EscalationTrace>();
  readonly attempts = new Map<number, AttemptTrace>();
  readonly turns = new Map<number, number>();
  readonly health = new Map<number, ProviderHealth>();
  readonly recoveries = new Map<string, number>();
  readonly goneNodes = new Set<string>();
  readonly flaws: string[] = [];
  readonly counts = noCounts();
  readonly day: RandomDay;
  readonly #escalated: { readonly at: number; readonly causeId: number }[] = [];
  readonly #channels: Timeline<ChannelState>;
  readonly #escalationsOf = new Map<number, number[]>();
  readonly #attemptsOf = new Map<number, Set<number>>();
  readonly #wanted = new Set<number>();
  readonly #live = new Set<number>();

  constructor(day: RandomDay) {
    super(day.begin, day.organisation.snapshot, day.organisation.policy, day.civilOffset);
    this.day = day;
    this.#channels = new Timeline(day.begin, this.#channelState());
  }

  setHealth(providerId: number, health: ProviderHealth): void {
    this.health.set(providerId, health);
    this.noteChannels();
  }

  noteChannels(): void {
    this.#channels.set(this.now, this.#channelState());
  }

  #channelState(): ChannelState {
    const working = this.day.organisation.providers.filter((one) => this.isWorking(one));
    const free = working.filter(({ id, lines }) => this.#inUse(id) < (lines ?? Number.POSITIVE_INFINITY));
    const today = this.#deliveriesToday();
    const usedUp = working.filter(({ id, perDay }) => (today.get(id) ?? 0) >= (perDay ?? Number.POSITIVE_INFINITY));
    return { working: idsOf(working), free: idsOf(free), usedUp: idsOf(usedUp) };
  }

  /** By id of a provider: what it has carried since midnight. */
  #deliveriesToday(): ReadonlyMap<number, number> {
    if (this.day.organisation.providers.every(({ perDay }) => perDay === undefined)) return new Map();
    const counts = new Map<number, number>();
    for (const { providerId = 0 } of this.#deliveries()) counts.set(providerId, (counts.get(providerId) ?? 0) + 1);
    return counts;
  }

  /** What was begun since midnight, without what no provider carried. */
  #deliveries(): readonly Attempt[] {
    const midnight = Math.floor(this.civil / dayMs) * dayMs;
    const all = [...this.attempts.values()].map(({ attempt }) => attempt);
    return all.filter(({ begunAt, end, hasLeft }) => {
      const isLost = end?.outcome === 'failed' && !end.counts && !hasLeft;
      return !isLost && begunAt + this.civilOffsets.at(begunAt) >= midnight;
    });
  }

  /** Whether a provider works, as far as is known. */
  isWorking({ id, node }: Provider): boolean {
    return this.health.get(id)?.state !== 'down' && !(node !== undefined && this.goneNodes.has(node));
  }

  #inUse(providerId: number): number {
    return [...this.#live].filter((id) => this.attempts.get(id)?.attempt.providerId === providerId).length;
  }

  /** Returns the id of the new cause, which is called for to all targets. */
  raise(priority: number, asks: boolean, targets: readonly CallTarget[], delayMs: number): void {
    const id = this.causes.size + 1;
    this.causes.set(id, { id, priority, asks, ended: undefined });
    const timeline = new Timeline(this.now, priority);
    this.causeTraces.set(id, {
      id,
      raisedAt: this.now,
      asks,
      priority: timeline,
      raisedAgainAt: [],
      endedAt: undefined,
    });
    this.counts.alarms++;
    for (const target of targets) if (!this.#isCalled(id, target)) this.open(id, target, this.now + delayMs);
  }

  #isCalled(causeId: number, { kind, id }: CallTarget): boolean {
    return this.escalationsOf(causeId).some(
      ({ target, states }) => target.kind === kind && target.id === id && states.last.state === 'open',
    );
  }

  open(causeId: number, target: CallTarget, dueAt: number): void {
    if (this.#isCalled(causeId, target))
      this.flaws.push(`cause ${causeId} is escalated twice to ${target.kind} ${target.id}`);
    const id = this.escalations.size + 1;
    const first: Escalation = {
      id,
      causeId,
      target,
      dueAt,
      actedPriority: undefined,
      round: 0,
      roundSince: this.now,
      entered: [],
      picked: [],
      pausedUntil: undefined,
      roundsInVain: 0,
      state: 'open',
      trouble: undefined,
      reason: undefined,
    };
    const states = new Timeline(this.now, Object.freeze(first));
    this.escalations.set(id, { id, causeId, target, openedAt: this.now, dueAt, states });
    this.#escalationsOf.set(causeId, [...(this.#escalationsOf.get(causeId) ?? []), id]);
    this.#wanted.add(causeId);
  }

  escalationsOf(causeId: number): readonly EscalationTrace[] {
    return (this.#escalationsOf.get(causeId) ?? []).map((id) => this.escalations.get(id) as EscalationTrace);
  }

  store(escalation: Escalation): void {
    const trace = this.escalations.get(escalation.id);
    if (trace === undefined) {
      this.flaws.push(`escalation ${escalation.id}, which does not exist, changed`);
      return;
    }
    trace.states.set(this.now, Object.freeze(escalation));
    const { causeId } = trace;
    if (this.escalationsOf(causeId).some(({ states }) => states.last.state !== 'done')) this.#wanted.add(causeId);
    else this.#wanted.delete(causeId);
    // A message that was heard or called in vain is over when its escalations are.
    const cause = this.causes.get(causeId);
    if (cause?.asks === false && !this.#wanted.has(causeId)) this.endCause(causeId, { code: 'heard' });
  }

  change(causeId: number, priority: number): void {
    const cause = this.causes.get(causeId);
    if (cause === undefined || cause.priority === priority) return;
    this.causes.set(causeId, { ...cause, priority });
    this.causeTraces.get(causeId)?.priority.set(this.now, priority);
  }

  endCause(causeId: number, reason: Reason): void {
    const cause = this.causes.get(causeId);
    const trace = this.causeTraces.get(causeId);
    if (cause === undefined || trace === undefined || cause.ended !== undefined) return;
    this.causes.set(causeId, { ...cause, ended: reason });
    trace.endedAt = this.now;
  }

  get openCauses(): readonly Cause[] {
    return [...this.causes.values()].filter(({ ended }) => ended === undefined);
  }

  begin(trace: AttemptTrace): void {
    const { attempt } = trace;
    this.attempts.set(attempt.id, trace);
    this.#live.add(attempt.id);
    for (const { causeId } of attempt.tries) this.#name(causeId, attempt.id);
    this.counts.attempts++;
    this.noteChannels();
  }

  #name(causeId: number, attemptId: number): void {
    const named = this.#attemptsOf.get(causeId) ?? new Set();
    this.#attemptsOf.set(causeId, named.add(attemptId));
  }

  update(attemptId: number, changes: Partial<Attempt>): void {
    const trace = this.attempts.get(attemptId);
    if (trace === undefined) throw new Error(`attempt ${attemptId} does not exist`);
    trace.attempt = { ...trace.attempt, ...changes };
    for (const causeId of changes.announced ?? []) this.#name(causeId, attemptId);
    if (changes.end !== undefined) {
      this.#live.delete(attemptId);
      this.noteChannels();
    }
  }

  isLive(attemptId: number): boolean {
    return this.#live.has(attemptId);
  }

  get live(): readonly number[] {
    return [...this.#live];
  }

  /** What the engine reads: everything open, whatever was done for it, and what happened lately. */
  rows(): Rows {
    const causeIds = new Set(this.#wanted);
    const attemptIds = new Set(this.#live);
    for (const id of this.#live)
      for (const { causeId } of this.attempts.get(id)?.attempt.tries ?? []) causeIds.add(causeId);
    for (const id of causeIds) for (const attemptId of this.#attemptsOf.get(id) ?? []) attemptIds.add(attemptId);
    for (let id = this.attempts.size; id > 0; id--) {
      if ((this.attempts.get(id)?.attempt.begunAt ?? 0) < this.now - recentMs) break;
      attemptIds.add(id);
    }
    const sorted = (ids: Iterable<number>): readonly number[] => [...ids].sort((one, other) => one - other);
    const ids = sorted(causeIds);
    return {
      causes: ids.map((id) => this.causes.get(id) as Cause),
      escalations: ids.flatMap((id) => this.escalationsOf(id).map(({ states }) => states.last)),
      attempts: sorted(attemptIds).map((id) => (this.attempts.get(id) as AttemptTrace).attempt),
    };
  }

  /** Has the next group called for a cause, as somebody does by hand. */
  escalateByHand(causeId: number): void {
    const time = new DecisionTime(this.now, this.civil);
    for (const { states, target } of this.escalationsOf(causeId)) {
      const escalated =
        target.kind === 'last-resort' ? undefined : escalate(states.last, this.world(), time, 'operator');
      if (escalated !== undefined) this.store(escalated);
    }
    this.#escalated.push({ at: this.now, causeId });
  }

  world(): World {
    const { providers } = this.day.organisation;
    const today = this.#deliveriesToday();
    const use = (id: number) => ({ health: this.health.get(id) ?? unknownHealth, inUse: this.#inUse(id) });
    const uses = providers.map(({ id }) => [id, { ...use(id), lastSecond: 0, today: today.get(id) ?? 0 }] as const);
    return {
      snapshot: this.snapshot,
      policy: this.policy,
      locks: this.locks.last,
      turns: new Map(this.turns),
      providers: { providers, uses: new Map(uses), hasSimulator: false, goneNodes: new Set(this.goneNodes) },
      recoveries: new Map(this.recoveries),
      tolls: this.#tolls(),
    };
  }

  #tolls(): World['tolls'] {
    const { providers } = this.day.organisation;
    const { tolls: limits } = this.policy;
    if (!hasTolls(this.policy, providers)) return undefined;
    const dayEnd = Math.floor(this.civil / dayMs + 1) * dayMs;
    const deliveries = this.#deliveries().map((one) => ({ ...one, count: 1 }));
    return { use: { dayEnd, deliveries }, rules: { limits, providers, hasSimulator: false, timeZone: 'UTC' } };
  }

  trace(slackMs: number): Trace {
    return {
      seed: this.day.seed,
      begin: this.day.begin,
      end: this.day.end,
      slackMs,
      policies: this.policies,
      providers: this.day.organisation.providers,
      snapshots: this.snapshots,
      locks: this.locks,
      channels: this.#channels,
      civilOffsets: this.civilOffsets,
      escalated: this.#escalated,
      causes: this.causeTraces,
      escalations: this.escalations,
      attempts: this.attempts,
      flaws: this.flaws,
      counts: this.counts,
    };
  }
}

function idsOf(providers: readonly Provider[]): ReadonlySet<number> {
  return new Set(providers.map(({ id }) => id));
}
