// Calls by request: users with a message or a test, groups by a temporary alarm, and drills of groups.

import { type Caller, seesPerson, seesStation } from '../../domain/access/access.ts';
import { defaultPriority } from '../../domain/alarms/definition.ts';
import { canBeReached, canBeTold, type NumberContext, unverifiedText } from '../../domain/calls/usable-numbers.ts';
import { mark, withoutMarks } from '../../domain/calls/words/stored-text.ts';
import type { Reason } from '../../domain/escalation/reason.ts';
import { standInFor } from '../../domain/on-call/on-duty.ts';
import { readinessOf } from '../../domain/on-call/readiness.ts';
import type { CallGroup } from '../../domain/people/call-group.ts';
import type { Person } from '../../domain/people/person.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { searchableText } from '../../domain/search.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import { reportAlarm } from '../alarms/intake/report.ts';
import { appendAudit, appendAudits, onlyStation } from '../audit/append.ts';
import { attemptEntry } from '../audit/attempt-entry.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { keyed } from '../keyed-operation.ts';
import { mediaNamesAmong } from '../media/queries.ts';
import { loadGroupings } from '../people/call-group-rows.ts';
import { attemptRows } from './attempts.ts';
import { insertCauses } from './engine/rows/escalation-rows.ts';
import { lockedNumbers } from './inputs/locked-numbers.ts';

export type Message = {
  readonly text: string;
  readonly num: number;
  readonly audio: string;
  readonly file: string;
};

type CallUsers = {
  readonly caller: Caller;
  readonly userIds: readonly number[];
  readonly message: Message;
  readonly kind: 'message' | 'test';
};

/** The id of the stored message, whether all named users are called, and warnings about what cannot be used. */
type UsersCalled = { readonly messageId: number; readonly isEverybody: boolean; readonly warnings: readonly string[] };

export const callUsers: Operation<CallUsers, UsersCalled> = {
  name: 'call-users',
  async run(tx, now, { caller, userIds, message, kind }) {
    const context = await requestContext(tx, now);
    const { snapshot } = context;
    const wanted = [...new Set(userIds)];
    const isSeen = (person: Person): boolean => seesPerson(caller, person);
    const known = wanted.flatMap((id) => snapshot.people.get(id) ?? []).filter(isSeen);
    if (wanted.length === 0) throw namesNobody('userIds');
    const standIn = ({ id }: Person): number => standInFor(id, snapshot).userId;
    // Who gets a notice alone is not reached, and gets the notice.
    const called = known.filter((person) => canBeTold(standIn(person), context, now));
    const isEverybody =
      called.length === wanted.length && called.every((one) => canBeReached(standIn(one), context, now));
    const messageId = await storeMessage(tx, now, message, caller);
    const station = caller.stationIds[0] ?? defaultStationId;
    await insertCauses(
      tx,
      called.map(({ id }) => causeOf(now, kind, { kind: 'user', id }, station, message, messageId)),
    );
    const isCalled = new Set(called.map(({ id }) => id));
    await insertFailedAttempts(
      tx,
      now,
      kind,
      station,
      wanted
        .filter((id) => !isCalled.has(id))
        .map((id) =>
          failedCall(
            id,
            known.find((person) => person.id === id),
          ),
        ),
    );
    await appendEvent(tx, now, {
      kind: 'users.called',
      actor: caller.actor,
      stationId: station,
      subjectId: messageId,
      data: { userIds: wanted, kind },
    });
    await appendAudit(tx, now, {
      kind: 'call.requested',
      origin: caller,
      stationId: onlyStation(caller.stationIds),
      subject: `message:${messageId}`,
      after: { kind, userIds: wanted, calledIds: called.map(({ id }) => id), ...contentOf(message) },
    });
    return { messageId, isEverybody, warnings: await fileWarnings(tx, message) };
  },
};

export const callUsersOnce = keyed(callUsers);

/** What decides whether a call by request reaches somebody: its messages and alarms have the default priority. */
async function requestContext(tx: ReadTx, now: Instant): Promise<NumberContext> {
  const { snapshot, policy } = await readCallConfiguration(tx);
  return { snapshot, policy, lockedNumbers: await lockedNumbers(tx, now), priority: defaultPriority };
}

type CallGroups = {
  readonly caller: Caller;
  readonly callGroupIds: readonly number[];
  readonly groupingIds: readonly number[];
  readonly message: Message;
};

/** Whether all ids exist and each group calls at least one person now, and warnings about what cannot be used. */
type GroupsCalled = { readonly isEverybody: boolean; readonly warnings: readonly string[] };

