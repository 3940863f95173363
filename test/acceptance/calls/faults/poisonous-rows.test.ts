// A row of work that cannot be stepped is set aside and named by an alarm; everybody else is called in the same second.

import assert from 'node:assert/strict';
import { decideCalls } from '../../../../src/operations/calls/engine/decide-calls.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

async function withTwoGroups(site: Site) {
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const fans = await site.group('Fans', [await site.team('Day', [bo])]);
  return { ana, bo, pumps, fans };
}

/** The paths of the alarms about rows that are set aside; one that returned to normal waits for its acknowledgement alone. */
const asideOf = async (site: Site): Promise<readonly string[]> =>
  (await site.alarms.fromTocsin())
    .filter(
      ({ path, state }) => String(path).includes('set-aside') && (state !== 2 || String(path).includes('attempts-of')),
    )
    .map(({ path }) => String(path));

/** How often the log has named a row that was set aside. */
const logged = (site: Site, what: string): number =>
  site.app.logLines.filter((line) => JSON.stringify(line).includes(what)).length;

type SetAsideWork = { readonly alarmId: number; readonly message: string; readonly retryTime: string };

const breakCause = (site: Site, group: number) =>
  executeSql(site.app, `update call_causes set entered = '{' where target_id = ${group}`);
const repairCauses = (site: Site) => executeSql(site.app, "update call_causes set entered = '[]' where entered = '{'");
const healthOf = async (site: Site) => (await site.app.request('GET', '/health/calling')).status;

testOnStores('a stored cause that cannot be read stops no other call, and health is red', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, pumps, fans } = await withTwoGroups(site);
  await site.alarms.raise(pumps);
  await ana.isCalled();
  await ana.hangsUp();
  await breakCause(site, pumps);
  await site.alarms.raise(fans, { path: 'Fan' });
  await until(bo.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await until(
    () => asideOf(site),
    (paths) => paths.includes(`system/set-aside/group/${pumps}`),
  );
  const [named] = (await site.alarms.fromTocsin()).filter(({ path }) => String(path).includes('set-aside'));
  assert.match(String(named?.message), /Pumps/);
  assert.equal(logged(site, 'was set aside'), 1, 'logged once');
  const { setAside } = await site.ask<{ readonly setAside: readonly SetAsideWork[] }>('GET', '/system');
  assert.deepEqual(
    setAside.map(({ alarmId, message }) => [alarmId, message]),
    [[named?.id, named?.message]],
  );
  assert.ok(Date.parse(setAside[0]?.retryTime ?? '') > site.app.clock.now());
  assert.equal((await site.app.request('GET', '/health/ready')).status, 200);
  assert.equal(await healthOf(site), 503, 'a call that waits because of a fault is no health');
  await repairCauses(site);
  await until(
    async () => {
      site.app.clock.advance(30_000);
      await site.app.poll();
      return asideOf(site);
    },
    (paths) => paths.length === 0,
  );
  await site.expectWhatRings();
});

testOnStores('a cause that cannot be decided on leaves the telephones of others ringing', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, pumps, fans } = await withTwoGroups(site);
  await site.alarms.raise(fans, { path: 'Fan', alarmMessage: 'fan' });
  await bo.isCalled(/fan/);
  await site.alarms.raise(pumps);
  await ana.isCalled();
  // It can be read, and no decision can be made on it.
  await executeSql(site.app, `update call_causes set entered = '[null]' where target_id = ${pumps}`);
  await site.ask('POST', '/alarms', { path: 'Lamp', alarmMessage: 'lamp' });
  await until(
    () => asideOf(site),
    (paths) => paths.includes(`system/set-aside/group/${pumps}`),
  );
  await bo.isCalled(/fan/);
  await ana.isCalled();
  assert.equal((await ana.messages()).length, 1, 'her telephone rings on as well');
  await executeSql(site.app, "update call_causes set entered = '[]' where entered = '[null]'");
  await site.expectWhatRings();
});

testOnStores('an ended attempt that cannot be read keeps nobody from being called', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, pumps, fans } = await withTwoGroups(site);
  const taken = await site.alarms.raise(pumps);
  await ana.isCalled();
  await ana.takes();
  assert.equal((await site.alarms.get(taken)).ackUser, 'ana');
  await executeSql(site.app, `update call_attempts set answers = '{' where user_id = ${ana.id}`);
  await site.alarms.raise(fans, { path: 'Gas', priority: 1 });
  await until(bo.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await executeSql(site.app, "update call_attempts set answers = '[]' where answers = '{'");
  await site.expectWhatRings();
});

