// Tests that a server with a handler that never comes to rest is found out, by the name of the handler or of the table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { testOnStores } from '../stores/test-on-stores.ts';
import { expectIdleSecond, expectRest } from './at-rest.ts';
import { startSite } from './site.ts';

const impatience = { polls: 5, pollMs: 10_000 };

testOnStores('a handler that writes at every poll is not at rest', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'Pump' });
  let value = 0;
  const restless = { poll: () => site.alarms.send({ path: 'Pump', alarmMessage: `${++value}` }) };
  const { polled, environment } = site.app;
  await assert.rejects(
    expectRest({ polled: { ...polled, restless }, environment }, impatience),
    /still writes these tables[\s\S]*alarms/,
  );
  await site.alarms.acknowledge(id);
});

testOnStores('a handler that finds due work for ever is named', async (t, kind) => {
  const { environment } = (await startSite(t, kind)).app;
  const endless = { poll: () => new Promise<void>(() => {}) };
  await assert.rejects(
    expectRest({ polled: { endless }, environment }, { polls: 5, pollMs: 1 }),
    /not at rest: "endless" finds due work for ever/,
  );
});

test('a process that is busy in every second is not idle', async () => {
  let isOver = false;
  const spin = async (): Promise<void> => {
    while (!isOver) {
      const until = process.cpuUsage().user + 10_000;
      while (process.cpuUsage().user < until);
      await pause(20);
    }
  };
  const spinning = spin();
  await assert.rejects(expectIdleSecond(2), /processor time in a second/);
  isOver = true;
  await spinning;
  await expectIdleSecond();
});
