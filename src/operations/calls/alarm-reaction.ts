// Adds and ends causes of calls when alarms change, in the transaction of the change.

import { sql } from 'kysely';
import { systemCaller } from '../../domain/access/access.ts';
import { wantedCalls } from '../../domain/alarms/actions.ts';
import type { ActionList, Transition } from '../../domain/alarms/alarm.ts';
import { type CallPolicy, type CallTarget, rulesOf, targetName } from '../../domain/calls/call.ts';
import { callText } from '../../domain/calls/message-text.ts';
import { recall } from '../../domain/calls/recall-on-priority.ts';
import { refer } from '../../domain/people/references.ts';
import { appendEvents } from '../../store/event-log.ts';
import type { NewIds } from '../../store/new-ids.ts';
import { idsIn, sqlStatement, statement } from '../../store/statement.ts';
import { target } from '../../store/statement-tables.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { ActionsToRun } from '../alarms/actions-to-run.ts';
import type { AlarmEvents } from '../alarms/append-events.ts';
import type { AlarmChange, ChangedBy, Reaction, TrackedAlarm } from '../alarms/reaction.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { causeRows } from './call-rows.ts';
import { selectOpenCausesOf } from './queries.ts';
import type { CallUnitOfWork } from './unit-of-work.ts';

type WantedCause = {
  readonly alarm: AlarmRecord;
  readonly list: ActionList;
  readonly target: CallTarget;
  readonly at: Instant;
  readonly dueAt: Instant;
  /** Set if the alarm is called again because its acknowledgement expired, or because it became more urgent. */
  readonly origin?: 'ack-expired' | 'more-urgent';
  /** Set if the alarm is back to normal already, in the same transaction. */
  readonly isBack?: true;
};

/** Holds the tracked entry, not a copy: the state of the alarm when the transaction is written counts. */
type Redefinition = { readonly entry: TrackedAlarm; readonly before: AlarmRecord; readonly at: Instant };

type Ending = {
  readonly how: 'end' | 'cancel-delayed';
  readonly at: Instant;
  readonly reason: string;
  /** The actor of the change. */
  readonly by: string;
};

type Parts = {
  readonly tx: Tx;
  readonly ids: NewIds;
  readonly actions: ActionsToRun;
  readonly events: AlarmEvents;
  readonly calls: CallUnitOfWork;
};

