// What changes of alarms mean for calling, in the transaction of the change: causes that come, causes that end.

import { type Targets, wantedCalls } from '../../domain/alarms/actions.ts';
import type { ActionList, Transition } from '../../domain/alarms/alarm.ts';
import type { AlarmAction } from '../../domain/alarms/definition.ts';
import { type CallPolicy, type CallTarget, targetName } from '../../domain/calls/call.ts';
import { callText } from '../../domain/calls/message-text.ts';
import { type Recall, recall } from '../../domain/calls/recall-on-priority.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { AlarmRecord } from '../../store/stored-alarm.ts';
import { causeRows } from './call-rows.ts';
import { readCallConfiguration } from './configuration.ts';
import { selectOpenCausesOf } from './queries.ts';
import { CallUnitOfWork } from './unit-of-work.ts';

type Wanted = {
  readonly alarm: AlarmRecord;
  readonly list: ActionList;
  readonly target: CallTarget;
  readonly at: Instant;
  readonly dueAt: Instant;
  /** Whether the alarm is back to normal already, in the same transaction. */
  readonly isBack?: true;
};

/** Where the actions of an alarm are known, those of its scenarios among them. */
type ActionsOf = {
  readonly targets: Targets;
  actionsToRun(entry: { readonly alarm: AlarmRecord }, list: ActionList): readonly AlarmAction[];
};

/** Where an alarm stands when the transaction is written counts, so it is looked at then. */
type Redefined = {
  readonly entry: { readonly alarm: AlarmRecord };
  readonly before: AlarmRecord;
  readonly at: Instant;
};
type Reprioritised = { readonly entry: { readonly alarm: AlarmRecord }; readonly before: number; readonly at: Instant };

/** An alarm that is called for anew, to be told of. */
type CalledAnew = Recall & { readonly alarmId: number; readonly at: Instant };

type Ending = { readonly how: 'end' | 'cancel-delayed'; readonly at: Instant; readonly reason: string };

export class CallReaction {
  #wanted: Wanted[] = [];
  readonly #endings = new Map<number, Ending>();
  readonly #redefined = new Map<number, Redefined>();
  readonly #reprioritised = new Map<number, Reprioritised>();
  #left: number | undefined;

  /** What this call is for ends as well, but what that means for the call is for somebody else to see to. */
  leave(callId: number): void {
    this.#left = callId;
  }

  /** Notes what a step in the life of an alarm means for calls. */
  note(actions: ActionsOf, entry: { readonly alarm: AlarmRecord }, transition: Transition, at: Instant): void {
    const { alarm } = entry;
    const { runningCalls, actions: lists } = transition;
    if (runningCalls !== 'go-on') this.end(alarm, at, reasonOf(transition, alarm), runningCalls);
    // Masked, nobody is called; the domain holds back the alarm's own actions, and these are the others.
    if (alarm.life.mask === undefined) for (const list of lists) this.want(actions, entry, list, at);
  }

  /** Calls for what the actions of a list ask for. */
  want(actions: ActionsOf, entry: { readonly alarm: AlarmRecord }, list: ActionList, at: Instant): void {
    for (const { target, delayMs } of wantedCalls(actions.actionsToRun(entry, list), actions.targets, list))
      this.#wanted.push({ alarm: entry.alarm, list, target, at, dueAt: at + delayMs });
  }

  /** An alarm became more urgent, or less. */
  reprioritise(entry: { readonly alarm: AlarmRecord }, before: number, at: Instant): void {
    const { id } = entry.alarm;
    this.#reprioritised.set(id, { entry, before: this.#reprioritised.get(id)?.before ?? before, at });
  }

