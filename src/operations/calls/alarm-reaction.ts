// Adds and ends causes of calls when alarms change, in the transaction of the change.

import { sql } from 'kysely';
import { oncePerTarget, wantedCalls } from '../../domain/alarms/actions.ts';
import type { ActionList, Transition } from '../../domain/alarms/alarm.ts';
import { type CallPolicy, type CallTarget, rulesOf, targetName } from '../../domain/calls/call.ts';
import { callText } from '../../domain/calls/message-text.ts';
import type { Reason } from '../../domain/escalation/reason.ts';
import { refer } from '../../domain/people/references.ts';
import { appendEvents } from '../../store/event-log.ts';
import type { NewIds } from '../../store/new-ids.ts';
import { isOneOfIds, sqlStatement, statement } from '../../store/statement.ts';
import { target } from '../../store/statement-tables.ts';
import type { Instant, Tx } from '../../store/store.ts';
import type { ActionsToRun } from '../alarms/actions-to-run.ts';
import type { AlarmChange, ChangedBy, Reaction, TrackedAlarm } from '../alarms/reaction.ts';
import type { AlarmRecord } from '../alarms/record.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { type Dropped, dropTargets } from './dropped-targets.ts';
import { callsChanged } from './engine/call-events.ts';
import { endCauses, insertCauses, targetOf } from './engine/rows/escalation-rows.ts';
import { selectOpenCausesOf } from './queries.ts';
import { climbingIn, goOnCalling, isAwaitingRound, undoRounds } from './raised-again.ts';

type WantedCause = {
  readonly alarm: AlarmRecord;
  readonly list: ActionList;
  readonly target: CallTarget;
  readonly at: Instant;
  readonly dueAt: Instant;
  /** Set if the alarm is called again because its acknowledgement expired. */
  readonly origin?: 'ack-expired';
  /** Since when the alarm was back to normal, if it is raised again. */
  readonly backSince?: Instant;
  /** Set if the alarm is back to normal already, in the same transaction. */
  readonly isBack?: true;
};

/** Holds the tracked entry, not a copy: the state of the alarm when the transaction is written counts. */
type Redefinition = { readonly entry: TrackedAlarm; readonly before: AlarmRecord; readonly at: Instant };

type Ending = {
  readonly how: 'end' | 'cancel-delayed';
  readonly at: Instant;
  readonly reason: Reason;
};

/** By id. */
type StationNames = ReadonlyMap<number, string>;

/** A cause of an earlier occurrence whose calling goes on, and what is wanted for the new one. */
type Again = { readonly causeId: number; readonly wanted: readonly [WantedCause, ...WantedCause[]] };

/** `of`: the cause whose escalation it becomes; undefined for a cause of its own. */
type Added = WantedCause & { readonly of: number | undefined };

type Parts = {
  readonly tx: Tx;
  readonly ids: NewIds;
  readonly actions: ActionsToRun;
};

export class CallReaction implements Reaction {
  readonly #parts: Parts;
  #wanted: WantedCause[] = [];
  readonly #endings = new Map<number, Ending>();
  /** Alarms with another priority or other actions, as they were at the start of the transaction. */
  readonly #redefined = new Map<number, Redefinition>();
  readonly #dropped: Dropped[] = [];
  /** The alarms that came again and whose calling went on; known when this is written. */
  readonly wentOn: { readonly alarm: AlarmRecord; readonly at: Instant }[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  note(change: AlarmChange): void {
    const { entry, before, at } = change;
    if (change.kind === 'transition') this.#noteTransition(entry, change.transition, at, before.resetTime);
    if (change.kind === 'removed')
      this.#end(entry.alarm, { how: 'end', at, reason: { code: 'alarm-removed', by: personIn(change.by) } });
    if (change.kind === 'redefined') {
      const { id } = entry.alarm;
      this.#redefined.set(id, { entry, before: this.#redefined.get(id)?.before ?? before, at });
    }
  }

  /** Records the causes that begin and end with a transition of an alarm. */
  #noteTransition(entry: TrackedAlarm, transition: Transition, at: Instant, backSince: Instant | undefined): void {
    const { runningCalls: how, actions: lists } = transition;
    if (how !== 'go-on') this.#end(entry.alarm, { how, at, reason: reasonOf(transition, entry.alarm) });
    // A masked alarm calls nobody. The transition already leaves out the list `alarm`; this leaves out `reset` and
    // `ack`.
    if (entry.alarm.life.mask === undefined) for (const list of lists) this.want(entry, list, at, backSince);
    if (transition.isCalledAgain) this.#callAgain(entry, at);
  }

