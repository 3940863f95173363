// Limits of running scripts: time-out, concurrency, stopping with all child processes, never started twice.

import assert from 'node:assert/strict';
import { readlink, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { findScriptWork } from '../../../src/operations/scripts/queries.ts';
import { noteClockStep } from '../../../src/operations/system/clock-step.ts';
import { startServer } from '../../harness/server/server-process.ts';
import { adminPassword, migratedStore, startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { type Site, siteOn, startSite } from '../../harness/site/site.ts';
import { isAlive, scriptFolder } from '../../harness/site/site-scripts.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const execute = (scriptId: number, parameter = '') => ({ type: 'ExecuteCommand', scriptId, parameter });
const stop = (scriptId: number) => ({ type: 'StopCommand', scriptId });

/** Writes its process id and that of a child to the mark named by its parameter, and waits. */
const waits = `#!/bin/sh
sleep 300 &
echo "$$ $!" > MARKS/$2
wait
`;
const waitsWhateverComes = waits.replace('#!/bin/sh', "#!/bin/sh\ntrap '' TERM\necho begun");
const fails = `#!/bin/sh
echo 'the door is stuck'
exit 3
`;
/** Waits until the mark `go` exists. */
const waitsForMark = `#!/bin/sh
echo $$ > MARKS/$2
while [ ! -e MARKS/go ]; do sleep 0.02; done
`;

const isGone = (alive: boolean) => !alive;

const ownAlarms = async (site: Site) =>
  (await site.alarms.fromTocsin()).map(({ path, message }) => `${path}: ${message}`);

testOnAnyStore(
  'a script that fails or times out raises a system alarm, and its processes are ended',
  async (t, kind) => {
    const site = await startSite(t, kind, {
      scripts: {
        '1-fails': fails,
        '2-waits': waits,
        '3-deaf': waitsWhateverComes,
        '4-broken': '#!/no/such/program\n',
      },
    });
    const failed = await site.scripts.ended(await site.alarms.send({ path: 'door', alarmActions: [execute(1)] }));
    assert.deepEqual(failed, {
      scriptId: 1,
      outcome: 'failed',
      exitCode: 3,
      detail: 'it ended with exit code 3',
      output: 'the door is stuck\n',
    });
    const broken = await site.scripts.ended(await site.alarms.send({ path: 'gate', alarmActions: [execute(4)] }));
    assert.deepEqual([broken.outcome, broken.detail], ['failed', 'it could not be begun (ENOENT)']);

    const slow = await site.alarms.send({ path: 'slow', alarmActions: [execute(2, 'slow')] });
    const deaf = await site.alarms.send({ path: 'deaf', alarmActions: [execute(3, 'deaf')] });
    const pids = `${await site.scripts.marked('slow')} ${await site.scripts.marked('deaf')}`.split(' ');
    assert.equal(pids.length, 4);
    site.app.clock.advance(29_999);
    await site.app.poll();
    for (const pid of pids) assert.ok(await isAlive(pid), 'not before its time');
    site.app.clock.advance(1);
    const { outcome, detail } = await site.scripts.ended(slow);
    assert.deepEqual([outcome, detail], ['timed-out', 'it took longer than 30 seconds and was ended']);
    assert.ok(await isAlive(pids[2] ?? ''), 'one that does not listen has two seconds more');
    site.app.clock.advance(2_000);
    assert.deepEqual(
      [(await site.scripts.ended(deaf)).outcome, (await site.scripts.ended(deaf)).output],
      ['timed-out', 'begun\n'],
    );
    for (const pid of pids) await until(() => isAlive(pid), isGone);
    const message = (script: number, id: number, path: string, what: string) =>
      `system/command/${script}: Script ${script} for alarm ${id}, "${path}": ${what}.`;
    const tooLong = 'it took longer than 30 seconds and was ended';
    const told = await ownAlarms(site);
    assert.equal(told.length, 4);
    assert.ok(told.includes(message(2, slow, 'slow', tooLong)), told.join('\n'));
    assert.ok(told.includes(message(3, deaf, 'deaf', tooLong)));
  },
);

testOnAnyStore('background processes of a script are ended with it, and long output is cut', async (t, kind) => {
  const site = await startSite(t, kind, {
    scripts: {
      '1-leaves': '#!/bin/sh\nsleep 300 &\necho $! > MARKS/left\n',
      '2-talks': '#!/bin/sh\nhead -c 1000000 /dev/zero | tr "\\\\0" x\nprintf "\\\\033[2J" >&2\n',
    },
  });
  const left = await site.scripts.ended(await site.alarms.send({ path: 'a', alarmActions: [execute(1)] }));
  assert.equal(left.outcome, 'succeeded');
  const pid = await site.scripts.marked('left');
  await until(() => isAlive(pid), isGone);
  const talked = await site.scripts.ended(await site.alarms.send({ path: 'b', alarmActions: [execute(2)] }));
  assert.deepEqual([talked.outcome, talked.output], ['succeeded', 'x'.repeat(1_024)]);
});

testOnStores("StopCommand ends the alarm's runs of that script, waiting or running, and no others", async (t, kind) => {
  const site = await startSite(t, kind, { scripts: { '7': waits, '8': waits } });
  const actions = (name: string) => ({
    alarmActions: [execute(7, `${name}7`), execute(8, `${name}8`)],
    resetActions: [stop(7)],
  });
  const one = await site.alarms.send({ path: 'one', ...actions('one') });
  const two = await site.alarms.send({ path: 'two', ...actions('two') });
  for (const mark of ['one7', 'one8', 'two7', 'two8']) await site.scripts.marked(mark);
  const third = await site.alarms.send({ path: 'third', ...actions('third') });
  await site.alarms.send({ path: 'third', raised: false });
  assert.deepEqual(
    (await site.scripts.endings(third)).map(({ scriptId, outcome, detail }) => [scriptId, outcome, detail]),
    [[7, 'stopped', 'stopped before it began']],
  );
  await site.alarms.send({ path: 'one', raised: false });
  const stopped = await site.scripts.ended(one);
  assert.deepEqual([stopped.scriptId, stopped.outcome, stopped.detail], [7, 'stopped', 'stopped by the alarm']);
  for (const pid of (await site.scripts.marked('one7')).split(' ')) await until(() => isAlive(pid), isGone);
  await site.scripts.marked('third8');
  assert.deepEqual([await site.scripts.endings(two), (await site.scripts.endings(one)).length], [[], 1]);
  for (const mark of ['one8', 'two7', 'two8']) {
    const [pid = ''] = (await site.scripts.marked(mark)).split(' ');
    assert.ok(await isAlive(pid), `${mark} goes on`);
  }
  assert.ok(!(await site.scripts.marks()).includes('third7'));
  assert.deepEqual(await ownAlarms(site), []);
});

testOnAnyStore(
  'four scripts run at once, others wait; a run that waits longer than ten minutes is not started',
  async (t, kind) => {
    const site = await startSite(t, kind, { scripts: { '7': waitsForMark, '8': waits } });
    const ids = [];
    for (let n = 0; n < 6; n++)
      ids.push(await site.alarms.send({ path: `alarm ${n}`, alarmActions: [execute(7, `run${n}`)] }));
    for (let n = 0; n < 4; n++) await site.scripts.marked(`run${n}`);
    const work = () => site.app.store.read(findScriptWork, { now: site.app.clock.now(), node: '', scriptIds: [7] });
    for (let looks = 0; looks < 20; looks++) {
      await site.app.poll();
      assert.equal((await work()).isDue, true);
    }
    assert.deepEqual((await site.scripts.marks()).toSorted(), ['run0', 'run1', 'run2', 'run3']);
    await site.scripts.mark('go');
    for (const id of ids) assert.equal((await site.scripts.ended(id)).outcome, 'succeeded');
    const blockers = [];
    for (let n = 0; n < 4; n++)
      blockers.push(await site.alarms.send({ path: `b${n}`, alarmActions: [execute(8, `b${n}`)] }));
    for (let n = 0; n < 4; n++) await site.scripts.marked(`b${n}`);
    const late = await site.alarms.send({ path: 'late', alarmActions: [execute(7, 'late')] });
    site.app.clock.advance(600_001);
    assert.equal((await site.scripts.ended(late)).outcome, 'too-late');
    for (const id of blockers) assert.equal((await site.scripts.ended(id)).outcome, 'timed-out');
    assert.ok(!(await site.scripts.marks()).includes('late'));
  },
);

testOnStores('a clock step does not shorten the thirty seconds of a running script', async (t, kind) => {
  const site = await startSite(t, kind, { scripts: { '7': waits } });
  const id = await site.alarms.send({ path: 'pump', alarmActions: [execute(7, 'mark')] });
  await site.scripts.marked('mark');
  const hour = 3_600_000;
  const step = {
    knownSteps: 0,
    kind: 'forward',
    setMs: hour,
    byMs: hour,
    aheadMs: 0,
    since: site.app.clock.now(),
  } as const;
  await site.app.store.write(noteClockStep, step);
  site.app.clock.moveBy(hour);
  site.app.clock.advance(29_999);
  await site.app.poll();
  await site.alarms.send({ path: 'other', alarmActions: [execute(7, 'other')] });
  await site.scripts.marked('other');
  assert.deepEqual(await site.scripts.endings(id), []);
  site.app.clock.advance(1);
  assert.equal((await site.scripts.ended(id)).outcome, 'timed-out');
});

testOnAnyStore('a server that stops ends its running scripts and records it', async (t, kind) => {
  const site = await startSite(t, kind, { scripts: { '7': waits } });
  const id = await site.alarms.send({ path: 'pump', alarmActions: [execute(7, 'mark')] });
  const pids = (await site.scripts.marked('mark')).split(' ');
  await site.app.stop();
  for (const pid of pids) await until(() => isAlive(pid), isGone);
  await site.restart();
  const { outcome, detail } = await site.scripts.ended(id);
  assert.deepEqual([outcome, detail], ['failed', 'the server was stopped while it ran']);
  assert.equal((await ownAlarms(site)).length, 1);
});

testOnAnyStore(
  'after a crash the outcome of a running script is unknown: a system alarm says so, and it is not repeated',
  async (t, kind) => {
    const scripts = await scriptFolder(t, { '7': '#!/bin/sh\necho $$ > MARKS/$$\nexec sleep 300\n' });
    const environment = { ...(await migratedStore(t, kind)), ...scripts.settings };
    const server = await startServer(environment);
    const body = { grant_type: 'password', username: 'admin', password: adminPassword };
    const post = async (path: string, json: object, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      return (
        await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(json) })
      ).json();
    };
    const { access_token: token } = (await post('/auth/login', body)) as { access_token: string };
    const id = (await post('/alarms', { path: 'door', alarmActions: [execute(7)] }, token)) as number;
    const [pid = ''] = await until(scripts.marks, (marks) => marks.length > 0);
    const leftBehind = await readlink(`/proc/${pid}/cwd`);
    t.after(async () => {
      process.kill(Number(pid), 'SIGKILL');
      await rm(leftBehind, { recursive: true });
    });
    await server.end('SIGKILL');
    const app = await startOn(t, environment, fakeClock(Date.now() + 60_000));
    const site = await siteOn(t, app);
    assert.equal((await site.scripts.ended(id)).outcome, 'unknown');
    const [told = '', ...others] = await ownAlarms(site);
    assert.match(told, /Script 7 for alarm \d+, "door": .*nobody knows.*not run again/);
    assert.deepEqual(others, []);
    await site.alarms.send({ path: 'another', alarmActions: [execute(7)] });
    assert.equal((await until(scripts.marks, (marks) => marks.length > 1)).length, 2, 'the newer alarm’s alone');
  },
);

const onPostgres = storesUnderTest().includes('postgres') ? {} : { skip: 'PostgreSQL is not among the stores' };

test('postgres: two nodes share the script runs, and each runs once', onPostgres, async (t) => {
  const site = await startSite(t, 'postgres', { scripts: { '7': '#!/bin/sh\necho run >> MARKS/$2\n' } });
  const other = await site.startNode();
  const ids = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      (n % 2 === 0 ? site : other).alarms.send({
        path: `alarm ${n}`,
        alarmActions: [execute(7, `mark${n}`)],
      }),
    ),
  );
  for (const [n, id] of ids.entries()) {
    assert.equal((await site.scripts.ended(id)).outcome, 'succeeded');
    assert.equal(await site.scripts.marked(`mark${n}`), 'run');
  }
});
