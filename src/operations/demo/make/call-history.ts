// Writes the call history of the demo plant: ended calls with their attempts, and some texts on a phone.

import { isSimulated } from '../../../domain/channels/provider.ts';
import { englishReason } from '../../../domain/channels/words/catalogue.ts';
import { storedReason } from '../../../domain/channels/words/provider-reason.ts';
import { type DemoAttempt, type DemoCall, demoCalls } from '../../../domain/demo/calls.ts';
import { minuteMs } from '../../../domain/on-call/civil-time.ts';
import { refer } from '../../../domain/people/references.ts';
import { searchableText } from '../../../domain/search.ts';
import { insertRows } from '../../../store/row-batch.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { attemptColumns } from '../../calls/attempts.ts';
import { storedTries } from '../../calls/engine/rows/attempt-rows.ts';
import { causeColumns } from '../../calls/engine/rows/escalation-rows.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { phoneRows } from '../../simulator/phone-rows.ts';
import { DemoEntries, type DemoRow } from '../plant-rows.ts';
import { alarmsOf, countedHistory } from './old-history.ts';

type Placed = {
  readonly call: DemoCall;
  readonly alarm: AlarmRecord;
  readonly groupId: number;
  readonly userId: number;
  readonly causeId: number;
};

export async function makeCallHistory(tx: Tx, _now: Instant, demo: DemoRow): Promise<'done'> {
  const entries = await DemoEntries.load(tx);
  const alarms = await alarmsOf(tx);
  const calls = demoCalls(demo.seed, demo.madeAt, countedHistory(demo));
  const causeIds = await tx.nextIds('call_causes', calls.length);
  const placed = calls.flatMap((call, index): Placed[] => {
    const alarm = alarms.get(call.tag);
    const causeId = causeIds[index];
    if (alarm === undefined || causeId === undefined) return [];
    const groupId = entries.id('callGroup', call.group);
    return [{ call, alarm, groupId, userId: entries.id('user', call.person), causeId }];
  });
  await tx.each(insertCauseRows, placed.map(causeRowOf));
  await insertAttempts(tx, placed);
  await tx.each(phoneRows.insert, textsOf(entries.id('user', 'chidi'), demo.madeAt));
  return 'done';
}

function causeRowOf(placed: Placed) {
  const { call, alarm, groupId, causeId, userId } = placed;
  const { message } = alarm.definition.alarm;
  return {
    id: causeId,
    cause_id: causeId,
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
    state: 'done',
    reason: null,
    call_id: causeId,
    ended_at: call.endedAt,
    ended_by: 'alarm',
    end_reason: JSON.stringify({ code: 'taken', by: refer.nameOfUser(userId) }),
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
      call_id: one.causeId,
      kind: 'call',
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
      tries: storedTries([{ causeId: one.causeId, escalationId: one.causeId, level: `duty ${one.groupId}` }]),
      announced_causes: attempt.answeredAt === undefined ? null : JSON.stringify([one.causeId]),
      is_urgent: 0,
      is_exempt: 0,
      reason: JSON.stringify({ code: nth === 1 ? 'raised' : 'unanswered' }),
      reply_code: '',
      provider_id: providerId,
      created_at: attempt.startedAt,
      started_at: attempt.startedAt,
      rang_at: attempt.startedAt,
      answered_at: attempt.answeredAt ?? null,
      ended_at: attempt.endedAt,
      ...how,
      words: searchableText(person?.name ?? '', englishReason(how.detail)),
      address_words: searchableText(number?.address ?? ''),
    };
  });
  await tx.each(insertAttemptRows, rows);
}

function endOf({ answeredAt, endedAt }: DemoAttempt, { alarm, userId }: Placed) {
  if (answeredAt === undefined) {
    const detail = storedReason({ code: 'no-answer' });
    return { state: 'failed', outcome: 'noAnswer', ended_by: 'channel', detail, ack_at: null, acknowledged: '[]' };
  }
  const acknowledged = JSON.stringify([[alarm.id, endedAt]]);
  return {
    state: 'reached',
    outcome: 'answered',
    ended_by: `user:${userId}`,
    detail: storedReason({ code: 'answered', failures: [] }),
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

const insertCauseRows = insertRows('call_causes', {
  ...causeColumns,
  call_id: 'int',
  ended_at: 'int',
  ended_by: 'text',
  end_reason: 'text',
});

const insertAttemptRows = insertRows('call_attempts', {
  ...attemptColumns,
  announced_causes: 'text',
  started_at: 'int',
  rang_at: 'int',
  answered_at: 'int',
  ack_at: 'int',
  ended_by: 'text',
  acknowledged: 'text',
});