  /** Adds a cause for each target that the actions of the list call. */
  want({ alarm }: TrackedAlarm, list: ActionList, at: Instant, backSince = at): void {
    for (const { target, delayMs } of this.#wantedCalls(alarm, list))
      this.#wanted.push({ alarm, list, target, at, dueAt: at + delayMs, backSince });
  }

  /** Calls for an alarm whose acknowledgement expired, without the delay of the actions: it is an old alarm. */
  #callAgain({ alarm }: TrackedAlarm, at: Instant): void {
    for (const { target } of this.#wantedCalls(alarm, 'alarm'))
      this.#wanted.push({ alarm, list: 'alarm', target, at, dueAt: at, origin: 'ack-expired' });
  }

  #wantedCalls(alarm: AlarmRecord, list: ActionList) {
    const { actions } = this.#parts;
    return oncePerTarget(wantedCalls(actions.of(alarm, list), actions.targets, list));
  }

  async conclude(): Promise<void> {
    for (const redefined of this.#redefined.values()) this.#wantNamed(redefined);
  }

  #reprioritised(): readonly Redefinition[] {
    return [...this.#redefined.values()].filter(({ entry, before }) => entry.alarm.priority !== before.priority);
  }

  /** Calls targets added to the actions of an active alarm as if it was raised now, and those it names no more no longer. */
  #wantNamed({ entry: { alarm }, before, at }: Redefinition): void {
    if (alarm.definition.alarm.actions === before.definition.alarm.actions) return;
    if (alarm.life.state !== 3 || alarm.life.mask !== undefined) return;
    const { targets } = this.#parts.actions;
    const wantedBy = ({ definition }: AlarmRecord) =>
      oncePerTarget(wantedCalls(definition.alarm.actions, targets, 'alarm'));
    const called = this.#wanted.filter((wanted) => wanted.alarm.id === alarm.id && wanted.list === 'alarm');
    const known = new Set([...wantedBy(before), ...called].map(({ target }) => targetName(target)));
    for (const { target, delayMs } of wantedBy(alarm))
      if (!known.has(targetName(target))) this.#wanted.push({ alarm, list: 'alarm', target, at, dueAt: at + delayMs });
    const named = new Set(this.#wantedCalls(alarm, 'alarm').map(({ target }) => targetName(target)));
    const gone = new Set([...known].filter((name) => !named.has(name)));
    if (gone.size > 0) this.#dropped.push({ alarmId: alarm.id, at, targets: gone, isAll: named.size === 0 });
    const isGone = (one: WantedCause): boolean => one.list === 'alarm' && gone.has(targetName(one.target));
    this.#wanted = this.#wanted.filter((one) => one.alarm.id !== alarm.id || !isGone(one));
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
    const { tx } = this.#parts;
    if (this.#endings.size > 0) await this.#endCauses(tx);
    await dropTargets(tx, this.#dropped);
    // A raise decides by what was open before; an alarm that is only changed is called anew if it is more urgent.
    const raises = this.#wanted.filter(({ list, backSince }) => list === 'alarm' && backSince !== undefined);
    const raised = new Set(raises.map(({ alarm }) => alarm.id));
    for (const { entry } of this.#reprioritised()) {
      const { id: alarmId, priority } = entry.alarm;
      await tx.run(raised.has(alarmId) ? changePriority : changePriorityAndReopen, { alarmId, priority });
    }
    if (this.#wanted.some(({ isBack }) => isBack)) {
      const { policy } = await readCallConfiguration(tx);
      const endsOnReturn = ({ alarm }: WantedCause): boolean => rulesOf(alarm.priority, policy).endOnReturn;
      this.#wanted = this.#wanted.filter((wanted) => !wanted.isBack || !endsOnReturn(wanted));
    }
    if (this.#wanted.length > 0) await this.#addCauses(tx);
  }

  async #endCauses(tx: Tx): Promise<void> {
    const open = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([...this.#endings.keys()]) });
    if (open.length === 0) return;
    const { policy } = await readCallConfiguration(tx);
    const over: (OpenRow & { readonly ending: Ending })[] = [];
    const delayed: OpenRow[] = [];
    const unwaited: OpenRow[] = [];
    for (const rows of Map.groupBy(open, ({ cause_id }) => cause_id).values()) {
      const [first] = rows;
      const ending = this.#endings.get(first?.alarm_id ?? 0);
      if (first === undefined || ending === undefined) continue;
      unwaited.push(...rows.filter((row) => isUndone(row, ending)));
      const ended = rows.filter((row) => endsEscalation(row, ending, policy));
      if (ended.length === rows.length) over.push({ ...first, ending });
      else delayed.push(...ended);
    }
    await endCauses(
      tx,
      over.map(({ id, cause_id, ending: { at, reason } }) => ({ causeId: cause_id ?? id, at, by: 'alarm', reason })),
    );
    // The delayed escalations of a cause whose others have begun.
    if (delayed.length > 0) await tx.run(dropDelayed, { ids: JSON.stringify(delayed.map(({ id }) => id)) });
    await undoRounds(tx, unwaited);
    await this.#tellConsoles(tx, over);
  }

  async #tellConsoles(tx: Tx, over: readonly (OpenRow & { readonly ending: Ending })[]): Promise<void> {
    const at = Math.max(...over.map(({ ending }) => ending.at));
    const callIds = new Set(over.flatMap(({ call_id }) => call_id ?? []));
    await appendEvents(
      tx,
      [...callIds].map((subjectId) => ({ kind: callsChanged, actor: 'system', subjectId, at })),
    );
  }

  /**
   * An alarm that is raised again is announced once, in its present state: calling that nobody has ended by taking the alarm goes on
   * for the new occurrence, any other cause of an earlier one ends.
   */
  async #addCauses(tx: Tx): Promise<void> {
    const alarmIds = [...new Set(this.#wanted.map(({ alarm }) => alarm.id))];
    const open = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify(alarmIds) });
    const ended = new Map<number, Instant>();
    const again: Again[] = [];
    const added: Added[] = [];
    const { policy } = await readCallConfiguration(tx);
    for (const wanted of byList(newestOf(this.#wanted))) {
      const [{ alarm, list, at, origin, backSince = at }] = wanted;
      const { priority } = this.#redefined.get(alarm.id)?.entry.alarm ?? alarm;
      const known = open.filter((row) => row.alarm_id === alarm.id && row.list === list);
      const present = known.filter((row) => wanted.every((one) => this.#isOfOccurrence(one, row)));
      const isElse = present.length > 0 || list !== 'alarm' || origin !== undefined;
      const climbing = isElse ? [] : climbingIn(known, wanted, { at, backSince, ...rulesOf(priority, policy) });
      const goesOn = [...present, ...climbing];
      for (const row of known) if (!goesOn.includes(row)) ended.set(row.cause_id ?? row.id, at);
      const of = goesOn[0]?.cause_id ?? undefined;
      if (climbing.length > 0 && of !== undefined) {
        again.push({ causeId: of, wanted });
        this.wentOn.push({ alarm, at });
      }
      const isKnown = new Set(goesOn.map((row) => targetName(targetOf(row))));
      const delayed = known
        .filter(({ state, round }) => state === 'open' && round === 0)
        .map((row) => ({ target: targetOf(row), dueAt: row.due_at }));
      for (const one of wanted)
        if (!isKnown.has(targetName(one.target))) added.push({ ...one, dueAt: dueAtOf(one, delayed), of });
    }
    const reason = { code: 'raised-again' } as const;
    await endCauses(
      tx,
      [...ended].map(([causeId, at]) => ({ causeId, at, by: 'raised-again', reason })),
    );
    const stations = await this.#stationNames(tx);
    await goOnCalling(
      tx,
      again.map(({ causeId, wanted }) => {
        const [first] = wanted;
        return { causeId, at: first.at, occurrence: this.#occurrenceOf(first, stations), wanted };
      }),
      policy,
    );
    await this.#insertCauses(tx, added, stations);
  }

  #isOfOccurrence({ alarm, origin }: WantedCause, row: OpenRow): boolean {
    return origin === undefined && row.history_id === (this.#parts.ids.optionalIdOf(alarm.occurrenceId) ?? null);
  }

  async #insertCauses(tx: Tx, added: readonly Added[], stations: StationNames): Promise<void> {
    await insertCauses(
      tx,
      added.map((wanted) => {
        const { alarm, list, target, at, dueAt, origin = null, of } = wanted;
        return {
          kind: 'alarm',
          list,
          target_kind: target.kind,
          target_id: target.id,
          station_id: alarm.stationId,
          alarm_id: alarm.id,
          message_id: null,
          ...this.#occurrenceOf(wanted, stations),
          created_at: at,
          due_at: dueAt,
          origin,
          together: `${alarm.id} ${list}`,
          ...(of === undefined ? {} : { of }),
        };
      }),
    );
  }

  #occurrenceOf({ alarm, list, at }: WantedCause, stations: StationNames) {
    const { text, shortText } = callText(list, { ...alarm, at, station: stations.get(alarm.stationId) ?? '' });
    return {
      history_id: this.#parts.ids.optionalIdOf(alarm.occurrenceId) ?? null,
      // The priority may have changed after the cause was added.
      priority: this.#redefined.get(alarm.id)?.entry.alarm.priority ?? alarm.priority,
      is_transitory: alarm.life.rules.transitory ? 1 : 0,
      text,
      short_text: shortText,
    };
  }

  /** Reads the stations only if a format contains `{station}`. */
  async #stationNames(tx: Tx): Promise<StationNames> {
    const named = this.#wanted.filter(({ alarm, list }) => isNamed('{station}', alarm, list));
    if (named.length === 0) return new Map();
    const ids = JSON.stringify([...new Set(named.map(({ alarm }) => alarm.stationId))]);
    return new Map((await tx.all(selectStationNames, { ids })).map(({ id, name }) => [id, name]));
  }
}

/** The reference to the person who did it, or the name of who else has. */
function personIn({ actor, acknowledger }: ChangedBy): string {
  const [, userId = acknowledger?.userId] = /^user:(\d+)$/.exec(actor) ?? [];
  return userId === undefined ? (acknowledger?.name ?? actor) : refer.nameOfUser(Number(userId));
}

/** Of an alarm that is raised several times in one transaction the last occurrence is called for. */
function newestOf(wanted: readonly WantedCause[]): readonly WantedCause[] {
  return byList(wanted).flatMap((ofList) => {
    const newest = ofList.filter(({ alarm }) => alarm.occurrenceId === ofList.at(-1)?.alarm.occurrenceId);
    return newest.map((one) => ({ ...one, dueAt: dueAtOf(one, ofList) }));
  });
}

/** Of each action list of each alarm. */
function byList(wanted: readonly WantedCause[]): readonly Again['wanted'][] {
  return [...Map.groupBy(wanted, ({ alarm, list }) => `${alarm.id} ${list}`).values()] as [
    WantedCause,
    ...WantedCause[],
  ][];
}

type Due = Pick<WantedCause, 'target' | 'dueAt'>;

/** An alarm that is raised again during the delay of its call waits no longer for it. */
function dueAtOf({ target, dueAt }: Due, delayed: readonly Due[]): Instant {
  const same = delayed.filter((one) => targetName(one.target) === targetName(target));
  return Math.min(dueAt, ...same.map((one) => one.dueAt));
}

type OpenRow = NonNullable<(typeof selectOpenCausesOf)['types']>['row'];

/** Returns the cause unless the ending ends it; the rule for causes not stored yet, the same as in endsCause. */
function remainingAfter(wanted: WantedCause, how: Ending['how'], at: Instant): readonly WantedCause[] {
  if (how === 'end') return [];
  if (wanted.list !== 'alarm' || wanted.alarm.life.rules.transitory) return [wanted];
  return wanted.dueAt > at ? [] : [{ ...wanted, isBack: true }];
}

/** Whether the ending ends the escalation. Back to normal ends delayed ones, and begun ones if the policy says so. */
function endsEscalation(row: OpenRow, { how, at }: Ending, policy: CallPolicy): boolean {
  if (how === 'end') return true;
  if (row.list !== 'alarm' || row.is_transitory === 1) return false;
  const isDelayed = row.round === 0 && row.due_at > at;
  return isDelayed || rulesOf(row.priority, policy).endOnReturn;
}

/** Whether a further round was to begin after the delay of an occurrence that is back to normal before. */
function isUndone(row: OpenRow, { how, at }: Ending): boolean {
  return how === 'cancel-delayed' && row.is_transitory === 0 && row.due_at > at && isAwaitingRound(row);
}

function reasonOf({ reason, life }: Transition, alarm: AlarmRecord): Reason {
  const { ackUser, ackUserId } = alarm;
  if (reason === 'acknowledged')
    return { code: 'taken', by: ackUserId === undefined ? ackUser : refer.nameOfUser(ackUserId) };
  if (reason === 'masked') return { code: 'masked', by: life.mask?.by ?? '' };
  return { code: 'back-to-normal' };
}

function isNamed(placeholder: string, { definition }: AlarmRecord, list: ActionList): boolean {
  return definition[list].format.includes(placeholder);
}

type Reprioritised = { readonly alarmId: number; readonly priority: number };

const changePriority = statement((db, { alarmId, priority }: Reprioritised) =>
  db
    .updateTable('call_causes')
    .set((eb) => ({ priority, version: eb('version', '+', 1) }))
    .where('alarm_id', '=', alarmId)
    .where('ended_at', 'is', null),
);

/** One that was called in vain, and whose priority does not repeat, is decided on again. */
const changePriorityAndReopen = sqlStatement<Reprioritised, unknown>(
  ({ alarmId, priority }) => sql`update ${target('call_causes')} set priority = ${priority}, version = version + 1,
    state = case state when 'exhausted' then 'open' else state end where alarm_id = ${alarmId} and ended_at is null`,
);

const dropDelayed = statement((db, args: { ids: string }, kind) =>
  db
    .updateTable('call_causes')
    .set((eb) => ({ state: 'done', version: eb('version', '+', 1) }))
    .where(isOneOfIds('id', args.ids, kind)),
);

const selectStationNames = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('stations')
    .select(['id', 'name'])
    .where(isOneOfIds('id', args.ids, kind)),
);