export class CallReaction implements Reaction {
  readonly #parts: Parts;
  #wanted: WantedCause[] = [];
  readonly #endings = new Map<number, Ending>();
  /** Alarms with another priority or other actions, as they were at the start of the transaction. */
  readonly #redefined = new Map<number, Redefinition>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  note(change: AlarmChange): void {
    const { entry, before, at } = change;
    const by = actorOf(change.by);
    if (change.kind === 'transition') this.#noteTransition(entry, change.transition, at, by);
    if (change.kind === 'removed') this.#end(entry.alarm, { how: 'end', at, reason: 'the alarm was removed', by });
    if (change.kind === 'redefined') {
      const { id } = entry.alarm;
      this.#redefined.set(id, { entry, before: this.#redefined.get(id)?.before ?? before, at });
    }
  }

  /** Records the causes that begin and end with a transition of an alarm. */
  #noteTransition(entry: TrackedAlarm, transition: Transition, at: Instant, by: string): void {
    const { runningCalls: how, actions: lists } = transition;
    if (how !== 'go-on') this.#end(entry.alarm, { how, at, reason: reasonOf(transition, entry.alarm), by });
    // A masked alarm calls nobody. The transition already leaves out the list `alarm`; this leaves out `reset` and
    // `ack`.
    if (entry.alarm.life.mask === undefined) for (const list of lists) this.want(entry, list, at);
    if (transition.isCalledAgain) this.#callAgain(entry, at);
  }

  /** Adds a cause for each target that the actions of the list call. */
  want({ alarm }: TrackedAlarm, list: ActionList, at: Instant): void {
    for (const { target, delayMs } of this.#wantedCalls(alarm, list))
      this.#wanted.push({ alarm, list, target, at, dueAt: at + delayMs });
  }

  /** Calls for an alarm whose acknowledgement expired, without the delay of the actions: it is an old alarm. */
  #callAgain({ alarm }: TrackedAlarm, at: Instant): void {
    for (const { target } of this.#wantedCalls(alarm, 'alarm'))
      this.#wanted.push({ alarm, list: 'alarm', target, at, dueAt: at, origin: 'ack-expired' });
  }

  #wantedCalls(alarm: AlarmRecord, list: ActionList) {
    const { actions } = this.#parts;
    return wantedCalls(actions.of(alarm, list), actions.targets, list);
  }

  async conclude(): Promise<void> {
    for (const redefined of this.#redefined.values()) this.#wantAdded(redefined);
    await this.#recall(this.#reprioritised());
  }

  #reprioritised(): readonly Redefinition[] {
    return [...this.#redefined.values()].filter(({ entry, before }) => entry.alarm.priority !== before.priority);
  }

  /** Calls targets added to the actions of an active alarm as if it was raised now. */
  #wantAdded({ entry: { alarm }, before, at }: Redefinition): void {
    if (alarm.definition.alarm.actions === before.definition.alarm.actions) return;
    if (alarm.life.state !== 3 || alarm.life.mask !== undefined) return;
    const { targets } = this.#parts.actions;
    const wantedBy = ({ definition }: AlarmRecord) => wantedCalls(definition.alarm.actions, targets, 'alarm');
    const called = this.#wanted.filter((wanted) => wanted.alarm.id === alarm.id && wanted.list === 'alarm');
    const known = new Set([...wantedBy(before), ...called].map(({ target }) => targetName(target)));
    for (const { target, delayMs } of wantedBy(alarm))
      if (!known.has(targetName(target))) this.#wanted.push({ alarm, list: 'alarm', target, at, dueAt: at + delayMs });
  }

  /**
   * Adds causes for alarms that became more urgent, without the delay of the actions: for targets whose calls ended, and for
   * targets being called now, if the alarm was never as urgent in this occurrence. Attempts that were held back are then made.
   */
  async #recall(reprioritised: readonly Redefinition[]): Promise<void> {
    if (reprioritised.length === 0) return;
    const { tx, events } = this.#parts;
    const alarmIds = reprioritised.map(({ entry }) => entry.alarm.id);
    const open = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify(alarmIds) });
    const { policy } = await readCallConfiguration(tx);
    for (const { entry, before, at } of reprioritised) {
      const { alarm } = entry;
      const underWay = [
        ...open.filter(({ alarm_id, list }) => alarm_id === alarm.id && list === 'alarm').map(targetOf),
        ...this.#wanted.filter((one) => one.alarm.id === alarm.id && one.list === 'alarm').map(({ target }) => target),
      ];
      const wanted = this.#wantedCalls(alarm, 'alarm').map(({ target }) => target);
      const { life, priority } = alarm;
      const { targets, reason } = recall({ life, before: before.priority, priority, wanted, underWay }, policy);
      for (const target of targets) this.#wanted.push({ alarm, list: 'alarm', target, at, dueAt: at });
      for (const cause of open.filter((one) => one.alarm_id === alarm.id && isOutdone(one, priority)))
        this.#wanted.push({ alarm, list: 'alarm', target: targetOf(cause), at, dueAt: at, origin: 'more-urgent' });
      const event = { kind: 'alarm.called-anew', actor: systemCaller.actor, data: { reason, targets } };
      if (targets.length > 0) events.append(entry, at, event);
    }
  }

  /** The alarms for which this transaction adds causes. */
  get alarmIds(): ReadonlySet<number> {
    return new Set(this.#wanted.map(({ alarm }) => alarm.id));
  }

  /** Ends the causes of an alarm: all of them, or only those still delayed. */
  #end({ id }: AlarmRecord, ending: Ending): void {
    const { how, at } = ending;
    // Causes added earlier in the same transaction end as well.
    this.#wanted = this.#wanted.flatMap((wanted) =>
      wanted.alarm.id === id ? remainingAfter(wanted, how, at) : [wanted],
    );
    if (how === 'end' || !this.#endings.has(id)) this.#endings.set(id, ending);
  }

  async write(): Promise<void> {
    const { tx, calls } = this.#parts;
    if (this.#endings.size > 0) await this.#endCauses(tx);
    for (const { entry } of this.#reprioritised())
      await tx.run(changePriority, { alarmId: entry.alarm.id, priority: entry.alarm.priority });
    if (this.#wanted.some(({ isBack }) => isBack)) {
      const { policy } = await readCallConfiguration(tx);
      const endsOnReturn = ({ alarm }: WantedCause): boolean => rulesOf(alarm.priority, policy).endOnReturn;
      this.#wanted = this.#wanted.filter((wanted) => !wanted.isBack || !endsOnReturn(wanted));
    }
    if (this.#wanted.length > 0) await this.#insertCauses(tx);
    await calls.write();
  }

  async #endCauses(tx: Tx): Promise<void> {
    const open = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([...this.#endings.keys()]) });
    if (open.length === 0) return;
    const { policy } = await readCallConfiguration(tx);
    const over = open.flatMap((cause) => {
      const ending = this.#endings.get(cause.alarm_id ?? 0);
      return ending !== undefined && endsCause(cause, ending, policy) ? [{ cause, ...ending }] : [];
    });
    await tx.each(
      causeRows.end,
      over.map(({ cause, at, reason }) => ({ id: cause.id, ended_at: at, ended_by: 'alarm', end_reason: reason })),
    );
    for (const { cause, reason, by } of over)
      if (cause.call_id !== null) this.#parts.calls.causesEnded(cause.call_id, reason, by);
    // For people who are in a conversation about one of them.
    const at = Math.max(...over.map((ending) => ending.at));
    const callIds = new Set(over.flatMap(({ cause }) => cause.call_id ?? []));
    await appendEvents(
      tx,
      [...callIds].map((subjectId) => ({ kind: 'call.cause-ended', actor: systemCaller.actor, subjectId, at })),
    );
  }

  async #insertCauses(tx: Tx): Promise<void> {
    const { ids } = this.#parts;
    const stations = await this.#stationNames(tx);
    await tx.each(
      causeRows.insert,
      this.#wanted.map(({ alarm, list, target, at, dueAt, origin = null }) => {
        const station = stations.get(alarm.stationId) ?? '';
        const { text, shortText } = callText(list, { ...alarm, at, station });
        return {
          kind: 'alarm',
          list,
          target_kind: target.kind,
          target_id: target.id,
          station_id: alarm.stationId,
          alarm_id: alarm.id,
          history_id: ids.optionalIdOf(alarm.occurrenceId) ?? null,
          message_id: null,
          // The priority may have changed after the cause was added.
          priority: this.#redefined.get(alarm.id)?.entry.alarm.priority ?? alarm.priority,
          is_transitory: alarm.life.rules.transitory ? 1 : 0,
          text,
          short_text: shortText,
          created_at: at,
          due_at: dueAt,
          origin,
        };
      }),
    );
  }

  /** Reads the stations only if a format contains `{station}`. */
  async #stationNames(tx: Tx): Promise<ReadonlyMap<number, string>> {
    const named = this.#wanted.filter(({ alarm, list }) => isNamed('{station}', alarm, list));
    if (named.length === 0) return new Map();
    const ids = JSON.stringify([...new Set(named.map(({ alarm }) => alarm.stationId))]);
    return new Map((await tx.all(selectStationNames, { ids })).map(({ id, name }) => [id, name]));
  }
}

