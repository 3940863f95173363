// The checkers of a run that was killed find nothing in a day that kept the rules, and each fault that is put into it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskedAlarm, Crew } from './crew.ts';
import { crewOf } from './crew.ts';
import { judgeShown, type ShownAttempt, type ShownDay, type ShownEvent } from './shown-day.ts';

const second = 1_000;
const begin = Date.UTC(2026, 10, 1, 12);
const at = (seconds: number): string => new Date(begin + seconds * second).toISOString();
const [ana, bo, cy] = [1, 2, 3];
const crew: Crew = crewOf([{ id: 7, teamId: 8, timeToTake: null, userIds: [ana, bo, cy] }]);
const alarm: AskedAlarm = {
  ...{ id: 50, priority: 2, target: { kind: 'group', id: 7 }, raisedAt: begin, dueAt: begin, taken: undefined },
};

function text(id: number, userId: number, sentAt: number, changes: Partial<ShownAttempt> = {}): ShownAttempt {
  return {
    ...{ id, userId, alarmIds: [50], announcedAlarmIds: [50], priority: 2, channel: 'pager', attempt: 1, status: 6 },
    ...{ address: `crew ${userId}`, startTime: at(sentAt), endTime: at(sentAt), acknowledged: [], ...changes },
  };
}

function level(seconds: number, isRelief: boolean): ShownEvent {
  const data = { round: 1, target: { kind: 'group', id: 7 }, groupId: 7, isRelief, reasonCode: 'raised' } as const;
  return { time: at(seconds), event: 'call.level', data };
}

const round: ShownEvent = { time: at(0), event: 'call.round', data: { round: 1, target: { kind: 'group', id: 7 } } };
const taken = { from: begin + 39 * second, to: begin + 40 * second };
/** Texts to both at once, again when the number has rested, and to the relief when they have had their time to answer. */
const attempts = [text(1, ana, 0), text(2, bo, 0), text(3, ana, 31), text(4, bo, 31), text(5, cy, 52), text(6, cy, 83)];

function found(changes: Partial<ShownDay>): readonly string[] {
  const timelines = new Map([[50, [round, level(0, false), level(52, true)]]]);
  const day = { crew, alarms: [alarm], attempts, timelines, end: begin + 100 * second, slackMs: 15 * second };
  return [...new Set(judgeShown({ ...day, ...changes }).map((one) => one.split(':')[0] ?? ''))];
}

test('a day that kept the rules', () => assert.deepEqual(found({}), []));

const faults: Readonly<Record<string, readonly [string, Partial<ShownDay>]>> = {
  'a person who is never called': ['callsWhoWants', { attempts: attempts.filter(({ userId }) => userId !== bo) }],
  'an alarm that nobody is called for': ['entersALevel', { attempts: [], timelines: new Map() }],
  'a try too many': ['triesAreCounted', { attempts: [...attempts, text(7, ana, 70)] }],
  'a call to who has heard it': [
    'answeredIsOver',
    {
      attempts: [text(1, ana, 0, { acknowledged: [{ alarmId: 50, ackTime: at(5) }] }), ...attempts.slice(1)],
    },
  ],
  'a number that does not rest': [
    'numbersRest',
    { attempts: attempts.map((one) => (one.id === 3 ? text(3, ana, 21) : one)) },
  ],
  'a relief who is called too early': [
    'leavesNobodyBehind',
    { timelines: new Map([[50, [round, level(0, false), level(10, true)]]]) },
  ],
  'a relief who is never called': [
    'goesUpInTime',
    {
      attempts: attempts.slice(0, 4),
      timelines: new Map([[50, [round, level(0, false)]]]),
      end: begin + 200 * second,
    },
  ],
  'an attempt after somebody took it': ['beginsForOpenAlarms', { alarms: [{ ...alarm, taken }] }],
  'a text that does not name the alarm': [
    'announces',
    { attempts: attempts.map((one) => (one.id === 4 ? { ...one, announcedAlarmIds: [] } : one)) },
  ],
  'calls in vain without the last resort': [
    'lastResort',
    {
      timelines: new Map([
        [50, [round, level(0, false), level(52, true), { ...round, time: at(70), event: 'call.exhausted' }]],
      ]),
    },
  ],
};

for (const [what, [checker, changes]] of Object.entries(faults))
  test(`finds ${what}`, () => {
    const names = found(changes);
    assert.ok(names.includes(checker), names.join(', '));
  });
