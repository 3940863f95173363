// Triggers replace every text that the calling engine stores with noise: the calls behave the same, so no text is used
// as state.

import assert from 'node:assert/strict';
import type { TestApp } from '../../../harness/site/app.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

/** The columns that hold texts for people; reasons are stored as codes, which become sentences where they are read. */
const sentences = [
  ['call_attempts', 'detail'],
  ['call_attempts', 'words'],
  ['call_attempts', 'address_words'],
] as const;

/** Creates triggers that replace each stored text with random noise at every write. */
async function replaceSentencesByNoise(app: TestApp): Promise<void> {
  const isSqlite = app.environment.TOCSIN_DATABASE_URL === undefined;
  for (const [table, column] of sentences) {
    await executeSql(
      app,
      isSqlite
        ? ['insert', 'update']
            .map(
              (event) => `create trigger noise_${event}_${column} after ${event} on ${table}
                when new.${column} not like 'noise %' begin
                  update ${table} set ${column} = 'noise ' || hex(randomblob(8)) where id = new.id; end;`,
            )
            .join('\n')
        : `create function noise_${column}() returns trigger as $$ begin
             new.${column} := case when new.${column} is not null then 'noise ' || random()::text end;
             return new; end $$ language plpgsql;
           create trigger noise_${column} before insert or update on ${table}
             for each row execute function noise_${column}();`,
    );
  }
}

testOnStores('a person whose line is in use is called when it is free and has rested', async (t, kind) => {
  const site = await startSite(t, kind);
  await replaceSentencesByNoise(site.app);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
  const team = await site.team('Night', [ana]);
  const [one, two] = [await site.group('One', [team]), await site.group('Two', [team])];
  await site.alarms.raise(one, { path: 'One', alarmMessage: 'one', priority: 3 });
  await ana.isCalled(/^one$/);
  const second = await site.alarms.raise(two, { path: 'Two', alarmMessage: 'two', priority: 3 });
  await site.advance('29s');
  await ana.isCalled(/^one$/);
  await site.advance('1s');
  await ana.isNotCalled();
  await site.advance('60s');
  await ana.isCalled(/^1 of 2: one\n2 of 2: two$/);
  await ana.answers('1', '5', '1');
  assert.equal((await site.alarms.get(second)).ackUser, 'ana');
  const details = (await site.callHistories()).map(({ detail }) => String(detail));
  assert.ok(details.length === 2 && details.every((detail) => detail.startsWith('noise ')), details.join(', '));
  await site.expectWhatRings();
});

testOnStores('a person who asked to be called later is called after five minutes', async (t, kind) => {
  const site = await startSite(t, kind);
  await replaceSentencesByNoise(site.app);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await ana.answers('1', '6');
  await site.advance('299s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Pump1/);
  await ana.takes();
});

testOnStores('three wrong PINs lock the number for fifteen minutes', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '435' } });
  await replaceSentencesByNoise(site.app);
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+33600000001', { countTry: 1 })];
  const ana = await site.person('ana', { pin: '4321', numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  const rings = async () => (await ana.isCalled()).address;
  assert.equal(await rings(), '+33100000001');
  await ana.answers('1', '1#', '2#', '3#');
  assert.equal(await rings(), '+33600000001');
  await site.advance('30s');
  await site.admin.isCalled();
  await site.admin.declines();
  await site.advance('435s');
  assert.equal(await rings(), '+33600000001', 'the first number is still locked');
  // The last resort has rounds of its own.
  await site.admin.isCalled();
  await site.admin.declines();
  await site.advance('30s');
  await site.advance('870s');
  assert.equal(await rings(), '+33100000001', 'the lock has ended');
  await ana.answers('1', '4321#', '1');
});

testOnStores('alarms of one call are taken by key and by the code of a text', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', {
    numbers: [{ channel: 'sms', address: '+33611111111', final: false }, voice('+33111111111')],
  });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await replaceSentencesByNoise(site.app);
  const first = await site.alarms.raise(group, { path: 'One', alarmMessage: 'one', priority: 3 });
  await ana.isCalled(/one/);
  const { code } = await ana.hasText(/one/);
  await ana.texts(code);
  assert.equal((await site.alarms.get(first)).ackUser, 'ana');
  await site.advance('2m');
  const two = await site.alarms.raise(group, { path: 'Two', alarmMessage: 'two', priority: 3 });
  const three = await site.alarms.raise(group, { path: 'Three', alarmMessage: 'three', priority: 3 });
  await ana.isCalled();
  await ana.answers('1', '1', '1');
  assert.deepEqual([(await site.alarms.get(two)).ackUser, (await site.alarms.get(three)).ackUser], ['ana', 'ana']);
});

testOnStores('health reports that not even the last resort was reached', async (t, kind) => {
  const site = await startSite(t, kind);
  await replaceSentencesByNoise(site.app);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await site.advance('30s');
  await site.admin.isCalled();
  await site.advance('2m');
  const { status, body } = await site.app.request('GET', '/health/calling');
  const { reasons } = body as { reasons: readonly { code: string }[] };
  assert.deepEqual([status, reasons.map(({ code }) => code)], [503, ['last-resort-unanswered']]);
});
