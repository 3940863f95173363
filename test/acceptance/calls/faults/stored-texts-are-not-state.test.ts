// Triggers replace every text that the calling engine stores with noise: the calls behave the same, so no text is used
// as state.

import assert from 'node:assert/strict';
import type { TestApp } from '../../../harness/app.ts';
import { executeSql } from '../../../harness/execute-sql.ts';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

/** The columns that hold texts for people. */
const sentences = [
  ['calls', 'reason'],
  ['call_cycles', 'reason'],
  ['call_attempts', 'detail'],
  ['call_causes', 'end_reason'],
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
              (event) => `create trigger noise_${event}_${table} after ${event} on ${table}
                when new.${column} not like 'noise %' begin
                  update ${table} set ${column} = 'noise ' || hex(randomblob(8)) where id = new.id; end;`,
            )
            .join('\n')
        : `create function noise_${table}() returns trigger as $$ begin
             new.${column} := case when new.${column} is not null then 'noise ' || random()::text end;
             return new; end $$ language plpgsql;
           create trigger noise_${table} before insert or update on ${table}
             for each row execute function noise_${table}();`,
    );
  }
}

testOnStores('a person whose line is in use is called when it becomes free', async (t, kind) => {
  const story = await startStory(t, kind);
  await replaceSentencesByNoise(story.app);
  const ana = await story.person('ana');
  const team = await story.team('Night', [ana]);
  const [one, two] = [await story.group('One', [team]), await story.group('Two', [team])];
  await story.raise(one, { path: 'One', alarmMessage: 'one', priority: 3 });
  await ana.isCalled(/^one$/);
  const second = await story.raise(two, { path: 'Two', alarmMessage: 'two', priority: 3 });
  await story.advance('29s');
  await ana.isCalled(/^one$/);
  await story.advance('1s');
  await ana.isCalled(/^two$/);
  await ana.takes();
  assert.equal((await story.alarm(second)).ackUser, 'ana');
  const details = (await story.histories()).map(({ detail }) => String(detail));
  assert.ok(details.length >= 3 && details.every((detail) => detail.startsWith('noise ')), details.join(', '));
  await story.expectWhatRings();
});

testOnStores('a person who asked to be called later is called after five minutes', async (t, kind) => {
  const story = await startStory(t, kind);
  await replaceSentencesByNoise(story.app);
  const ana = await story.person('ana');
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group);
  await ana.isCalled();
  await ana.answers('1', '6');
  await story.advance('299s');
  await ana.isNotCalled();
  await story.advance('1s');
  await ana.isCalled(/Pump1/);
  await ana.takes();
});

testOnStores('three wrong PINs lock the number for fifteen minutes', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '435' } });
  await replaceSentencesByNoise(story.app);
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+33600000001', { countTry: 1 })];
  const ana = await story.person('ana', { pin: '4321', numbers });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group);
  const rings = async () => (await ana.isCalled()).address;
  assert.equal(await rings(), '+33100000001');
  await ana.answers('1', '1#', '2#', '3#');
  assert.equal(await rings(), '+33600000001');
  await story.advance('30s');
  await story.admin.isCalled();
  await story.admin.takes();
  await story.advance('435s');
  assert.equal(await rings(), '+33600000001', 'the first number is still locked');
  await story.advance('30s');
  await story.admin.isCalled();
  await story.admin.takes();
  await story.advance('435s');
  assert.equal(await rings(), '+33100000001', 'the lock has ended');
  await ana.answers('1', '4321#', '1');
});

testOnStores('alarms of one call are taken by key and by the code of a text', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', {
    numbers: [{ channel: 'sms', address: '+33611111111', final: false }, voice('+33111111111')],
  });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await replaceSentencesByNoise(story.app);
  const first = await story.raise(group, { path: 'One', alarmMessage: 'one', priority: 3 });
  await ana.isCalled(/one/);
  const { code } = await ana.hasText(/one/);
  await ana.texts(code);
  assert.equal((await story.alarm(first)).ackUser, 'ana');
  const two = await story.raise(group, { path: 'Two', alarmMessage: 'two', priority: 3 });
  const three = await story.raise(group, { path: 'Three', alarmMessage: 'three', priority: 3 });
  await ana.isCalled();
  await ana.answers('1', '1', '1');
  assert.deepEqual([(await story.alarm(two)).ackUser, (await story.alarm(three)).ackUser], ['ana', 'ana']);
});

testOnStores('health reports that not even the last resort was reached', async (t, kind) => {
  const story = await startStory(t, kind);
  await replaceSentencesByNoise(story.app);
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group, { priority: 3 });
  await ana.isCalled();
  await story.advance('30s');
  await story.admin.isCalled();
  await story.advance('2m');
  const { body } = await story.app.request('GET', '/health/ready');
  const { checks } = body as { checks: readonly { name: string; ok: boolean }[] };
  assert.deepEqual(checks.find(({ name }) => name === 'calling')?.ok, false);
});
