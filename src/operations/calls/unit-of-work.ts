// The unit of work of calls: loads the calls of a transaction, advances them in memory, and writes each table once.

import {
  type Call,
  type CallEvent,
  type CallTarget,
  type CallTrouble,
  newCall,
  targetName,
} from '../../domain/calls/call.ts';
import { advanceCall } from '../../domain/calls/escalation.ts';
import { withNames } from '../../domain/people/references.ts';
import { visibilityOf } from '../../domain/people/visibility.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import type { NewIds } from '../../store/new-ids.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { SystemAlarm } from '../alarms/intake/system-alarms.ts';
import { causeRows } from './call-rows.ts';
import { DecisionInputs } from './inputs/decision-inputs.ts';
import { untakenPath } from './inputs/heard-already.ts';
import { type CallRecord, findCalls, findOpenCalls } from './queries.ts';
import type { TrackedCall } from './tracked-call.ts';
import { writeCalls } from './write-calls.ts';

/** `by` is the actor of the event, such as `user:3`. */
type Posted = { readonly callId: number; readonly event: CallEvent; readonly by?: string };

type DueCause = {
  readonly id: number;
  readonly target: CallTarget;
  /** Why a call begins for it, if not because an alarm was raised. */
  readonly reason?: string | undefined;
  /** Whether it is an alarm or message that its target is not called for yet. */
  readonly isNewAlarm?: boolean;
};

export class CallUnitOfWork {
  readonly #tx: Tx;
  readonly #now: Instant;
  readonly #ids: NewIds;
  readonly #raise: (alarm: SystemAlarm) => void;
  readonly #inputs: DecisionInputs;
  readonly #entries = new Map<number, TrackedCall>();
  readonly #posted: Posted[] = [];

  constructor(tx: Tx, now: Instant, ids: NewIds, raise: (alarm: SystemAlarm) => void) {
    this.#tx = tx;
    this.#now = now;
    this.#ids = ids;
    this.#raise = raise;
    this.#inputs = new DecisionInputs(tx, now, ids);
  }

