// Alarms run scripts: only scripts of the administrator, only for callers with the scope, and with the parameter as one
// plain argument.

import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { startTestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { refusal } from '../../harness/site/site-caller.ts';
import { scriptFolder } from '../../harness/site/site-scripts.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const execute = (scriptId: number, parameter = '') => ({ type: 'ExecuteCommand', scriptId, parameter });
/** Prints its arguments. */
const echo = `#!/bin/sh
printf '[%s]' "$#" "$@"
`;

testOnAnyStore('a parameter is passed as one argument, whatever it contains', async (t, kind) => {
  const site = await startSite(t, kind, { scripts: { '7-echo.sh': echo } });
  const parameters = ['', '; id', '$(id)', '`id`', 'a\nid', '--help', '-rf', `'"\\*?~ $HOME|&>x`, 'ü'.repeat(512)];
  const ids = [];
  for (const [n, parameter] of parameters.entries())
    ids.push(await site.alarms.send({ path: `alarm ${n}`, alarmActions: [execute(7, parameter)] }));
  for (const [n, parameter] of parameters.entries()) {
    const { outcome, exitCode, output, scriptId } = await site.scripts.ended(ids[n] ?? 0);
    assert.deepEqual([outcome, exitCode, scriptId], ['succeeded', 0, 7]);
    assert.equal(output, `[2][--][${parameter}]`, 'as it was sent');
  }
  assert.deepEqual(await site.systemAlarms(), []);
  const { app, token } = site;
  const headers = { prefer: 'handling=strict' };
  const status = async (parameter: string) => {
    const body = { path: 'bad', alarmActions: [execute(7, parameter)] };
    return (await app.request('POST', '/api/v1/alarms', { token, body, headers })).status;
  };
  assert.equal(await status('a\0b'), 400);
  assert.equal(await status('a'.repeat(1_025)), 400);
  assert.equal(await status('a'.repeat(1_048_576)), 413);
});

testOnAnyStore(
  'a script gets two variables about its alarm, an empty folder, no input and an unprivileged user',
  async (t, kind) => {
    const text = `#!/bin/sh
env | grep -v -e ^PWD= -e ^OLDPWD= -e ^SHLVL= -e ^_= | sort
echo "user $(id -u) files $(ls -A | wc -l) input $(wc -c)"
case "$PWD" in "\${0%/*}") echo 'in the folder of scripts';; esac
`;
    const site = await startSite(t, kind, { scripts: { '3': text } });
    const hub = await hubClient(t, site.app.url, site.token);
    await hub.connection.invoke('subscribe', { changes: true });
    const id = await site.alarms.send({ path: 'Plant/Pump $(id); `x` "1"', alarmActions: [execute(3)] });
    const { output } = await site.scripts.ended(id);
    const user = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
    assert.deepEqual(String(output).trim().split('\n'), [
      'PATH=/usr/bin:/bin',
      `TOCSIN_ALARM_ID=${id}`,
      'TOCSIN_ALARM_PATH=Plant/Pump __id__ _x_ _1_',
      `user ${user} files 0 input 0`,
    ]);
    await site.alarms.send({ path: 'last' });
    await until(
      () => hub.alarms,
      (rows) => rows.length >= 2,
    );
    assert.deepEqual([hub.alarms.length, hub.changes], [2, []], 'the end of a command is no change of the alarm');
  },
);

testOnAnyStore(
  'an unsafe or unknown script, or a parameter it does not accept, is not run, and the alarm is stored',
  async (t, kind) => {
    const scripts = await scriptFolder(t, {
      '1-fine': echo,
      '2-open': echo,
      '3-a': echo,
      '3-b': echo,
      '5-data': echo,
      '6-doors': echo,
      '8-slow': echo,
    });
    await scripts.put('2-open', echo, 0o777);
    await scripts.put('5-data', echo, 0o644);
    await symlink(join(scripts.folder, '1-fine'), join(scripts.folder, '4-link'));
    await scripts.put('6.pattern', 'door [1-4]\n', 0o644);
    await scripts.put('8.pattern', '(a+)+', 0o644);
    const site = await startSite(t, kind, { overrides: scripts.settings });
    assert.equal(site.app.logLines.filter(({ msg }) => /A script is not taken/.test(msg)).length, 5);
    const alarmActions = [
      ...[1, 2, 3, 4, 5, 8, 9].map((scriptId) => execute(scriptId)),
      ...['door 2', 'door 2\n', 'a door 2', 'door 22'].map((parameter) => execute(6, parameter)),
      execute(1, 'ü'.repeat(513)),
      { type: 'StopCommand', scriptId: 9 },
    ];
    const { warnings } = await site.alarms.report({ path: 'pump', alarmActions });
    assert.deepEqual(warnings?.split('; '), [
      ...[2, 3, 4, 5, 8, 9].map((id, n) => `alarmActions[${n + 1}]: script ${id} does not exist`),
      ...[8, 9, 10].map((n) => `alarmActions[${n}]: the parameter is not one that script 6 takes`),
      'alarmActions[11]: the parameter is longer than 1024 bytes',
      'alarmActions[12]: script 9 does not exist',
    ]);
  },
);

testOnAnyStore(
  'without the scope a script action is stored but not run; a repeated list keeps its permission',
  async (t, kind) => {
    const site = await startSite(t, kind, { scripts: { '7': echo } });
    const source = await site.keyFor(['alarms:write']);
    const trusted = await site.keyFor(['alarms:write', 'commands:run']);
    const body = { path: 'pump', alarmActions: [execute(7, 'a')] };
    const over = { path: 'pump', raised: false };
    const first = await site.as(source).alarms.report(body);
    assert.equal(first.warnings, 'alarmActions[0]: whoever asks for a command needs the scope commands:run');
    assert.deepEqual((await site.alarms.get(first.id)).actions, {
      alarm: [{ type: 'ExecuteCommand', id: 0, scriptId: 7, parameter: 'a', flags: 0 }],
      reset: [],
      ack: [],
    });
    await site.as(source).alarms.report(over);
    assert.equal((await site.as(trusted).alarms.report(body)).warnings, null, 'who may run it says the same');
    assert.equal((await site.scripts.ended(first.id)).output, '[2][--][a]');
    assert.doesNotMatch(JSON.stringify((await site.request('GET', `/alarms/${first.id}/timeline`)).body), /allowed/);
    await site.as(source).alarms.report(over);
    assert.equal((await site.as(source).alarms.report(body)).warnings, null, 'nothing has changed');
    await site.scripts.ended(first.id, 2);
    await site.as(source).alarms.report(over);
    const changed = await site.as(source).alarms.report({ ...body, alarmActions: [execute(7, 'b')] });
    assert.match(changed.warnings ?? '', /commands:run/);
    await site.as(source).alarms.report(over);
    assert.match(
      (await site.as(trusted).alarms.report({ path: 'pump' })).warnings ?? '',
      /commands:run/,
      'raising it allows nothing',
    );
    await site
      .as(trusted)
      .alarms.report({ path: 'next', alarmActions: [execute(7, 'c')] })
      .then(({ id }) => site.scripts.ended(id));
    assert.equal((await site.scripts.endings(first.id)).length, 2, 'nothing but what was allowed has run');
  },
);

testOnAnyStore('a scenario can run scripts only if its author has the scope', async (t, kind) => {
  const site = await startSite(t, kind, { scripts: { '7': echo } });
  const editor = site.as(await site.keyFor(['directory:read', 'directory:write']));
  const scenario = { name: 'Fire', alarmActions: [execute(7, 'scenario')] };
  const refused = await editor.request('POST', '/scenarios', scenario);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /alarmActions\[0\]\.type needs the scope commands:run/);
  const scenarioId = await site.create('/scenarios', scenario);
  assert.equal((await editor.request('PUT', `/scenarios/${scenarioId}`, { ...scenario, name: 'Smoke' })).status, 200);
  const other = { ...scenario, alarmActions: [execute(7, 'other')] };
  assert.equal((await editor.request('PUT', `/scenarios/${scenarioId}`, other)).status, 422);
  const groupId = await site.create('/taggroups', { name: 'Pumps', scenarioIds: [scenarioId] });
  const id = await site.alarms.send({ path: 'pump', tagGroupId: groupId });
  assert.equal((await site.scripts.ended(id)).output, '[2][--][scenario]');
});

