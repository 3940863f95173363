// A storm: 500 alarms of priority 3 and 5 of priority 1 within a minute, for one person and for ten. All of them are announced, or are
// what somebody who does not pick up was rung for, and the calls stay few.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { numberOf, type Person, voice } from '../../../harness/site/site-phones.ts';
import { isSoak } from '../../../harness/soak.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const stepSeconds = 5;
const stormSteps = 60 / stepSeconds;
const lastStep = 300 / stepSeconds;
const alarmCount = 505;

type Behaviour = { readonly name: string; readonly keys: readonly string[] | undefined };

const behaviours: readonly Behaviour[] = [
  { name: 'nobody picks up', keys: undefined },
  { name: 'everybody who is called declines all that is read', keys: ['1', ...'5'.repeat(9), '3'] },
  { name: 'who is called takes everything by key 9', keys: ['1', '9', '1'] },
];

/** Raises the alarms of one step of the storm in one request; every hundred and first is of priority 1. */
async function raisePart(site: Site, group: number, step: number): Promise<readonly (readonly [number, number])[]> {
  const [from, to] = [step, step + 1].map((one) => Math.round((one * alarmCount) / stormSteps));
  const alarms = Array.from({ length: Number(to) - Number(from) }, (_, index) => ({
    path: `Storm ${Number(from) + index}`,
    alarmMessage: `storm ${Number(from) + index}`,
    priority: (Number(from) + index) % 101 === 100 ? 1 : 3,
    alarmActions: [{ type: 'CallGroup', id: group }],
  }));
  const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', alarms);
  return ids.map((id, index) => [id, alarms[index]?.priority ?? 0] as const);
}

async function answerWhatRings(people: readonly Person[], keys: readonly string[]): Promise<void> {
  for (const person of people)
    if ((await person.messages()).some(({ state }) => state === 'ringing')) await person.answers(...keys);
}

const idsOf = (rows: readonly Row[], field: string): ReadonlySet<number> =>
  new Set(rows.flatMap((row) => (row[field] as readonly number[] | undefined) ?? []));

/** The seconds from the moment at which the person was free for the alarm to the first call that was made for it. */
function waitOf(rows: readonly Row[], alarm: number, raisedAt: number): number {
  const index = rows.findIndex(({ alarmIds }) => (alarmIds as readonly number[]).includes(alarm));
  const ends = rows.slice(0, index).map(({ endTime }) => Date.parse(String(endTime)));
  return (Date.parse(String(rows[index]?.startTime)) - Math.max(raisedAt, ...ends)) / 1_000;
}

/** Ten people who answer take as long as all the others together, and show nothing that one does not. */
const countsOf = ({ keys }: Behaviour): readonly number[] => (keys === undefined || isSoak ? [1, 10] : [1]);

for (const behaviour of behaviours)
  for (const count of countsOf(behaviour)) {
    const { name, keys } = behaviour;
    testOnAnyStore(
      `in a storm of 505 alarms for ${count === 1 ? 'one person' : 'ten people'} ${name}`,
      async (t, kind) => {
        const site = await startSite(t, kind);
        const people: Person[] = [];
        for (let n = 0; n < count; n++)
          people.push(await site.person(`p${n}`, { numbers: [voice(numberOf(`p${n}`), { countTry: 1 })] }));
        const group = await site.group('Pumps', [await site.team('Night', people)]);
        const raised: (readonly [number, number])[] = [];
        let firstUrgent: readonly [id: number, at: number] | undefined;
        for (let step = 0; step < lastStep; step++) {
          if (step < stormSteps) raised.push(...(await raisePart(site, group, step)));
          const urgent = raised.find(([, priority]) => priority === 1);
          if (urgent !== undefined) firstUrgent ??= [urgent[0], site.app.clock.now()];
          await site.settle();
          if (keys !== undefined) await answerWhatRings(people, keys);
          await site.advance(`${stepSeconds}s`);
        }
        const rows = (await site.callHistories()).filter(({ attempt }) => attempt !== 0);
        const ofPeople = people.map(({ id }) => rows.filter(({ userId }) => userId === id));
        for (const own of ofPeople) assert.ok(own.length <= 6, `${own.length} calls to one person in five minutes`);
        if (keys !== undefined)
          assert.equal(idsOf(rows, 'announcedAlarmIds').size, alarmCount, 'every alarm was announced');
        else
          for (const own of ofPeople)
            assert.equal(idsOf(own, 'alarmIds').size, alarmCount, 'every alarm is what they were rung for');
        const [urgent, urgentAt] = firstUrgent ?? [0, 0];
        const waits = ofPeople.map((own) => waitOf(own, urgent, urgentAt));
        const isInTime = (seconds: number): boolean => seconds <= 5;
        // Of those who answer, one may have taken it before it is the turn of the others.
        const areInTime = keys === undefined ? waits.every(isInTime) : waits.some(isInTime);
        assert.ok(areInTime, `the first of priority 1 was called for after ${waits} s`);
        await site.expectWhatRings();
      },
    );
  }
