// Holiday calendars of schedules: imported days count as holidays, an unreadable calendar raises a system alarm,
// private addresses are not requested by default. Also the system alarm of a nearly full disk.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { watchDisk } from '../../../src/dispatch/watches/disk-watch.ts';
import type { DatabaseKind } from '../../../src/store/statement.ts';
import { newest } from '../../harness/site/journal.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
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

/** Ana has the duty on all days of the week, bo on the holidays of the calendar. */
async function startProgramme(t: TestContext, kind: DatabaseKind, text: () => string) {
  const icalUrl = await serveCalendar(t, text);
  const site = await startSite(t, kind, { overrides: { TOCSIN_PRIVATE_ADDRESSES: 'true' } });
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const [week, feast] = [await site.team('Week', [ana]), await site.team('Holidays', [bo])];
  const scheduleId = await site.create('/schedules', {
    name: 'Programme',
    timeZone: 'Europe/Paris',
    holidays: { icalUrl },
    weekly: [
      { teamId: week, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' },
      { teamId: feast, days: ['holiday'], from: '00:00', to: '24:00' },
    ],
  });
  await site.group('Pumps', [week, feast], { scheduleId });
  await site.app.poll();
  const onMonday = async () => {
    const { items } = await site.ask<OnCall>('GET', '/oncall?at=2026-11-16T12:00:00');
    return items[0]?.members.map(({ user }) => user) ?? [];
  };
  return { site, onMonday, icalUrl, scheduleId, alarmPath: `system/holidays/${scheduleId}` };
}

testOnAnyStore('on a day of the imported calendar the holders of the holiday shift are on duty', async (t, kind) => {
  const { site, onMonday } = await startProgramme(t, kind, () => armistice.join('\r\n'));
  assert.deepEqual(await until(onMonday, (users) => users.includes('bo')), ['bo']);
  const { actor, before, after } = await newest(site, 'schedule.holidays-read');
  assert.deepEqual([actor, before?.icalDates, after?.icalDates], ['system', [], ['2026-11-16']]);
});

testOnAnyStore('an unsupported rule raises a system alarm, and the dates read before still count', async (t, kind) => {
  let lines: readonly string[] = armistice;
  const { site, onMonday, alarmPath } = await startProgramme(t, kind, () => lines.join('\r\n'));
  await until(onMonday, (users) => users.includes('bo'));
  lines = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:Shutdown',
    'DTSTART:20260713',
    'RRULE:FREQ=YEARLY;BYWEEKNO=29',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  await site.advance('13h');
  await site.app.poll();
  const problem = async () => (await site.alarms.fromTocsin()).find(({ path }) => path === alarmPath)?.message;
  assert.equal(
    await until(problem, (message) => message !== undefined),
    'The calendar of holidays of schedule 1, "Programme", cannot be read: the rule "FREQ=YEARLY;BYWEEKNO=29" is not ' +
      'supported in the event "Shutdown". Those read before count on.',
  );
  assert.deepEqual(await onMonday(), ['bo']);
});

testOnAnyStore(
  'another address keeps the dates until it was read, one put back is read at once, and a preview knows them',
  async (t, kind) => {
    let asked = 0;
    const serve = () => {
      asked++;
      return armistice.join('\r\n');
    };
    const { site, onMonday, icalUrl, scheduleId } = await startProgramme(t, kind, serve);
    await until(onMonday, (users) => users.includes('bo'));
    const read = async (url: string) => {
      const schedule = await site.ask<{ holidays: object }>('GET', `/schedules/${scheduleId}`);
      await site.ask('PUT', `/schedules/${scheduleId}`, { ...schedule, holidays: { icalUrl: url } });
      assert.deepEqual(await onMonday(), ['bo'], 'before the calendar is read');
      await site.app.poll();
      return site.ask<{ holidays: { icalDates: readonly string[] } }>('GET', `/schedules/${scheduleId}`);
    };
    assert.deepEqual((await read(`${icalUrl}?gone`)).holidays.icalDates, ['2026-11-16']);
    const before = asked;
    const schedule = await read(icalUrl);
    assert.ok(asked > before, 'an address that was put back is read again');
    const preview = { schedule, from: '2026-11-16T00:00', to: '2026-11-17T00:00' };
    const { slots } = await site.ask<{ slots: readonly { source: string }[] }>('POST', '/schedules/preview', preview);
    assert.deepEqual(
      slots.map(({ source }) => source),
      ['weekly[1]'],
    );
  },
);

testOnAnyStore(
  'of a calendar with one odd rule the rest counts and an alarm names it, until the calendar is read whole',
  async (t, kind) => {
    const odd = ['BEGIN:VEVENT', 'SUMMARY:Shutdown', 'DTSTART:20260713', 'RRULE:FREQ=YEARLY;BYWEEKNO=29', 'END:VEVENT'];
    let lines = armistice.toSpliced(1, 0, ...odd);
    const { site, onMonday, alarmPath } = await startProgramme(t, kind, () => lines.join('\r\n'));
    await until(onMonday, (users) => users.includes('bo'));
    const shown = async () => (await site.alarms.fromTocsin()).find(({ path }) => path === alarmPath);
    const message = (await until(shown, (alarm) => alarm !== undefined))?.message;
    assert.match(String(message), /was read without 1 of its events: the rule .* in the event "Shutdown"/);
    lines = armistice;
    await site.advance('13h');
    await site.app.poll();
    await until(shown, (alarm) => alarm?.state !== 1 && alarm?.state !== 3);
  },
);

testOnAnyStore('a calendar that was first read while the clock was a year ahead is read again', async (t, kind) => {
  let asked = 0;
  const serve = () => {
    asked++;
    return armistice.join('\r\n');
  };
  const { site, icalUrl } = await startProgramme(t, kind, serve);
  site.app.clock.advance(365 * 86_400_000);
  await site.signInAgain();
  await site.create('/schedules', { name: 'Second', timeZone: 'Europe/Paris', holidays: { icalUrl } });
  await site.app.poll();
  site.app.clock.advance(-365 * 86_400_000);
  await site.app.poll();
  const before = asked;
  site.app.clock.advance(13 * 3_600_000);
  await site.app.poll();
  assert.equal(asked, before + 2, 'both calendars, twice a day');
});

testOnAnyStore('a calendar on a private address is not requested, and a system alarm says so', async (t, kind) => {
  let asked = 0;
  const url = await serveCalendar(t, () => {
    asked++;
    return '';
  });
  const site = await startSite(t, kind);
  await site.ask('POST', '/schedules', { name: 'Programme', holidays: { icalUrl: url } });
  await site.app.poll();
  await until(
    () => site.systemAlarms(),
    (paths) => paths.includes('system/holidays/1'),
  );
  assert.equal(asked, 0);
});

testOnAnyStore('a disk that is 90 % full raises one system alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  let share = 0.89;
  const disk = watchDisk(
    site.app.store,
    'plant',
    async () => share,
    (error) => assert.fail(String(error)),
  );
  disk.stop();
  await disk.poll();
  assert.deepEqual(await site.systemAlarms(), []);
  share = 0.93;
  await disk.poll();
  await disk.poll();
  assert.deepEqual(await site.systemAlarms(), ['system/disk-low/plant']);
  await site.admin.isCalled(/93 % full/);
});
