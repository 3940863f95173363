// Monitoring systems send what they send by themselves: it is read as alarms, and what cannot be read is raised all the same.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { refuse } from '../../harness/site/refused-intakes.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

/** What Alertmanager 0.25 sent for a group of two alerts, and again when one of them was over. */
const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/intake/${name}.json`, import.meta.url), 'utf8'));

type Answer = { readonly ids: readonly number[]; readonly warnings: readonly string[] };
type Alarm = { readonly path: string; readonly state: number; readonly priority: number; readonly message: string };

testOnAnyStore('Alertmanager raises, repeats and returns the alerts of a group', async (t, kind) => {
  const site = await startSite(t, kind);
  const send = (body: unknown) => site.ask<Answer>('POST', '/in/alertmanager', body);
  const alarm = async (id: number | undefined) => {
    const { path, state, priority, message } = await site.ask<Alarm>('GET', `/alarms/${id}`);
    return { path, state, priority, message };
  };
  const firing = await send(recorded('alertmanager-firing'));
  assert.equal(firing.ids.length, 2);
  assert.deepEqual(firing.warnings, []);
  const [first, second] = firing.ids;
  const db1 = { path: 'alertmanager/HighLoad/db1/5812109616618044', priority: 1, message: 'Load of db1 is {high}' };
  const db2 = { path: 'alertmanager/HighLoad/db2/0e4eefbe6b10ce62', priority: 3, message: 'Load of db2' };
  assert.deepEqual(
    [await alarm(first), await alarm(second)],
    [
      { ...db1, state: 3 },
      { ...db2, state: 3 },
    ],
  );
  assert.deepEqual(await send(recorded('alertmanager-firing')), firing, 'a repetition is the same alarms');
  const histories = await site.list('/alarms/histories?limit=10');
  assert.equal(histories.items.length, 2, 'a repetition raises nothing again');
  assert.deepEqual((await send(recorded('alertmanager-resolved'))).ids, firing.ids);
  // The return has no texts: those of the raise stay.
  assert.deepEqual(
    [await alarm(first), await alarm(second)],
    [
      { ...db1, state: 3 },
      { ...db2, state: 2 },
    ],
  );
});

testOnAnyStore('a return to normal of what was never raised defines nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  const body = { alerts: [{ status: 'resolved', labels: { alertname: 'Gone' }, fingerprint: 'f1' }] };
  assert.deepEqual(await site.ask('POST', '/in/alertmanager', body), { ids: [], warnings: [] });
  assert.deepEqual((await site.list('/alarms?alarmState=0&limit=100')).items, []);
});

testOnAnyStore('what a monitoring system sends and cannot be read is one alarm with its beginning', async (t, kind) => {
  const site = await startSite(t, kind);
  const bodies = [{ alerts: [{ note: 'one' }, { labels: { alertname: 'Known' } }] }, { hello: '{world}' }];
  const answers = [];
  for (const body of bodies) answers.push(await site.ask<Answer>('POST', '/in/alertmanager', body));
  assert.equal(answers[0]?.ids.length, 2, 'the others of the body are taken');
  assert.deepEqual(answers[1]?.warnings, ['cannot be read: there is no list "alerts"']);
  const left = await site.ask<Alarm>('GET', `/alarms/${answers[1]?.ids[0]}`);
  assert.deepEqual([left.path, left.state, left.priority], ['in/alertmanager/unmapped', 3, 2]);
  assert.match(left.message, /there is no list "alerts"\): \{"hello":"\{world\}"\}$/);
  assert.equal(answers[0]?.ids.includes(answers[1]?.ids[0] ?? 0), true, 'one alarm for all of them');
});

testOnAnyStore('a key in the address or as a password sends to an intake, and nowhere else', async (t, kind) => {
  const site = await startSite(t, kind);
  const key = await site.keyFor(['alarms:write']);
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${site.app.url}/api/v1${path}`, { method: 'POST', headers, body: '{"path":"a","ruleName":"b"}' });
  const basic = { authorization: `Basic ${Buffer.from(`anybody:${key}`).toString('base64')}` };
  assert.equal((await post(`/in/grafana-legacy?key=${key}`)).status, 200);
  assert.equal((await post('/in/grafana-legacy', basic)).status, 200);
  for (const refused of [
    await post('/in/grafana-legacy'),
    await post('/in/grafana-legacy?key=wrong'),
    await post(`/alarms?key=${key}`),
    await post('/alarms', basic),
  ]) {
    assert.equal(refused.status, 401);
    assert.doesNotMatch(refused.headers.get('www-authenticate') ?? '', /basic/i);
  }
  assert.doesNotMatch(JSON.stringify(site.app.logLines), new RegExp(key), 'the key is in no line of the log');
});

testOnAnyStore(
  'a refused body of a monitoring system is kept with its sender, and can be sent again',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const token = await site.keyFor(['alarms:write']);
    const unreadable = await fetch(`${site.app.url}/api/v1/in/grafana-legacy?key=${token}`, {
      method: 'POST',
      body: '{"rule',
    });
    assert.equal(unreadable.status, 400);
    const { items } = await until(
      () => site.list('/intake/refusals'),
      (list) => list.items.length > 0,
    );
    assert.equal(items[0]?.route, 'POST /api/v1/in/grafana-legacy');
    const body = { ruleName: 'Pump', state: 'alerting', message: 'Pump is hot' };
    await refuse(site, { token, body, route: 'POST /api/v1/in/grafana-legacy' });
    const [newest] = (await site.list('/intake/refusals?sort=-id&limit=1')).items;
    const done = await site.ask<{ answer: Answer }>('POST', `/intake/refusals/${newest?.id}/retry`, { confirm: true });
    const alarm = await site.ask<Alarm>('GET', `/alarms/${done.answer.ids[0]}`);
    assert.deepEqual([alarm.path, alarm.state, alarm.message], ['grafana-legacy/Pump', 3, 'Pump is hot']);
  },
);
