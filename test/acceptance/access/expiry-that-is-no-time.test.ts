// API keys have bounds when they are made, and a stored time that is none ends no list, backup or command.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, StartError } from '../../../src/errors.ts';
import { runHere } from '../../harness/server/run-command.ts';
import { freshStore, startOn, startTestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

/** What `--days 999999999` stored: more than any date, and than JavaScript counts exactly. */
const farAway = '86401794943926779';
/** The nearest that JavaScript counts exactly. */
const nearest = String(Number.MAX_SAFE_INTEGER);

testOnAnyStore('a key without a name or with an expiry that is no time is not made', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['', '--scope', 'alarms:read'], /NAME must have 1 to 256 characters/],
    [['x'.repeat(257), '--scope', 'alarms:read'], /NAME must have 1 to 256 characters/],
    [['x', '--scope', 'alarms:read', '--days', '999999999'], /--days must be before the year 10000/],
    [['x', '--scope', 'alarms:read', '--days', '0'], /--days must be a time in the future/],
  ];
  for (const [words, says] of refused)
    await assert.rejects(runHere(t, app.environment, 'key', 'add', ...words), (error) => {
      assert.ok(error instanceof StartError, String(error));
      assert.match(error.message, says);
      assert.equal(error.exitCode, exitCodes['bad-usage']);
      return true;
    });
  const bodies = [
    { name: '', expiryTime: '2099-01-01T00:00:00Z' },
    { name: 'x'.repeat(257), expiryTime: '2099-01-01T00:00:00Z' },
    { name: 'x', expiryTime: '9999-12-31T23:59:59-10:00' },
    { name: 'x', expiryTime: '2020-01-01T00:00:00Z' },
  ];
  for (const body of bodies) {
    const answer = await app.request('POST', '/api/v1/auth/keys', {
      token,
      body: { ...body, scopes: ['alarms:read'] },
    });
    assert.equal(answer.status, 400, JSON.stringify(body));
  }
  assert.match((await runHere(t, app.environment, 'key', 'list')).out, /There are no API keys/);
});

testOnAnyStore('a key whose expiry is no time is listed, named, backed up, restored and revoked', async (t, kind) => {
  const app = await startTestApp(t, kind);
  for (const name of ['PLC', 'endless', 'other'])
    await runHere(t, app.environment, 'key', 'add', name, '--scope', 'alarms:read');
  await executeSql(app, `update api_keys set expires_at = ${farAway} where name = 'endless'`);
  const list = await runHere(t, app.environment, 'key', 'list');
  assert.match(list.out, /1 {2}PLC .*\n2 {2}endless .* until (\d+) \(no time\) .*\n3 {2}other /);
  assert.ok(list.out.includes(nearest));
  const token = await app.signIn();
  const keys = await app.request('GET', '/api/v1/auth/keys', { token });
  assert.deepEqual(
    (keys.body as { items: readonly Record<string, unknown>[] }).items.map(({ name, expiryTime }) => [
      name,
      String(expiryTime).slice(0, 4) > '9000' ? expiryTime : 'soon',
    ]),
    [
      ['PLC', 'soon'],
      ['endless', '9999-12-31T23:59:59.999+00:00'],
      ['other', 'soon'],
    ],
  );
  assert.match((await runHere(t, app.environment, 'doctor')).out, /The API key 2 "endless" expires at \d+ \(no time\)/);
  const file = join(app.environment.TOCSIN_DATA_DIR ?? '', 'a.backup');
  await runHere(t, app.environment, 'backup', file);
  const target = await freshStore(t, kind);
  await runHere(t, target, 'restore', file);
  assert.match((await runHere(t, target, 'key', 'list')).out, /PLC .*\n.*endless .*\n.*other /);
  await runHere(t, app.environment, 'key', 'revoke', '2');
  assert.doesNotMatch((await runHere(t, app.environment, 'key', 'list')).out, /endless/);
  await app.stop();
  const { out } = await runHere(t, app.environment, 'restore', file, '--replace');
  assert.match(out, /revoked since stay revoked: 2 "endless"/);
  await startOn(t, app.environment);
});

testOnAnyStore(
  'stored times that are none end no list of sessions, alarms, histories or the journal',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.alarms.send({ path: 'pump' });
    await site.signInAgain();
    const tables = await tablesOf(site.app.environment);
    const [newest] = (await tables.select('select max(id) as id from sessions')) as readonly { id: number }[];
    await tables.close();
    await executeSql(site.app, `update sessions set expires_at = ${farAway} where id = ${newest?.id}`);
    await executeSql(site.app, `update alarms set raised_at = ${farAway}`);
    await executeSql(site.app, `update alarm_histories set reset_at = ${farAway}`);
    await executeSql(site.app, `update audit_entries set at = ${nearest} - 1 where id = 1`);
    const latest = '9999-12-31T23:59:59.999+00:00';
    const found = await site.list('/auth/sessions');
    assert.ok(found.items.some(({ expiryTime }) => expiryTime === latest));
    assert.equal((await site.list('/alarms')).items[0]?.alarmTime, latest);
    assert.equal((await site.list('/alarms/histories')).items.length, 1);
    assert.ok((await site.list('/journal')).items.length > 0);
    const file = join(site.app.environment.TOCSIN_DATA_DIR ?? '', 'audit.jsonl');
    await runHere(t, site.app.environment, 'audit', 'export', '--file', file);
    assert.ok(readFileSync(file, 'utf8').includes('(no time)'));
  },
);
