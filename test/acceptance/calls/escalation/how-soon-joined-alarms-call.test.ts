// How soon people are called for an alarm that joins a call, whatever moment it joins at: for priority 1 within 5 s of being free, for
// any other within the pause of their number and one ring.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { type Person, voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const pauseSeconds = 60;
const ringSeconds = 30;

type Situation = {
  readonly name: string;
  readonly countTry?: number;
  readonly priority?: number;
  /** Brings both people to the moment, lets the alarms join, and goes on until both are free. */
  readonly goOn: (site: Site, people: readonly Person[], join: () => Promise<void>) => Promise<void>;
};

const situations: readonly Situation[] = [
  {
    name: 'while the phone rings, and nobody picks up',
    goOn: async (site, _, join) => {
      await site.advance('10s');
      await join();
      await site.advance('20s');
    },
  },
  {
    name: 'on the last of two tries',
    countTry: 2,
    goOn: async (site, _, join) => {
      await site.advance('100s');
      await join();
      await site.advance('20s');
    },
  },
  {
    name: 'in the pause between two tries',
    countTry: 2,
    goOn: async (site, _, join) => {
      await site.advance('40s');
      await join();
    },
  },
  {
    name: 'in a conversation past the proof, which ends with a decline',
    goOn: async (site, people, join) => {
      for (const person of people) await person.answers('1');
      await site.advance('10s');
      await join();
      for (const person of people) await person.press('3');
      await site.settle();
    },
  },
  {
    name: 'while somebody who picked up is silent',
    goOn: async (site, people, join) => {
      for (const person of people) await person.answers();
      await site.advance('10s');
      await join();
      await site.advance('170s');
    },
  },
  {
    name: 'after everybody was called in vain',
    goOn: async (site, _, join) => {
      await site.advance('10m');
      await join();
    },
  },
  {
    name: 'in the pause between two rounds',
    priority: 2,
    goOn: async (site, _, join) => {
      await site.advance('4m');
      await join();
    },
  },
];

/** The seconds from the moment at which the person was free for the alarm to the first call for it. */
async function secondsUntilCalled(site: Site, { id }: Person, alarm: number, joinedAt: number): Promise<number> {
  const rows = (await site.callHistories(`&userId=${id}`)).filter(({ attempt }) => attempt !== 0);
  const index = rows.findIndex(({ alarmIds }) => (alarmIds as readonly number[]).includes(alarm));
  assert.ok(index > 0, 'called for it, in a call of its own');
  const ends = rows.slice(0, index).map(({ endTime }) => Date.parse(String(endTime)));
  return (Date.parse(String(rows[index]?.startTime)) - Math.max(joinedAt, ...ends)) / 1_000;
}

for (const { name, countTry = 1, priority = 3, goOn } of situations)
  testOnStores(`an alarm that joins ${name} is called for as soon as one raised alone`, async (t, kind) => {
    const site = await startSite(t, kind);
    const person = (who: string, address: string) =>
      site.person(who, { numbers: [voice(address, { countTry, timeToRetry: pauseSeconds })] });
    const [ana, bo] = [await person('ana', '+33100000001'), await person('bo', '+33100000002')];
    const reliefGroupId = await site.group('Relief', [await site.team('Others', [await site.person('cy')])]);
    const groups = [
      await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId }),
      await site.group('Tanks', [await site.team('Day', [bo])], { reliefGroupId }),
    ] as const;
    for (const [n, group] of groups.entries()) await site.alarms.raise(group, { path: `Lamp ${n}`, priority });
    for (const one of [ana, bo]) await one.isCalled();
    const joined: number[] = [];
    let joinedAt = 0;
    await goOn(site, [ana, bo], async () => {
      joinedAt = site.app.clock.now();
      joined.push(await site.alarms.raise(groups[0], { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 }));
      joined.push(await site.alarms.raise(groups[1], { path: 'Door', alarmMessage: 'Door open', priority: 3 }));
    });
    await site.advance(`${pauseSeconds + ringSeconds}s`);
    const [gas = 0, door = 0] = joined;
    const forGas = await secondsUntilCalled(site, ana, gas, joinedAt);
    assert.ok(forGas <= 5, `called for priority 1 after ${forGas} s`);
    const forDoor = await secondsUntilCalled(site, bo, door, joinedAt);
    assert.ok(forDoor <= pauseSeconds, `called for priority 3 after ${forDoor} s`);
    await site.expectWhatRings();
  });
