// Adds and ends causes of calls when alarms change, in the transaction of the change.

import { type Targets, wantedCalls } from '../../domain/alarms/actions.ts';
import type { ActionList, Transition } from '../../domain/alarms/alarm.ts';
import type { AlarmAction } from '../../domain/alarms/definition.ts';
import { type CallPolicy, type CallTarget, targetName } from '../../domain/calls/call.ts';
import { callText } from '../../domain/calls/message-text.ts';
import { type Recall, recall } from '../../domain/calls/recall-on-priority.ts';
import { refer } from '../../domain/people/references.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { causeRows } from './call-rows.ts';
import { readCallConfiguration } from './configuration.ts';
import { selectOpenCausesOf } from './queries.ts';
import { CallUnitOfWork } from './unit-of-work.ts';

type WantedCause = {
  readonly alarm: AlarmRecord;
  readonly list: ActionList;
  readonly target: CallTarget;
  readonly at: Instant;
  readonly dueAt: Instant;
  /** Set if the alarm is back to normal already, in the same transaction. */
  readonly isBack?: true;
};

/** Provides the actions of an alarm, including those of its scenarios. */
type ActionSource = {
  readonly targets: Targets;
  actionsToRun(entry: { readonly alarm: AlarmRecord }, list: ActionList): readonly AlarmAction[];
};

/** Holds the tracked entry, not a copy: the state of the alarm when the transaction is written counts. */
type ActionsChange = {
  readonly entry: { readonly alarm: AlarmRecord };
  readonly before: AlarmRecord;
  readonly at: Instant;
};
type PriorityChange = {
  readonly entry: { readonly alarm: AlarmRecord };
  readonly before: number;
  readonly at: Instant;
};

/** An alarm whose targets are called again, for the event log. */
type RecalledAlarm = Recall & { readonly alarmId: number; readonly at: Instant };

type Ending = { readonly how: 'end' | 'cancel-delayed'; readonly at: Instant; readonly reason: string };

export class CallReaction {
  #wanted: WantedCause[] = [];
  readonly #endings = new Map<number, Ending>();
  readonly #redefined = new Map<number, ActionsChange>();
  readonly #reprioritised = new Map<number, PriorityChange>();
  #excludedCallId: number | undefined;

  /** Ends this call's causes without advancing the call; the caller advances it itself. */
  excludeCall(callId: number): void {
    this.#excludedCallId = callId;
  }

  /** Records the causes that begin and end with a transition of an alarm. */
  note(actions: ActionSource, entry: { readonly alarm: AlarmRecord }, transition: Transition, at: Instant): void {
    const { alarm } = entry;
    const { runningCalls, actions: lists } = transition;
    if (runningCalls !== 'go-on') this.end(alarm, at, reasonOf(transition, alarm), runningCalls);
    // A masked alarm calls nobody. The transition already leaves out the list `alarm`; this leaves out `reset` and
    // `ack`.
    if (alarm.life.mask === undefined) for (const list of lists) this.want(actions, entry, list, at);
  }

  /** Adds a cause for each target that the actions of the list call. */
  want(actions: ActionSource, entry: { readonly alarm: AlarmRecord }, list: ActionList, at: Instant): void {
    for (const { target, delayMs } of wantedCalls(actions.actionsToRun(entry, list), actions.targets, list))
      this.#wanted.push({ alarm: entry.alarm, list, target, at, dueAt: at + delayMs });
  }

  /** Records a change of priority; `before` is the priority at the start of the transaction. */
  reprioritise(entry: { readonly alarm: AlarmRecord }, before: number, at: Instant): void {
    const { id } = entry.alarm;
    this.#reprioritised.set(id, { entry, before: this.#reprioritised.get(id)?.before ?? before, at });
  }