/** Raises a temporary alarm for each group, so that relief, acknowledgement and history work as for any alarm. */
export const callGroups: Operation<CallGroups, GroupsCalled> = {
  name: 'call-groups',
  async run(tx, now, { caller, callGroupIds, groupingIds, message }) {
    const { groups, unknownIds } = await groupsNamed(tx, caller, callGroupIds, groupingIds);
    if (callGroupIds.length + groupingIds.length === 0) throw namesNobody('callGroupIds');
    const messageId = message.audio === '' ? undefined : await storeMessage(tx, now, message, caller);
    for (const group of groups) {
      const { id } = await reportAlarm.run(tx, now, {
        caller,
        stationId: group.stationId,
        dataServerId: undefined,
        tagGroupId: undefined,
        path: undefined,
        priority: undefined,
        value: undefined,
        raised: true,
        change: {
          temporary: true,
          condition: { value: '', transitory: true, reactivatable: false, resettable: true },
          alarm: {
            message: message.text === '' ? `Call of ${group.name}` : message.text,
            shortMessage: message.num === 0 ? '' : String(message.num),
            vocalMessageFile: message.file,
            actions: [{ type: 'CallGroup', id: group.id, scriptId: 0, parameter: '', flags: 0 }],
          },
        },
      });
      // An alarm has no place for sound of its own.
      if (messageId !== undefined) await tx.run(setMessage, { alarmId: id, messageId });
    }
    await appendAudits(
      tx,
      groups.map(({ id, name, stationId }) => ({
        at: now,
        kind: 'call.requested',
        origin: caller,
        stationId,
        subject: `callGroup:${id}`,
        after: { kind: 'message', name, ...contentOf(message) },
      })),
    );
    if (groups.length === 0)
      await appendAudit(tx, now, {
        kind: 'call.requested',
        origin: caller,
        stationId: onlyStation(caller.stationIds),
        after: { kind: 'message', unknownIds, ...contentOf(message) },
      });
    const context = await requestContext(tx, now);
    const isCalled = (group: CallGroup): boolean => readinessOf(group, context, now).isReachable;
    const isEverybody = unknownIds.length === 0 && groups.every(isCalled);
    return { isEverybody, warnings: await fileWarnings(tx, message) };
  },
};

export const callGroupsOnce = keyed(callGroups);

/** Calls a group as an alarm would, with the cause marked as a test. */
export const drillGroup: Operation<{ caller: Caller; callGroupId: number; text: string }, void> = {
  name: 'drill-group',
  async run(tx, now, { caller, callGroupId, text }) {
    const { snapshot } = await readCallConfiguration(tx);
    const group = snapshot.groups.get(callGroupId);
    if (group === undefined || !seesStation(caller, group.stationId))
      throw new AppError('not-found', `There is no call group ${callGroupId}.`);
    const message = { text, num: 0, audio: '', file: '' };
    const messageId = await storeMessage(tx, now, message, caller);
    const target = { kind: 'group', id: callGroupId } as const;
    await insertCauses(tx, [causeOf(now, 'test', target, group.stationId, message, messageId)]);
    await appendEvent(tx, now, {
      kind: 'group.drilled',
      actor: caller.actor,
      stationId: group.stationId,
      subjectId: callGroupId,
    });
    await appendAudit(tx, now, {
      kind: 'call.drilled',
      origin: caller,
      stationId: group.stationId,
      subject: `callGroup:${callGroupId}`,
      after: { name: group.name, ...contentOf(message) },
    });
  },
};

export const drillGroupOnce = keyed(drillGroup);

async function groupsNamed(
  tx: ReadTx,
  caller: Caller,
  callGroupIds: readonly number[],
  groupingIds: readonly number[],
): Promise<{ groups: readonly CallGroup[]; unknownIds: readonly number[] }> {
  const { snapshot } = await readCallConfiguration(tx);
  const groupings = new Map((await loadGroupings(tx, 'all')).map((grouping) => [grouping.id, grouping]));
  const found = new Map<number, CallGroup>();
  const unknownIds: number[] = [];
  const seen = new Set<number>();
  const addGroup = (id: number): void => {
    const group = snapshot.groups.get(id);
    if (group === undefined || !seesStation(caller, group.stationId)) unknownIds.push(id);
    else found.set(id, group);
  };
  const addGrouping = (id: number): void => {
    if (seen.has(id)) return;
    seen.add(id);
    const grouping = groupings.get(id);
    if (grouping === undefined || !seesStation(caller, grouping.stationId)) unknownIds.push(id);
    else {
      grouping.callGroupIds.forEach(addGroup);
      grouping.groupingIds.forEach(addGrouping);
    }
  };
  callGroupIds.forEach(addGroup);
  groupingIds.forEach(addGrouping);
  return { groups: [...found.values()], unknownIds };
}