testOnAnyStore(
  'a key that may only send alarms, or edit the directory, attaches no scenario that runs scripts',
  async (t, kind) => {
    const site = await startSite(t, kind, { scripts: { '7': echo } });
    const scenarioId = await site.create('/scenarios', { name: 'Fire', alarmActions: [execute(7, 'scenario')] });
    const harmless = await site.create('/scenarios', { name: 'Smoke' });
    const stationId = await site.create('/stations', { name: 'North' });
    const tagGroupId = await site.create('/taggroups', { name: 'Pumps' });
    const id = await site.alarms.send({ path: 'pump', tagGroupId, raised: false });
    const source = site.as(await site.keyFor(['alarms:write']));
    const editor = site.as(await site.keyFor(['directory:read', 'directory:write']));
    const scenarioIds = [harmless, scenarioId];
    const doors = [
      await source.request('PUT', `/alarms/${id}/scenarios`, { scenarioIds }),
      await editor.request('POST', '/taggroups', { name: 'Fans', scenarioIds }),
      await editor.request('PUT', `/taggroups/${tagGroupId}`, { name: 'Pumps', scenarioIds }),
      await editor.request('POST', '/stations', { name: 'South', scenarioIds }),
      await editor.request('PUT', `/stations/${stationId}`, { name: 'North', scenarioIds }),
    ];
    for (const door of doors) {
      assert.deepEqual(refusal(door), [422, 'scenarioIds[1]']);
      assert.match(
        door.text,
        new RegExp(`names scenario ${scenarioId}, which runs scripts, and needs the scope commands:run`),
      );
    }
    assert.deepEqual(await source.ask('PUT', `/alarms/${id}/scenarios`, { scenarioIds: [harmless] }), true);
    await source.alarms.send({ path: 'pump' });
    await site.alarms.send({ path: 'last', alarmActions: [execute(7)] }).then((last) => site.scripts.ended(last));
    assert.deepEqual(await site.scripts.endings(id), [], 'no script has run');
    await site.ask('PUT', `/alarms/${id}/scenarios`, { scenarioIds });
    assert.deepEqual(
      await source.ask('PUT', `/alarms/${id}/scenarios`, { scenarioIds: [scenarioId] }),
      true,
      'what somebody else has attached may stay',
    );
  },
);

