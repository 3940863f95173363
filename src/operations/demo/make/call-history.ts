// Writes the call history of the demo plant: ended calls with their attempts, and some texts on a phone.

import { newCall, noWait } from '../../../domain/calls/call.ts';
import { outcomeText } from '../../../domain/calls/phone-outcome.ts';
import { isSimulated } from '../../../domain/channels/provider.ts';
import { type DemoAttempt, type DemoCall, demoCalls } from '../../../domain/demo/calls.ts';
import { minuteMs } from '../../../domain/on-call/civil-time.ts';
import { refer } from '../../../domain/people/references.ts';
import { searchableText } from '../../../domain/search.ts';
import { insertRows } from '../../../store/row-batch.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { attemptColumns } from '../../calls/attempts.ts';
import { callRow, callRows, causeColumns, cycleRow, cycleRows } from '../../calls/call-rows.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { phoneRows } from '../../simulator/phone-rows.ts';
import { DemoEntries, type DemoRow } from '../plant-rows.ts';
import { alarmsOf, countedHistory } from './old-history.ts';

type Placed = {
  readonly call: DemoCall;
  readonly alarm: AlarmRecord;
  readonly groupId: number;
  readonly userId: number;
  readonly callId: number;
  readonly cycleId: number;
};

export async function makeCallHistory(tx: Tx, _now: Instant, demo: DemoRow): Promise<'done'> {
  const entries = await DemoEntries.load(tx);
  const alarms = await alarmsOf(tx);
  const calls = demoCalls(demo.seed, demo.madeAt, countedHistory(demo));
  const callIds = await tx.nextIds('calls', calls.length);
  const cycleIds = await tx.nextIds('call_cycles', calls.length);
  const placed = calls.flatMap((call, index): Placed[] => {
    const alarm = alarms.get(call.tag);
    const [callId, cycleId] = [callIds[index], cycleIds[index]];
    if (alarm === undefined || callId === undefined || cycleId === undefined) return [];
    const groupId = entries.id('callGroup', call.group);
    return [{ call, alarm, groupId, userId: entries.id('user', call.person), callId, cycleId }];
  });
  await tx.each(callRows.insert, placed.map(callRowOf));
  await tx.each(cycleRows.insert, placed.map(cycleRowOf));
  await tx.each(insertCauses, placed.map(causeRowOf));
  await insertAttempts(tx, placed);
  await tx.each(phoneRows.insert, textsOf(entries.id('user', 'chidi'), demo.madeAt));
  return 'done';
}

function reasonOf({ userId }: Placed): string {
  return `acknowledged by ${refer.nameOfUser(userId)}`;
}

function callRowOf(placed: Placed) {
  const { call, groupId, callId, userId } = placed;
  const state = {
    ...newCall({ kind: 'group', id: groupId }),
    phase: 'ended',
    round: 1,
    groupId,
    visited: [groupId],
    levelSince: call.raisedAt,
    reason: reasonOf(placed),
  } as const;
  return callRow(callId, state, call.raisedAt, call.endedAt, `user:${userId}`);
}

function cycleRowOf({ call, groupId, userId, callId, cycleId }: Placed) {
  const { attempts, isAnswered, endedAt } = call;
  const cycle = {
    ...noWait,
    id: cycleId,
    userId,
    groupId,
    level: 0,
    isRelief: false,
    isNotice: false,
    phase: isAnswered ? 'acknowledged' : 'failed',
    numberId: undefined,
    tries: attempts.length,
    unanswered: 0,
    laters: 0,
    attempts: attempts.length,
    wasReached: isAnswered,
    lastAttemptAt: endedAt,
    isOwed: false,
    isExtra: false,
    heldSince: undefined,
    reason: isAnswered ? 'acknowledged' : outcomeText('no-answer'),
  } as const;
  return cycleRow(cycleId, cycle, { call_id: callId, round: 1 });
}