  /** Calls for what became more urgent after its calls had ended; whoever waited out a delay then does not wait again. */
  async recall(tx: Tx, actions: ActionsOf): Promise<readonly CalledAnew[]> {
    for (const redefined of this.#redefined.values()) this.#wantAdded(actions, redefined);
    if (this.#reprioritised.size === 0) return [];
    const open = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([...this.#reprioritised.keys()]) });
    const { policy } = await readCallConfiguration(tx);
    const called: CalledAnew[] = [];
    for (const { entry, before, at } of this.#reprioritised.values()) {
      const { id, life, priority } = entry.alarm;
      const underWay = [
        ...open.filter(({ alarm_id, list }) => alarm_id === id && list === 'alarm').map(targetOf),
        ...this.#wanted.filter(({ alarm, list }) => alarm.id === id && list === 'alarm').map(({ target }) => target),
      ];
      const wanted = wantedCalls(actions.actionsToRun(entry, 'alarm'), actions.targets, 'alarm');
      const anew = recall({ life, before, priority, wanted: wanted.map(({ target }) => target), underWay }, policy);
      for (const target of anew.targets)
        this.#wanted.push({ alarm: entry.alarm, list: 'alarm', target, at, dueAt: at });
      if (anew.targets.length > 0) called.push({ ...anew, alarmId: id, at });
    }
    return called;
  }

  /** An alarm has other actions. */
  redefine(entry: { readonly alarm: AlarmRecord }, before: AlarmRecord, at: Instant): void {
    const { id } = entry.alarm;
    this.#redefined.set(id, { entry, before: this.#redefined.get(id)?.before ?? before, at });
  }

  /** Whom an active alarm names that it did not name before is called as if it was raised now. */
  #wantAdded(actions: ActionsOf, { entry: { alarm }, before, at }: Redefined): void {
    if (alarm.life.state !== 3 || alarm.life.mask !== undefined) return;
    const wantedBy = ({ definition }: AlarmRecord) => wantedCalls(definition.alarm.actions, actions.targets, 'alarm');
    const called = this.#wanted.filter((wanted) => wanted.alarm.id === alarm.id && wanted.list === 'alarm');
    const known = new Set([...wantedBy(before), ...called].map(({ target }) => targetName(target)));
    for (const { target, delayMs } of wantedBy(alarm))
      if (!known.has(targetName(target))) this.#wanted.push({ alarm, list: 'alarm', target, at, dueAt: at + delayMs });
  }

  /** The alarms somebody is called for now. */
  get alarmIds(): ReadonlySet<number> {
    return new Set(this.#wanted.map(({ alarm }) => alarm.id));
  }

  /** Ends what is called for an alarm: all of it, or only what is still delayed. */
  end({ id }: Pick<AlarmRecord, 'id'>, at: Instant, reason: string, how: Ending['how'] = 'end'): void {
    // What was wanted earlier in the same transaction ends as well.
    this.#wanted = this.#wanted.flatMap((wanted) => (wanted.alarm.id === id ? leftOf(wanted, how, at) : [wanted]));
    if (how === 'end' || !this.#endings.has(id)) this.#endings.set(id, { how, at, reason });
  }

  /** `historyOf` gives the id an occurrence is written with. */
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
      return ending !== undefined && isOver(cause, ending, policy) ? [{ cause, ...ending }] : [];
    });
    await tx.each(
      causeRows.end,
      over.map(({ cause, at, reason }) => ({ id: cause.id, ended_at: at, ended_by: 'alarm', end_reason: reason })),
    );
    for (const [at, those] of Map.groupBy(over, (ended) => ended.at)) {
      const calls = new CallUnitOfWork(tx, at);
      await calls.load(those.flatMap(({ cause }) => cause.call_id ?? []).filter((id) => id !== this.#left));
      calls.endWhatIsOver(those[0]?.reason ?? '');
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
          // It may have changed after the call was asked for.
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

  /** Only where somebody's format names the time: an alarm that calls needs no look at the policy otherwise. */
  async #timePrinter(tx: Tx): Promise<(at: Instant) => string> {
    if (!this.#wanted.some(({ alarm, list }) => isNamed('{time}', alarm, list))) return () => '';
    const { timeZone } = (await readCallConfiguration(tx)).policy;
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    return (at) => format.format(at);
  }

  /** Only where somebody's format names the station. */
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

type OpenCause = {
  readonly call_id: number | null;
  readonly list: string;
  readonly priority: number;
  readonly is_transitory: number;
  readonly due_at: Instant;
};

/** What an ending leaves of a call that was wanted before it; as isOver says of one that is stored. */
function leftOf(wanted: Wanted, how: Ending['how'], at: Instant): readonly Wanted[] {
  if (how === 'end') return [];
  if (wanted.list !== 'alarm' || wanted.alarm.life.rules.transitory) return [wanted];
  return wanted.dueAt > at ? [] : [{ ...wanted, isBack: true }];
}

/** Back to normal ends what has not begun, and what has only where the policy says so. */
function isOver(cause: OpenCause, { how, at }: Ending, policy: CallPolicy): boolean {
  if (how === 'end') return true;
  if (cause.list !== 'alarm' || cause.is_transitory === 1) return false;
  const isDelayed = cause.call_id === null && cause.due_at > at;
  return isDelayed || policy.endOnReturn.includes(cause.priority);
}

function reasonOf({ reason, life }: Transition, alarm: AlarmRecord): string {
  if (reason === 'acknowledged') return `acknowledged by ${alarm.ackUser}`;
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