testOnAnyStore('while an alarm is masked its alarm scripts are not run, and its reset scripts are', async (t, kind) => {
  const site = await startSite(t, kind, { scripts: { '7': echo } });
  const actions = { alarmActions: [execute(7, 'alarm')], resetActions: [execute(7, 'reset')] };
  const id = await site.alarms.send({ path: 'pump', raised: false, ...actions });
  await site.request('POST', `/alarms/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'work' });
  await site.alarms.send({ path: 'pump' });
  await site.alarms.send({ path: 'pump', raised: false });
  assert.equal((await site.scripts.ended(id)).output, '[2][--][reset]');
  assert.equal((await site.scripts.endings(id)).length, 1);
});

test('as root, scripts need an unprivileged user', { skip: process.getuid?.() !== 0 && 'not root' }, async (t) => {
  const { folder } = await scriptFolder(t, {});
  await assert.rejects(startTestApp(t, 'sqlite', { overrides: { TOCSIN_SCRIPTS_DIR: folder } }), /TOCSIN_SCRIPTS_USER/);
  const asRoot = { TOCSIN_SCRIPTS_DIR: folder, TOCSIN_SCRIPTS_USER: '0' };
  await assert.rejects(startTestApp(t, 'sqlite', { overrides: asRoot }), /other than root/);
});