function namesNobody(field: string): AppError {
  const message = 'names nobody';
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

/** The text is spoken instead of a file that is not there. */
async function fileWarnings(tx: ReadTx, { file }: Message): Promise<readonly string[]> {
  if (file === '' || (await mediaNamesAmong(tx, [file])).size > 0) return [];
  return [`msgFile: the media file "${file}" does not exist, so the text is used`];
}

type Target = { readonly kind: 'user' | 'group'; readonly id: number };

function causeOf(now: Instant, kind: string, target: Target, station: number, message: Message, messageId: number) {
  const text = message.text === '' ? standardText(kind, target, message) : withoutMarks(message.text);
  const begin = kind === 'test' ? mark.test : '';
  return {
    kind,
    list: '',
    target_kind: target.kind,
    target_id: target.id,
    station_id: station,
    alarm_id: null,
    history_id: null,
    message_id: messageId,
    priority: defaultPriority,
    is_transitory: 0,
    text: `${begin}${text}`,
    short_text: `${begin}${message.num === 0 ? text : message.num}`,
    created_at: now,
    due_at: now,
    origin: null,
  };
}

/** The text of a message without one, as a mark: people hear it in their language. */
function standardText(kind: string, target: Target, { num }: Message): string {
  if (kind !== 'test') return mark.number(num);
  return target.kind === 'group' ? mark.drill : mark.testCall;
}

type FailedCall = { readonly id: number; readonly name: string; readonly reason: Reason; readonly detail: string };

function failedCall(id: number, person: Person | undefined): FailedCall {
  if (person === undefined) return { id, name: '', reason: { code: 'person-removed' }, detail: 'does not exist' };
  const unverified = unverifiedText(person);
  const detail = `has no number that can be used${unverified === '' ? '' : `: ${unverified}`}`;
  const reason: Reason = { code: unverified === '' ? 'no-usable-number' : 'unverified' };
  return { id, name: person.name, reason, detail };
}

/** Writes a failed attempt into the call history for each person who cannot be called. */
async function insertFailedAttempts(
  tx: Tx,
  now: Instant,
  cause: string,
  station: number,
  people: readonly FailedCall[],
): Promise<void> {
  const ids = people.length === 0 ? [] : await tx.nextIds('call_attempts', people.length);
  const rows = people.map(({ id, name, reason, detail }, index) => {
    return {
      id: ids[index] ?? 0,
      call_id: 0,
      kind: 'call',
      user_id: id,
      user_name: name,
      group_id: null,
      station_id: station,
      cause,
      alarm_id: null,
      priority: defaultPriority,
      number_id: null,
      channel: '',
      address: '',
      attempt: 0,
      state: 'failed',
      reply_code: '',
      provider_id: null,
      created_at: now,
      ended_at: now,
      outcome: 'undeliverable',
      tries: '[]',
      is_urgent: 0,
      is_exempt: 0,
      reason: JSON.stringify(reason),
      detail,
      words: searchableText(name, detail),
      address_words: '',
    };
  });
  await tx.each(attemptRows.insert, rows);
  await appendAudits(
    tx,
    rows.map((row) => ({ at: now, ...attemptEntry(row, { ...row, user: row.user_name }) })),
  );
}

/** The content of a message for the audit trail, without the audio itself. */
function contentOf({ text, num, audio, file }: Message): object {
  return { text, num, file, hasAudio: audio !== '' };
}

const insertMessage = statement<Message & { actor: string; now: Instant }, { id: number }>((db, args) =>
  db
    .insertInto('call_messages')
    .values({
      text: args.text,
      num: args.num,
      audio: args.audio,
      file: args.file,
      actor: args.actor,
      created_at: args.now,
    })
    .returning('id'),
);

const setMessage = statement((db, args: { alarmId: number; messageId: number }) =>
  db.updateTable('call_causes').set({ message_id: args.messageId }).where('alarm_id', '=', args.alarmId),
);

function storeMessage(tx: Tx, now: Instant, message: Message, { actor }: Caller): Promise<number> {
  return tx.insert(insertMessage, { ...message, actor, now });
}