function causeRowOf(placed: Placed) {
  const { call, alarm, groupId, callId } = placed;
  const { message } = alarm.definition.alarm;
  return {
    kind: 'alarm',
    list: 'alarm',
    target_kind: 'group',
    target_id: groupId,
    station_id: alarm.stationId,
    alarm_id: alarm.id,
    history_id: null,
    message_id: null,
    priority: alarm.priority,
    is_transitory: 0,
    text: message,
    short_text: message,
    created_at: call.raisedAt,
    due_at: call.raisedAt,
    origin: null,
    call_id: callId,
    ended_at: call.endedAt,
    ended_by: 'alarm',
    end_reason: reasonOf(placed),
  };
}

async function insertAttempts(tx: Tx, placed: readonly Placed[]): Promise<void> {
  const { snapshot, providers } = await readCallConfiguration(tx);
  const providerId = providers.find(isSimulated)?.id ?? null;
  const attempts = placed
    .flatMap((one) => one.call.attempts.map((attempt, index) => ({ one, attempt, nth: index + 1 })))
    .toSorted((a, b) => a.attempt.startedAt - b.attempt.startedAt);
  const ids = await tx.nextIds('call_attempts', attempts.length);
  const rows = attempts.map(({ one, attempt, nth }, index) => {
    const person = snapshot.people.get(one.userId);
    const [number] = person?.numbers ?? [];
    const how = endOf(attempt, one);
    return {
      id: ids[index] ?? 0,
      call_id: one.callId,
      cycle_id: one.cycleId,
      user_id: one.userId,
      user_name: person?.name ?? '',
      group_id: one.groupId,
      station_id: one.alarm.stationId,
      cause: 'alarm',
      alarm_id: one.alarm.id,
      priority: one.alarm.priority,
      number_id: number?.id ?? null,
      channel: number?.channel ?? '',
      address: number?.address ?? '',
      attempt: nth,
      is_notice: 0,
      reply_code: '',
      provider_id: providerId,
      created_at: attempt.startedAt,
      started_at: attempt.startedAt,
      rang_at: attempt.startedAt,
      answered_at: attempt.answeredAt ?? null,
      ended_at: attempt.endedAt,
      ...how,
      words: searchableText(person?.name ?? '', how.detail),
      address_words: searchableText(number?.address ?? ''),
    };
  });
  await tx.each(insertAttemptRows, rows);
}

function endOf({ answeredAt, endedAt }: DemoAttempt, { alarm, userId }: Placed) {
  if (answeredAt === undefined) {
    const detail = outcomeText('no-answer');
    return { state: 'failed', outcome: 'noAnswer', ended_by: 'channel', detail, ack_at: null, acknowledged: '[]' };
  }
  const acknowledged = JSON.stringify([[alarm.id, endedAt]]);
  return {
    state: 'reached',
    outcome: 'answered',
    ended_by: `user:${userId}`,
    detail: 'answered',
    ack_at: endedAt,
    acknowledged,
  };
}

/** A conversation by text, as the phone of Chidi shows it. */
function textsOf(userId: number, at: number) {
  const text = (minutesAgo: number, direction: string, words: string) => ({
    user_id: userId,
    attempt_id: null,
    channel: 'sms',
    address: 'Chidi’s phone',
    direction,
    text: words,
    state: 'delivered',
    outcome: '',
    created_at: at - minutesAgo * minuteMs,
  });
  return [
    text(550, 'to', 'Test call by Dana: this is a test, no action needed.'),
    text(298, 'to', 'Polymer tank 1 level low, 18 %. North works. Reply 2086 to take it.'),
    text(292, 'from', '2086 delivery Monday 10:00'),
    text(292, 'to', 'You have taken it. Thank you.'),
  ];
}

const insertCauses = insertRows('call_causes', {
  ...causeColumns,
  call_id: 'int',
  ended_at: 'int',
  ended_by: 'text',
  end_reason: 'text',
});

const insertAttemptRows = insertRows('call_attempts', {
  ...attemptColumns,
  provider_id: 'int',
  started_at: 'int',
  rang_at: 'int',
  answered_at: 'int',
  ack_at: 'int',
  ended_by: 'text',
  acknowledged: 'text',
});
