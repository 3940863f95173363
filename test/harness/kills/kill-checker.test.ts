// Feeds the checker of the kill tests with a history that is in order, and with one for each fault that it must name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenPromises, checkHistory, type HistoryEntry, type Remains } from './kill-checker.ts';

const pager = 21;
const sms = 22;
const member = 23;

/** Two alarms, of which one is acknowledged, and a call of a group; the server was killed once. */
const history: readonly HistoryEntry[] = [
  { at: 0, kind: 'invoke', request: 1, requested: { what: 'raise', client: 1, text: 'a', userId: pager } },
  { at: 10, kind: 'ok', request: 1, id: 101 },
  { at: 11, kind: 'push', alarmId: 101, text: 'a' },
  { at: 20, kind: 'invoke', request: 2, requested: { what: 'raise', client: 1, text: 'b', userId: sms } },
  { at: 30, kind: 'ok', request: 2, id: 102 },
  { at: 31, kind: 'push', alarmId: 102, text: 'b' },
  { at: 40, kind: 'invoke', request: 3, requested: { what: 'raise', client: 2, text: 'c' } },
  { at: 50, kind: 'kill' },
  { at: 51, kind: 'info', request: 3 },
  { at: 60, kind: 'invoke', request: 4, requested: { what: 'acknowledge', alarmId: 102, userId: sms } },
  { at: 70, kind: 'ok', request: 4 },
  { at: 80, kind: 'invoke', request: 5, requested: { what: 'call-group', text: 'd', userId: member } },
  { at: 90, kind: 'ok', request: 5 },
  { at: 91, kind: 'push', alarmId: 104, text: 'd' },
  { at: 95, kind: 'invoke', request: 6, requested: { what: 'acknowledge', alarmId: 102, userId: sms } },
  { at: 96, kind: 'fail', request: 6, status: 409 },
];

const remains: Remains = {
  alarms: [
    { id: 101, text: 'a', isAcknowledged: false },
    { id: 102, text: 'b', isAcknowledged: true },
    { id: 104, text: 'd', isAcknowledged: false },
  ],
  attempts: [
    { id: 1, userId: pager, startedAt: 12, endedAt: 13 },
    { id: 2, userId: sms, startedAt: 45, endedAt: 55 },
    { id: 3, userId: sms, startedAt: 2_070, endedAt: 2_071 },
    { id: 4, userId: member, startedAt: 92, endedAt: 93 },
  ],
  messages: [{ attemptId: 1 }, { attemptId: 2 }, { attemptId: 3 }, { attemptId: 4 }],
  calledOnce: new Set([pager, member]),
};

test('a history in order breaks no promise, and everything is counted', () => {
  const findings = checkHistory(history, remains);
  assert.deepEqual(brokenPromises(findings), []);
  const { ok, failed, unknown, kills, alarms, attempts, pushes, inFlight, duplicate } = findings;
  assert.deepEqual(
    { ok, failed, unknown, kills, alarms, attempts, pushes, inFlight, duplicate },
    { ok: 4, failed: 1, unknown: 1, kills: 1, alarms: 3, attempts: 4, pushes: 3, inFlight: 1, duplicate: 0 },
  );
});

test('a request whose outcome is unknown may be stored or not', () => {
  const stored = [...remains.alarms, { id: 103, text: 'c', isAcknowledged: false }];
  const pushed: HistoryEntry = { at: 60, kind: 'push', alarmId: 103, text: 'c' };
  assert.deepEqual(brokenPromises(checkHistory([...history, pushed], { ...remains, alarms: stored })), []);
});

const without = (alarmId: number) => remains.alarms.filter(({ id }) => id !== alarmId);
const push = (alarmId: number, text: string): HistoryEntry => ({ at: 99, kind: 'push', alarmId, text });
const raised = (request: number, text: string, id: number): readonly HistoryEntry[] => [
  { at: 100, kind: 'invoke', request, requested: { what: 'raise', client: 1, text } },
  { at: 101, kind: 'ok', request, id },
  push(id, text),
];
const alarm = (id: number, text: string) => ({ id, text, isAcknowledged: false });

/** Each fault, with the history or the remains that contain it and nothing else. */
const faulty: Readonly<Record<string, { readonly more?: readonly HistoryEntry[]; readonly left?: Partial<Remains> }>> =
  {
    lost: { more: raised(9, 'e', 109).slice(0, 2) },
    phantom: { left: { alarms: [...remains.alarms, alarm(103, 'x')] }, more: [push(103, 'c')] },
    idClash: {
      left: { alarms: [...remains.alarms, alarm(105, 'e')] },
      more: [...raised(9, 'e', 108).slice(0, 2), push(105, 'e')],
    },
    reordered: {
      left: { alarms: [...remains.alarms, alarm(99, 'e')] },
      more: raised(9, 'e', 99),
    },
    falseAck: { left: { alarms: remains.alarms.map((one) => ({ ...one, isAcknowledged: false })) } },
    missedCall: { left: { attempts: remains.attempts.filter(({ userId }) => userId !== pager) } },
    afterAck: { left: { attempts: [...remains.attempts, { id: 5, userId: sms, startedAt: 2_071, endedAt: 2_072 }] } },
    hubMissed: { left: { alarms: [...remains.alarms, alarm(103, 'c')] } },
    hubDuplicate: { more: [push(101, 'a')] },
    hubPhantom: { left: { alarms: [...remains.alarms] }, more: [push(110, 'x')] },
    hubBeforeCommit: { more: [push(103, 'c')] },
    duplicate: {
      left: { messages: [...remains.messages, { attemptId: 2 }, { attemptId: 2 }] },
    },
  };

for (const [fault, { more = [], left = {} }] of Object.entries(faulty)) {
  test(`the checker names the fault ${fault}`, () => {
    const findings = checkHistory([...history, ...more], { ...remains, ...left });
    assert.deepEqual(brokenPromises(findings), [fault]);
  });
}

test('two attempts for somebody who is called once count as a duplicate, and one per attempt in flight is allowed', () => {
  const twice = [...remains.attempts, { id: 5, userId: pager, startedAt: 60, endedAt: 61 }];
  const once = checkHistory(history, { ...remains, attempts: twice });
  assert.deepEqual([once.duplicate, once.inFlight, brokenPromises(once)], [1, 1, []]);
  const thrice = [...twice, { id: 6, userId: member, startedAt: 95, endedAt: 96 }];
  assert.deepEqual(brokenPromises(checkHistory(history, { ...remains, attempts: thrice })), ['duplicate']);
});

test('an alarm that is acknowledged before anybody was called is no missed call', () => {
  const attempts = remains.attempts.filter(({ userId }) => userId !== sms);
  assert.deepEqual(brokenPromises(checkHistory(history, { ...remains, attempts })), []);
});

test('an alarm that vanished after it was pushed was lost, and had been pushed before its commit', () => {
  const findings = checkHistory(history, { ...remains, alarms: without(101) });
  assert.deepEqual(brokenPromises(findings), ['lost', 'hubBeforeCommit']);
});
