// Alarms run scripts: only scripts of the administrator, only for callers with the scope, and with the parameter as one
// plain argument.

import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestApp } from '../../harness/app.ts';
import { hubClient } from '../../harness/hub-client.ts';
import { commandDesk, scriptDesk, scriptFolder } from '../../harness/script-desk.ts';
import { storesUnderTest } from '../../harness/stores.ts';
import { until } from '../../harness/until.ts';

const execute = (scriptId: number, parameter = '') => ({ type: 'ExecuteCommand', scriptId, parameter });
/** Prints its arguments. */
const echo = `#!/bin/sh
printf '[%s]' "$#" "$@"
`;

for (const kind of storesUnderTest()) {
  test(`${kind}: a parameter is passed as one argument, whatever it contains`, async (t) => {
    const { send, ended, ask, systemAlarms } = await scriptDesk(t, kind, { '7-echo.sh': echo });
    const parameters = ['', '; id', '$(id)', '`id`', 'a\nid', '--help', '-rf', `'"\\*?~ $HOME|&>x`, 'ü'.repeat(512)];
    const ids = [];
    for (const [n, parameter] of parameters.entries())
      ids.push(await send({ path: `alarm ${n}`, alarmActions: [execute(7, parameter)] }));
    for (const [n, parameter] of parameters.entries()) {
      const { outcome, exitCode, output, scriptId } = await ended(ids[n] ?? 0);
      assert.deepEqual([outcome, exitCode, scriptId], ['succeeded', 0, 7]);
      assert.equal(output, `[2][--][${parameter}]`, 'as it was sent');
    }
    assert.deepEqual(await systemAlarms(), []);
    const status = async (parameter: string) =>
      (await ask('POST', '', { path: 'bad', alarmActions: [execute(7, parameter)] })).status;
    assert.equal(await status('a\0b'), 422);
    assert.equal(await status('a'.repeat(1_025)), 400);
    assert.equal(await status('a'.repeat(1_048_576)), 413);
  });

  test(`${kind}: a script gets two variables about its alarm, an empty folder, no input and an unprivileged user`, async (t) => {
    const text = `#!/bin/sh
env | grep -v -e ^PWD= -e ^OLDPWD= -e ^SHLVL= -e ^_= | sort
echo "user $(id -u) files $(ls -A | wc -l) input $(wc -c)"
case "$PWD" in "\${0%/*}") echo 'in the folder of scripts';; esac
`;
    const { app, token, send, ended } = await scriptDesk(t, kind, { '3': text });
    const hub = await hubClient(t, app.url, token);
    await hub.connection.invoke('subscribe', { changes: true });
    const id = await send({ path: 'Plant/Pump $(id); `x` "1"', alarmActions: [execute(3)] });
    const { output } = await ended(id);
    const user = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
    assert.deepEqual(String(output).trim().split('\n'), [
      'PATH=/usr/bin:/bin',
      `TOCSIN_ALARM_ID=${id}`,
      'TOCSIN_ALARM_PATH=Plant/Pump __id__ _x_ _1_',
      `user ${user} files 0 input 0`,
    ]);
    await send({ path: 'last' });
    await until(
      () => hub.alarms,
      (rows) => rows.length >= 2,
    );
    assert.deepEqual([hub.alarms.length, hub.changes], [2, []], 'the end of a command is no change of the alarm');
  });

  test(`${kind}: an unsafe or unknown script, or a parameter it does not accept, is not run, and the alarm is stored`, async (t) => {
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
    const app = await startTestApp(t, kind, { overrides: scripts.settings });
    assert.equal(app.logLines.filter(({ msg }) => /A script is not taken/.test(msg)).length, 5);
    const { report } = await commandDesk(app);
    const alarmActions = [
      ...[1, 2, 3, 4, 5, 8, 9].map((scriptId) => execute(scriptId)),
      ...['door 2', 'door 2\n', 'a door 2', 'door 22'].map((parameter) => execute(6, parameter)),
      execute(1, 'ü'.repeat(513)),
      { type: 'StopCommand', scriptId: 9 },
    ];
    const { warnings } = await report({ path: 'pump', alarmActions });
    assert.deepEqual(warnings?.split('; '), [
      ...[2, 3, 4, 5, 8, 9].map((id, n) => `alarmActions[${n + 1}]: script ${id} does not exist`),
      ...[8, 9, 10].map((n) => `alarmActions[${n}]: the parameter is not one that script 6 takes`),
      'alarmActions[11]: the parameter is longer than 1024 bytes',
      'alarmActions[12]: script 9 does not exist',
    ]);
  });

  test(`${kind}: without the scope a script action is stored but not run; a repeated list keeps its permission`, async (t) => {
    const { report, keyFor, alarm, ended, endings, ask } = await scriptDesk(t, kind, { '7': echo });
    const source = await keyFor(['alarms:write']);
    const trusted = await keyFor(['alarms:write', 'commands:run']);
    const body = { path: 'pump', alarmActions: [execute(7, 'a')] };
    const over = { path: 'pump', raised: false };
    const first = await report(body, source);
    assert.equal(first.warnings, 'alarmActions[0]: whoever asks for a command needs the scope commands:run');
    assert.deepEqual((await alarm(first.id)).actions, {
      alarm: [{ type: 'ExecuteCommand', id: 0, scriptId: 7, parameter: 'a', flags: 0 }],
      reset: [],
      ack: [],
    });
    await report(over, source);
    assert.equal((await report(body, trusted)).warnings, null, 'who may run it says the same');
    assert.equal((await ended(first.id)).output, '[2][--][a]');
    assert.doesNotMatch(JSON.stringify((await ask('GET', `/${first.id}/timeline`)).body), /allowed/);
    await report(over, source);
    assert.equal((await report(body, source)).warnings, null, 'nothing has changed');
    await ended(first.id, 2);
    await report(over, source);
    const changed = await report({ ...body, alarmActions: [execute(7, 'b')] }, source);
    assert.match(changed.warnings ?? '', /commands:run/);
    await report(over, source);
    assert.match((await report({ path: 'pump' }, trusted)).warnings ?? '', /commands:run/, 'raising it allows nothing');
    await report({ path: 'next', alarmActions: [execute(7, 'c')] }, trusted).then(({ id }) => ended(id));
    assert.equal((await endings(first.id)).length, 2, 'nothing but what was allowed has run');
  });

  test(`${kind}: a scenario can run scripts only if its author has the scope`, async (t) => {
    const { app, token, keyFor, send, ended } = await scriptDesk(t, kind, { '7': echo });
    const editor = await keyFor(['directory:read', 'directory:write']);
    const scenario = { name: 'Fire', alarmActions: [execute(7, 'scenario')] };
    const save = (method: string, path: string, body: object, as = token) =>
      app.request(method, `/api/v1/${path}`, { token: as, body });
    const refused = await save('POST', 'scenarios', scenario, editor);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /alarmActions\[0\]\.type needs the scope commands:run/);
    const scenarioId = (await save('POST', 'scenarios', scenario)).body as number;
    assert.equal((await save('PUT', `scenarios/${scenarioId}`, { ...scenario, name: 'Smoke' }, editor)).status, 200);
    const other = { ...scenario, alarmActions: [execute(7, 'other')] };
    assert.equal((await save('PUT', `scenarios/${scenarioId}`, other, editor)).status, 422);
    const groupId = (await save('POST', 'taggroups', { name: 'Pumps', scenarioIds: [scenarioId] })).body as number;
    const id = await send({ path: 'pump', tagGroupId: groupId });
    assert.equal((await ended(id)).output, '[2][--][scenario]');
  });

  test(`${kind}: while an alarm is masked its alarm scripts are not run, and its reset scripts are`, async (t) => {
    const { send, ask, ended, endings } = await scriptDesk(t, kind, { '7': echo });
    const actions = { alarmActions: [execute(7, 'alarm')], resetActions: [execute(7, 'reset')] };
    const id = await send({ path: 'pump', raised: false, ...actions });
    await ask('POST', `/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'work' });
    await send({ path: 'pump' });
    await send({ path: 'pump', raised: false });
    assert.equal((await ended(id)).output, '[2][--][reset]');
    assert.equal((await endings(id)).length, 1);
  });
}

test('as root, scripts need an unprivileged user', { skip: process.getuid?.() !== 0 && 'not root' }, async (t) => {
  const { folder } = await scriptFolder(t, {});
  await assert.rejects(startTestApp(t, 'sqlite', { overrides: { TOCSIN_SCRIPTS_DIR: folder } }), /TOCSIN_SCRIPTS_USER/);
  const asRoot = { TOCSIN_SCRIPTS_DIR: folder, TOCSIN_SCRIPTS_USER: '0' };
  await assert.rejects(startTestApp(t, 'sqlite', { overrides: asRoot }), /other than root/);
});