  async load(ids: readonly number[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#entries.has(id));
    for (const record of await findCalls(this.#tx, unknown)) this.#addLoaded(record);
    await this.#inputs.load(ids.flatMap((id) => this.#entries.get(id) ?? []).map(inputOf));
  }

  /** Attaches causes to the open calls of their targets, begins missing calls, and applies the events. */
  async callFor(causes: readonly DueCause[]): Promise<void> {
    const targets = distinct(causes.map(({ target }) => target));
    for (const record of await findOpenCalls(this.#tx, targets)) this.#addLoaded(record);
    const byTarget = new Map([...this.#entries.values()].map((entry) => [targetName(entry.call.target), entry]));
    const missing = targets.filter((target) => !byTarget.has(targetName(target)));
    const ids = missing.length === 0 ? [] : await this.#tx.nextIds('calls', missing.length);
    for (const [index, target] of missing.entries())
      byTarget.set(targetName(target), this.#addNew(ids[index] ?? 0, target));
    await this.#tx.each(
      causeRows.attach,
      causes.map(({ id, target }) => ({ id, call_id: byTarget.get(targetName(target))?.id ?? 0 })),
    );
    await this.#inputs.load([...this.#entries.values()].map(inputOf));
    const reasons = new Map(causes.map(({ target, reason }) => [targetName(target), reason]));
    const joined = new Set(causes.filter((cause) => cause.isNewAlarm).map(({ target }) => targetName(target)));
    const added = (target: CallTarget): CallEvent => ({
      kind: 'cause-added',
      isNewAlarm: joined.has(targetName(target)),
    });
    this.applyMostUrgentFirst(
      [...this.#entries.values()].map(({ id, loaded, call: { target } }) => ({
        callId: id,
        event: loaded === undefined ? beginning(reasons.get(targetName(target))) : added(target),
      })),
    );
  }

  /** Applies events in order of priority, so that the most urgent call gets a line that several calls wait for. */
  applyMostUrgentFirst(events: readonly Posted[]): void {
    const urgency = ({ callId }: Posted): number => this.#inputs.urgencyOf(callId);
    for (const { callId, event } of events.toSorted((one, other) => urgency(one) - urgency(other)))
      this.apply(callId, event);
  }

  call(id: number): Call | undefined {
    return this.#entries.get(id)?.call;
  }

  isChanged(id: number): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.call !== entry.loaded;
  }

  /** Applies an event to a loaded call. */
  apply(id: number, event: CallEvent): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const step = advanceCall(entry.call, event, this.#inputs.contextOf(id), this.#now);
    const before = entry.call.round;
    entry.call = step.call;
    for (const cycle of step.replaced) entry.cycles.set(cycle.id, { cycle, round: before });
    for (const cycle of step.call.cycles) entry.cycles.set(cycle.id, { cycle, round: step.call.round });
    entry.attempts.push(...step.attempts);
    entry.notes.push(...step.notes);
    this.#inputs.note(step);
    for (const trouble of step.troubles) this.#raise(this.#troubleAlarm(trouble, entry));
  }

  /** Applies an event when the unit of work is written, after the causes that end with this transaction have ended. */
  post(callId: number, event: CallEvent, by: string): void {
    this.#posted.push({ callId, event, by });
  }

  /** Notes that a cause of the call has ended. A call with an event of its own sees that when the event is applied. */
  causesEnded(callId: number, reason: string, by: string): void {
    if (!this.#posted.some((posted) => posted.callId === callId))
      this.post(callId, { kind: 'causes-ended', reason }, by);
  }

  /** Builds the system alarm of a trouble. One about the last resort calls nobody: it would call the last resort. */
  #troubleAlarm(trouble: CallTrouble, { id, call: { target } }: TrackedCall): SystemAlarm {
    const { kind, groupId, sentence, isWanted = false } = trouble;
    const { snapshot } = this.#inputs.configuration;
    const isLastResort = target.kind === 'last-resort';
    // The station is that of the group or, for a person, of the cause; the last resort concerns the whole installation.
    const causeStation = isLastResort ? undefined : this.#inputs.firstCauseOf(id)?.station_id;
    const calledGroupId = groupId ?? (target.kind === 'group' ? target.id : 0);
    const stationId = snapshot.groups.get(calledGroupId)?.stationId ?? causeStation ?? defaultStationId;
    const message = withNames(sentence, snapshot, visibilityOf({ stationIds: [stationId] }, snapshot));
    const subject = isLastResort ? 'last-resort' : groupId;
    return {
      path: kind === 'nobody-took-it' && !isLastResort ? untakenPath(target) : `${kind}/${subject}`,
      stationId,
      priority: 2,
      message: message.charAt(0).toUpperCase() + message.slice(1),
      isCalled: !isLastResort && !isWanted,
    };
  }

  #addLoaded({ id, call, startedAt }: CallRecord): void {
    this.#addEntry({ id, call, startedAt, loaded: call });
  }

  #addNew(id: number, target: CallTarget): TrackedCall {
    return this.#addEntry({ id, call: newCall(target), startedAt: this.#now, loaded: undefined });
  }

  #addEntry(fresh: Pick<TrackedCall, 'id' | 'call' | 'startedAt' | 'loaded'>): TrackedCall {
    const entry = { ...fresh, endedBy: undefined, cycles: new Map(), attempts: [], notes: [] };
    this.#entries.set(entry.id, entry);
    return entry;
  }

  /** Applies the posted events and writes what changed. */
  async write(): Promise<void> {
    if (this.#posted.length > 0) await this.load(this.#posted.map(({ callId }) => callId));
    for (const { callId, event, by } of this.#posted) {
      this.apply(callId, event);
      const entry = this.#entries.get(callId);
      if (entry?.call.phase === 'ended') entry.endedBy ??= by;
    }
    const changed = [...this.#entries.values()].filter(({ call, loaded }) => call !== loaded);
    if (changed.length > 0) await writeCalls({ tx: this.#tx, now: this.#now, ids: this.#ids }, changed, this.#inputs);
  }
}

function beginning(reason: string | undefined): CallEvent {
  return reason === undefined ? { kind: 'begin' } : { kind: 'begin', reason };
}

function inputOf({ id, call }: TrackedCall): { readonly id: number; readonly target: CallTarget } {
  return { id, target: call.target };
}

function distinct(targets: readonly CallTarget[]): readonly CallTarget[] {
  return [...new Map(targets.map((target) => [targetName(target), target])).values()];
}