  /** Adds causes for alarms that became more urgent after their calls ended, without the delay of the actions. */
  async recall(tx: Tx, actions: ActionSource): Promise<readonly RecalledAlarm[]> {
    for (const redefined of this.#redefined.values()) this.#wantAdded(actions, redefined);
    if (this.#reprioritised.size === 0) return [];
    const open = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([...this.#reprioritised.keys()]) });
    const { policy } = await readCallConfiguration(tx);
    const called: RecalledAlarm[] = [];
    for (const { entry, before, at } of this.#reprioritised.values()) {
      const { id, life, priority } = entry.alarm;
      const underWay = [
        ...open.filter(({ alarm_id, list }) => alarm_id === id && list === 'alarm').map(targetOf),
        ...this.#wanted.filter(({ alarm, list }) => alarm.id === id && list === 'alarm').map(({ target }) => target),
      ];
      const wanted = wantedCalls(actions.actionsToRun(entry, 'alarm'), actions.targets, 'alarm');
      const again = recall({ life, before, priority, wanted: wanted.map(({ target }) => target), underWay }, policy);
      for (const target of again.targets)
        this.#wanted.push({ alarm: entry.alarm, list: 'alarm', target, at, dueAt: at });
      if (again.targets.length > 0) called.push({ ...again, alarmId: id, at });
    }
    return called;
  }

  /** Records a change of the actions of an alarm. */
  redefine(entry: { readonly alarm: AlarmRecord }, before: AlarmRecord, at: Instant): void {
    const { id } = entry.alarm;
    this.#redefined.set(id, { entry, before: this.#redefined.get(id)?.before ?? before, at });
  }

  /** Calls targets added to the actions of an active alarm as if it was raised now. */
  #wantAdded(actions: ActionSource, { entry: { alarm }, before, at }: ActionsChange): void {
    if (alarm.life.state !== 3 || alarm.life.mask !== undefined) return;
    const wantedBy = ({ definition }: AlarmRecord) => wantedCalls(definition.alarm.actions, actions.targets, 'alarm');
    const called = this.#wanted.filter((wanted) => wanted.alarm.id === alarm.id && wanted.list === 'alarm');
    const known = new Set([...wantedBy(before), ...called].map(({ target }) => targetName(target)));
    for (const { target, delayMs } of wantedBy(alarm))
      if (!known.has(targetName(target))) this.#wanted.push({ alarm, list: 'alarm', target, at, dueAt: at + delayMs });
  }

  /** The alarms for which this transaction adds causes. */
  get alarmIds(): ReadonlySet<number> {
    return new Set(this.#wanted.map(({ alarm }) => alarm.id));
  }

  /** Ends the causes of an alarm: all of them, or only those still delayed. */
  end({ id }: Pick<AlarmRecord, 'id'>, at: Instant, reason: string, how: Ending['how'] = 'end'): void {
    // Causes added earlier in the same transaction end as well.
    this.#wanted = this.#wanted.flatMap((wanted) =>
      wanted.alarm.id === id ? remainingAfter(wanted, how, at) : [wanted],
    );
    if (how === 'end' || !this.#endings.has(id)) this.#endings.set(id, { how, at, reason });
  }

  /** `historyOf` returns the id of the history entry of an occurrence. */
  async write(tx: Tx, historyOf: (id: number) => number): Promise<void> {
    if (this.#endings.size > 0) await this.#endCauses(tx);
    for (const [alarmId, { entry }] of this.#reprioritised)
      await tx.run(changePriority, { alarmId, priority: entry.alarm.priority });
    if (this.#wanted.some(({ isBack }) => isBack)) {
      const { endOnReturn } = (await readCallConfiguration(tx)).policy;
      this.#wanted = this.#wanted.filter(({ isBack, alarm }) => !isBack || !endOnReturn.includes(alarm.priority));
    }
    if (this.#wanted.length > 0) await this.#insertCauses(tx, historyOf);
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
    for (const [at, ended] of Map.groupBy(over, (ending) => ending.at)) {
      const calls = new CallUnitOfWork(tx, at);
      await calls.load(ended.flatMap(({ cause }) => cause.call_id ?? []).filter((id) => id !== this.#excludedCallId));
      calls.endCallsWithoutCauses(ended[0]?.reason ?? '');
      await calls.write();
    }
  }

  async #insertCauses(tx: Tx, historyOf: (id: number) => number): Promise<void> {
    const timeOf = await this.#timePrinter(tx);
    const stations = await this.#stationNames(tx);
    await tx.each(
      causeRows.insert,
      this.#wanted.map(({ alarm, list, target, at, dueAt }) => {
        const station = stations.get(alarm.stationId) ?? '';
        const { text, shortText } = callText(list, { ...alarm, time: timeOf(at), station });
        return {
          kind: 'alarm',
          list,
          target_kind: target.kind,
          target_id: target.id,
          station_id: alarm.stationId,
          alarm_id: alarm.id,
          history_id: alarm.occurrenceId === undefined ? null : historyOf(alarm.occurrenceId),
          message_id: null,
          // The priority may have changed after the cause was added.
          priority: this.#reprioritised.get(alarm.id)?.entry.alarm.priority ?? alarm.priority,
          is_transitory: alarm.life.rules.transitory ? 1 : 0,
          text,
          short_text: shortText,
          created_at: at,
          due_at: dueAt,
        };
      }),
    );
  }

  /** Reads the policy only if a format contains `{time}`. */
  async #timePrinter(tx: Tx): Promise<(at: Instant) => string> {
    if (!this.#wanted.some(({ alarm, list }) => isNamed('{time}', alarm, list))) return () => '';
    const { timeZone } = (await readCallConfiguration(tx)).policy;
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    return (at) => format.format(at);
  }

  /** Reads the stations only if a format contains `{station}`. */
  async #stationNames(tx: Tx): Promise<ReadonlyMap<number, string>> {
    const named = this.#wanted.filter(({ alarm, list }) => isNamed('{station}', alarm, list));
    if (named.length === 0) return new Map();
    const ids = JSON.stringify([...new Set(named.map(({ alarm }) => alarm.stationId))]);
    return new Map((await tx.all(selectStationNames, { ids })).map(({ id, name }) => [id, name]));
  }
}

function targetOf({ target_kind, target_id }: { target_kind: string; target_id: number }): CallTarget {
  return { kind: target_kind as CallTarget['kind'], id: target_id };
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
  return isDelayed || policy.endOnReturn.includes(cause.priority);
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

const changePriority = statement((db, args: { alarmId: number; priority: number }) =>
  db
    .updateTable('call_causes')
    .set({ priority: args.priority })
    .where('alarm_id', '=', args.alarmId)
    .where('ended_at', 'is', null),
);

const selectStationNames = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('stations').select(['id', 'name']).where('id', 'in', idsIn(args.ids, kind)),
);