testOnStores('an attempt that cannot be made ends as failed, and its call goes on', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, pumps, fans } = await withTwoGroups(site);
  const poison =
    kind === 'sqlite'
      ? `create trigger poison after insert on call_attempts when new.user_id = ${ana.id} and new.attempt = 1
          begin update call_attempts set announced = '{' where id = new.id; end`
      : `create function poison() returns trigger as $$ begin
          if new.user_id = ${ana.id} and new.attempt = 1 then new.announced := '{'; end if; return new; end $$ language plpgsql;
          create trigger poison before insert on call_attempts for each row execute function poison()`;
  await executeSql(site.app, poison);
  await site.ask('PUT', `/users/${ana.id}`, {
    name: 'ana',
    firstName: 'ana',
    role: 'operator',
    numbers: [{ channel: 'sms', address: '+33600000009', countTry: 2, timeToRetry: 60 }],
  });
  const alarm = await site.alarms.raise(pumps);
  await site.alarms.raise(fans, { path: 'Fan' });
  await until(bo.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await until(
    () => asideOf(site),
    (paths) => paths.includes(`system/set-aside/attempts-of/${ana.id}`),
  );
  const [first] = (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items;
  assert.deepEqual([first?.user, first?.outcome], ['ana', 'failed']);
  await site.advance('60s');
  await ana.hasText(/Pump1/);
  await site.expectWhatRings();
});

testOnStores('an alarm whose delay cannot end stops no other delay', async (t, kind) => {
  const site = await startSite(t, kind);
  const delayed = { alarmDelay: 10, raised: true };
  const bad = await site.create('/alarms', { path: 'Bad', alarmMessage: 'bad', ...delayed });
  const good = await site.create('/alarms', { path: 'Good', alarmMessage: 'good', ...delayed });
  const poison =
    kind === 'sqlite'
      ? `create trigger poison before update on alarms when new.id = ${bad} and new.state = 3
          begin select raise(abort, 'poison'); end`
      : `create function poison() returns trigger as $$ begin
          if new.id = ${bad} and new.state = 3 then raise exception 'poison'; end if; return new; end $$ language plpgsql;
          create trigger poison before update on alarms for each row execute function poison()`;
  await executeSql(site.app, poison);
  site.app.clock.advance(10_000);
  await site.app.poll();
  await until(
    () => site.alarms.get(good),
    ({ state }) => state === 3,
  );
  await until(
    () => asideOf(site),
    (paths) => paths.includes(`system/set-aside/alarm/${bad}`),
  );
  assert.equal((await site.alarms.get(bad)).state, 0);
  assert.equal(logged(site, 'was set aside'), 1);
  await executeSql(site.app, kind === 'sqlite' ? 'drop trigger poison' : 'drop trigger poison on alarms');
  await until(
    async () => {
      site.app.clock.advance(60_000);
      await site.app.poll();
      return site.alarms.get(bad);
    },
    ({ state }) => state === 3,
  );
});

testOnStores('a cause that was set aside is looked at again when it is to be tried again', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, pumps } = await withTwoGroups(site);
  await site.alarms.raise(pumps);
  await ana.isCalled();
  const now = site.app.clock.now();
  await executeSql(site.app, `update call_causes set retry_at = ${now + 7_000}`);
  const { lookAgainAt } = await site.app.store.read(decideCalls, { now });
  assert.equal(lookAgainAt, now + 7_000);
  await executeSql(site.app, 'update call_causes set retry_at = null');
});

testOnStores('a call that cannot be begun keeps nobody else from being called', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, pumps, fans } = await withTwoGroups(site);
  const poison =
    kind === 'sqlite'
      ? `create trigger poison before insert on call_attempts when new.user_id = ${ana.id} begin select raise(abort, 'poison'); end`
      : `create function poison() returns trigger as $$ begin
          if new.user_id = ${ana.id} then raise exception 'poison'; end if; return new; end $$ language plpgsql;
          create trigger poison before insert on call_attempts for each row execute function poison()`;
  await executeSql(site.app, poison);
  await site.alarms.raise(pumps);
  await site.alarms.raise(fans, { path: 'Fan' });
  await until(bo.messages, (messages) => messages.some(({ state }) => state === 'ringing'));
  await until(
    () => asideOf(site),
    (paths) => paths.includes(`system/set-aside/group/${pumps}`),
  );
  assert.equal(logged(site, 'was set aside'), 1);
  assert.equal(await healthOf(site), 503);
  await executeSql(site.app, kind === 'sqlite' ? 'drop trigger poison' : 'drop trigger poison on call_attempts');
  await until(
    async () => {
      site.app.clock.advance(30_000);
      await site.app.poll();
      return ana.messages();
    },
    (messages) => messages.some(({ state }) => state === 'ringing'),
  );
  await site.expectWhatRings();
});
