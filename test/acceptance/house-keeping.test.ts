// The store keeps itself tidy: old events and expired sessions go in small steps, keys about to expire are told of.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepHouse } from '../../src/operations/house-keeping.ts';
import { readEvents, readLogPosition } from '../../src/store/events.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import { storesUnderTest } from '../harness/stores.ts';
import { until } from '../harness/until.ts';

const day = 86_400_000;

async function tidy(app: TestApp): Promise<number> {
  let steps = 1;
  const step = () => app.store.write(keepHouse, { eventsBefore: app.clock.now() - 30 * day });
  for (let kept = await step(); kept.hasMore; kept = await step()) steps++;
  return steps;
}

async function numberedEvents(app: TestApp) {
  return app.store.read(readEvents, { after: 0, limit: 10_000 });
}

for (const kind of storesUnderTest()) {
  test(`${kind}: events older than thirty days go in small steps, the newest stays`, async (t) => {
    const app = await startTestApp(t, kind);
    const token = await app.signIn();
    const make = (n: number) => app.request('POST', '/api/v1/taggroups', { token, body: { name: `g${n}` } });
    await Promise.all(Array.from({ length: 600 }, (_, n) => make(n)));
    const all = await until(
      () => numberedEvents(app),
      (events) => events.length >= 602,
    );
    app.clock.advance(29 * day);
    await tidy(app);
    assert.equal((await numberedEvents(app)).length, all.length);
    app.clock.advance(2 * day);
    assert.ok((await tidy(app)) >= 2, 'more than one step');
    const left = await numberedEvents(app);
    assert.deepEqual(
      left.map(({ position }) => position),
      [all.at(-1)?.position],
    );
    const { position, epoch } = await app.store.read(readLogPosition, {});
    assert.equal(position, all.at(-1)?.position, 'positions go on where they were');
    assert.match(epoch, /^[\da-f-]{36}$/);
  });

  test(`${kind}: a key about to expire is told of thirty, seven and one day before, once each`, async (t) => {
    const app = await startTestApp(t, kind);
    const expiryTime = new Date(app.clock.now() + 40 * day).toISOString();
    const body = { name: 'PLC', scopes: ['alarms:write'], expiryTime };
    await app.request('POST', '/api/v1/auth/keys', { token: await app.signIn(), body });
    for (let n = 0; n < 41; n++) {
      await tidy(app);
      app.clock.advance(day);
    }
    const isWarning = ({ kind: what }: { kind: string }) => what === 'key.expiring';
    const events = await until(
      () => numberedEvents(app),
      (list) => list.filter(isWarning).length >= 2,
    );
    const warned = events.filter(isWarning);
    assert.deepEqual(
      warned.map(({ data }) => data),
      [30, 7, 1].map((days) => ({ name: 'PLC', days })),
    );
  });
}
