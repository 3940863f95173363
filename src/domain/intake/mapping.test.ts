// The mappings read alarms out of the bodies of monitoring systems; nothing in a body is read as a template or a prototype.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { itemsOf, type Mapped, mapItem, prepareMapping } from './mapping.ts';
import { presetNamed, presetNames } from './presets.ts';
import { fill, parseTemplate, valueAt } from './template.ts';

function mapAll(name: string, body: unknown): readonly Mapped[] {
  const mapping = presetNamed(name);
  assert.ok(mapping);
  return (itemsOf(mapping, body) ?? []).map((item) => mapItem(mapping, item, body));
}

const filled = (template: string, ...objects: readonly unknown[]) => fill(parseTemplate(template), objects);

test('a template takes the first path that leads to a text, in the item before the body', () => {
  assert.equal(filled('{a|b} on {host}', { b: 'hot' }, { a: 'all', host: 'web1' }), 'all on web1');
  assert.equal(filled('{a|b} on {host}', { b: 'hot' }, { host: 'web1' }), 'hot on web1');
  assert.equal(filled('{a}: {b}', { a: ' ', b: ['x', 2, true, { c: 1 }] }), ': x, 2, true');
});

test('a template of which no path leads to a text gives none', () => {
  assert.equal(filled('{a}/{b.c}', { b: 'text', c: {} }), undefined);
  assert.equal(filled('only words', { a: 'x' }), undefined);
});

test('keys with dots are found, and the members of objects themselves are not', () => {
  assert.equal(valueAt({ labels: { 'app.kubernetes.io/name': 'web' } }, 'labels.app.kubernetes.io/name'), 'web');
  assert.equal(valueAt({ a: [{ b: 1 }, { b: 2 }] }, 'a.1.b'), 2);
  for (const path of ['constructor.name', '__proto__.polluted', 'a.length', 'toString.name'])
    assert.equal(valueAt({ a: {} }, path), undefined, path);
});

test('braces in what was sent are not read as templates', () => {
  assert.equal(filled('{a}', { a: '{b}', b: 'secret' }), '{b}');
});

test('Alertmanager: a group with one alert that fires, one that is resolved and a heartbeat', () => {
  const labels = { alertname: 'DiskFull', instance: 'web1:9100' };
  const alert = (status: string, fingerprint: string, more = {}) => ({
    status,
    labels: { ...labels, ...more },
    annotations: { summary: 'Disk of web1 is full' },
    startsAt: '2026-11-15T12:00:00Z',
    fingerprint,
  });
  const body = {
    alerts: [
      alert('firing', 'a1', { severity: 'critical' }),
      alert('resolved', 'b2'),
      alert('firing', 'c3', { alertname: 'Watchdog' }),
    ],
  };
  const shared = {
    alarmMessage: 'Disk of web1 is full',
    instructions: undefined,
    value: undefined,
    time: '2026-11-15T12:00:00Z',
    warnings: [],
  };
  assert.deepEqual(mapAll('alertmanager', body), [
    { kind: 'alarm', alarm: { path: 'DiskFull/web1:9100/a1', raised: true, priority: 1, ...shared } },
    { kind: 'alarm', alarm: { path: 'DiskFull/web1:9100/b2', raised: false, priority: 3, ...shared } },
    { kind: 'heartbeat' },
  ]);
});

test('an alert of an unknown state is raised, one of an unknown severity has the usual priority, and both are said', () => {
  const labels = { alertname: 'DiskFull', severity: 'apocalyptic' };
  const [mapped] = mapAll('alertmanager', { alerts: [{ status: 'smouldering', labels }] });
  assert.ok(mapped?.kind === 'alarm');
  const { raised, priority, warnings } = mapped.alarm;
  assert.deepEqual(
    { raised, priority, warnings },
    {
      raised: true,
      priority: 3,
      warnings: [
        'status: "smouldering" is unknown; taken as raised',
        'labels.severity: "apocalyptic" is unknown; taken as priority 3',
      ],
    },
  );
});

test('Uptime Kuma: down raises, up returns, and its test message is unmapped', () => {
  const body = (status: number) => ({
    heartbeat: { status, msg: 'timeout' },
    monitor: { id: 7, name: 'Shop' },
    msg: 'Shop',
  });
  const states = [0, 1].map((status) => mapAll('uptime-kuma', body(status))[0]);
  assert.deepEqual(
    states.map((one) => one?.kind === 'alarm' && [one.alarm.path, one.alarm.raised]),
    [
      ['Shop/7', true],
      ['Shop/7', false],
    ],
  );
  assert.deepEqual(mapAll('uptime-kuma', { heartbeat: null, monitor: null, msg: 'Testing' }), [
    { kind: 'unmapped', reason: 'nothing in it names the alarm' },
  ]);
});

test('an item that is no object is unmapped, and a body without the list has no items', () => {
  assert.deepEqual(
    mapAll('alertmanager', { alerts: [null, 5, ['x']] }).map(({ kind }) => kind),
    ['unmapped', 'unmapped', 'unmapped'],
  );
  const mapping = prepareMapping({ each: 'alerts', path: '{a}', endOnReturn: false });
  assert.equal(itemsOf(mapping, { alerts: 'none' }), undefined);
});

test('every JSON object is mapped to an alarm or has a reason, by every preset', () => {
  const anything = fc.object({
    maxDepth: 4,
    key: fc.constantFrom('alerts', 'labels', 'alertname', 'status', 'monitor'),
  });
  fc.assert(
    fc.property(anything, fc.constantFrom(...presetNames), (body, name) => {
      for (const mapped of mapAll(name, body))
        if (mapped.kind === 'alarm') assert.notEqual(mapped.alarm.path, '');
        else if (mapped.kind === 'unmapped') assert.notEqual(mapped.reason, '');
    }),
    { numRuns: soak(2_000) },
  );
});