/** The person who acknowledged, also where another one did it for them by telephone or console. */
function actorOf({ actor, acknowledger }: ChangedBy): string {
  return acknowledger?.userId === undefined ? actor : `user:${acknowledger.userId}`;
}

function targetOf({ target_kind, target_id }: { target_kind: string; target_id: number }): CallTarget {
  return { kind: target_kind as CallTarget['kind'], id: target_id };
}

/** Whether the alarm of a cause that has a call is more urgent now than it ever was since the cause was added. */
function isOutdone(
  cause: { call_id: number | null; list: string; priority: number; most_urgent: number | null },
  priority: number,
): boolean {
  const { call_id, list, most_urgent, priority: before } = cause;
  return call_id !== null && list === 'alarm' && priority < Math.min(most_urgent ?? before, before);
}

type EndableCause = {
  readonly call_id: number | null;
  readonly list: string;
  readonly priority: number;
  readonly is_transitory: number;
  readonly due_at: Instant;
};

/** Returns the cause unless the ending ends it; the rule for causes not stored yet, the same as in endsCause. */
function remainingAfter(wanted: WantedCause, how: Ending['how'], at: Instant): readonly WantedCause[] {
  if (how === 'end') return [];
  if (wanted.list !== 'alarm' || wanted.alarm.life.rules.transitory) return [wanted];
  return wanted.dueAt > at ? [] : [{ ...wanted, isBack: true }];
}

/** Whether the ending ends the cause. Back to normal ends delayed causes, and begun ones if the policy says so. */
function endsCause(cause: EndableCause, { how, at }: Ending, policy: CallPolicy): boolean {
  if (how === 'end') return true;
  if (cause.list !== 'alarm' || cause.is_transitory === 1) return false;
  const isDelayed = cause.call_id === null && cause.due_at > at;
  return isDelayed || rulesOf(cause.priority, policy).endOnReturn;
}

function reasonOf({ reason, life }: Transition, alarm: AlarmRecord): string {
  const { ackUser, ackUserId } = alarm;
  if (reason === 'acknowledged')
    return `acknowledged by ${ackUserId === undefined ? ackUser : refer.nameOfUser(ackUserId)}`;
  if (reason === 'masked') return `masked by ${life.mask?.by ?? ''}`;
  return 'back to normal';
}

function isNamed(placeholder: string, { definition }: AlarmRecord, list: ActionList): boolean {
  return definition[list].format.includes(placeholder);
}

const changePriority = sqlStatement<{ alarmId: number; priority: number }, unknown>(
  ({ alarmId, priority }) => sql`update ${target('call_causes')} set priority = ${priority},
    most_urgent = case when coalesce(most_urgent, priority) < ${priority} then coalesce(most_urgent, priority)
      else ${priority} end
    where alarm_id = ${alarmId} and ended_at is null`,
);

const selectStationNames = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('stations').select(['id', 'name']).where('id', 'in', idsIn(args.ids, kind)),
);
