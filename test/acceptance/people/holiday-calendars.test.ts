// A schedule names a calendar of holidays: its days count, a calendar that cannot be read is told of, private addresses are
// not asked unless that is allowed. And a disk that fills up is told of.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { watchDisk } from '../../../src/dispatch/disk-watch.ts';
import { startSite } from '../../harness/site.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';
import { until } from '../../harness/until.ts';

async function serveCalendar(t: TestContext, text: () => string): Promise<string> {
  const server = createServer((_, response) => response.end(text()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/holidays.ics`;
}

const armistice = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'DTSTART;VALUE=DATE:20261116', 'END:VEVENT', 'END:VCALENDAR'];

type OnCall = { readonly items: readonly { readonly members: readonly { readonly user: string }[] }[] };

testOnStores('on a day the calendar names, those who have the holidays are on duty', async (t, kind) => {
  const url = await serveCalendar(t, () => armistice.join('\r\n'));
  const site = await startSite(t, kind, { overrides: { TOCSIN_PRIVATE_ADDRESSES: 'true' } });
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const [week, feast] = [await site.team('Week', [ana]), await site.team('Holidays', [bo])];
  const scheduleId = await site.create('/schedules', {
    name: 'Programme',
    timeZone: 'Europe/Paris',
    holidays: { icalUrl: url },
    weekly: [
      { teamId: week, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' },
      { teamId: feast, days: ['holiday'], from: '00:00', to: '24:00' },
    ],
  });
  await site.group('Pumps', [week, feast], { scheduleId });
  site.app.poll();
  const onMonday = async () => {
    const { items } = await site.ask<OnCall>('GET', '/oncall?at=2026-11-16T12:00:00');
    return items[0]?.members.map(({ user }) => user) ?? [];
  };
  assert.deepEqual(await until(onMonday, (users) => users.includes('bo')), ['bo']);
});

testOnStores('a calendar on a private network is not asked, and everyone can see it', async (t, kind) => {
  let asked = 0;
  const url = await serveCalendar(t, () => {
    asked++;
    return '';
  });
  const site = await startSite(t, kind);
  await site.ask('POST', '/schedules', { name: 'Programme', holidays: { icalUrl: url } });
  site.app.poll();
  await until(
    () => site.systemAlarms(),
    (paths) => paths.includes('system/holidays/1'),
  );
  assert.equal(asked, 0);
});

testOnStores('a disk that is nine tenths full is an alarm, once', async (t, kind) => {
  const site = await startSite(t, kind);
  let share = 0.89;
  const disk = watchDisk(
    site.app.store,
    async () => share,
    (error) => assert.fail(String(error)),
  );
  disk.stop();
  await disk.poll();
  assert.deepEqual(await site.systemAlarms(), []);
  share = 0.93;
  await disk.poll();
  await disk.poll();
  assert.deepEqual(await site.systemAlarms(), ['system/disk-low']);
  await site.admin.isCalled(/93 % full/);
});
