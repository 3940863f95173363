// Fills an empty server over the REST interface so that every table has rows: the first half of an upgrade fixture.

import assert from 'node:assert/strict';
import type { Answer, TestApp } from '../site/app.ts';
import type { Site } from '../site/site.ts';
import { sms, voice } from '../site/site-phones.ts';
import { wavOf } from '../telephone/media-files.ts';

export const operator = { name: 'op', password: 'a lantern in the rain' } as const;

/** The folder of scripts that the server of the site may run. */
export const siteScripts = { '1-opens': '#!/bin/sh\necho opened\n' } as const;

export type SiteTokens = { readonly admin: string; readonly operator: string; readonly key: string };

/** Creates everything but calls: plant, people, media, alarms in every state and eight hours of their history. */
export async function fillSite(site: Site): Promise<SiteTokens> {
  const plant = await makePlant(site);
  await makePeople(site, plant);
  await storeMedia(site);
  const tokens = await makeTokens(site, plant);
  await makeHistory(site, tokens, plant);
  await leaveAlarms(site, tokens);
  await runCommand(site);
  return tokens;
}

type Plant = Readonly<Record<'north' | 'opc' | 'pumps' | 'fire', number>>;

async function makePlant(site: Site): Promise<Plant> {
  const make = (path: string, body: object) => site.create(path, body);
  const sound = [{ type: 'PlaySound', parameter: 'Siren-1.wav' }];
  const fire = await make('/scenarios', { name: 'Fire', alarmActions: sound, resetActions: sound });
  const flood = await make('/scenarios', { name: 'Flood', stationId: 1, ackActions: sound });
  const north = await make('/stations', { name: 'North', scenarioIds: [fire] });
  const opc = await make('/dataservers', { name: 'OPC', stationId: north });
  const pumps = await make('/taggroups', { name: 'Pumps', scenarioIds: [fire, flood] });
  await make('/taggroups', { name: 'Fans', stationId: north });
  return { north, opc, pumps, fire };
}

async function makePeople(site: Site, { north }: Plant): Promise<void> {
  const { password, name } = operator;
  const op = await site.person(name, { password, language: 'fr', timeZone: 'Europe/Paris' });
  const bound = await site.person('bound', {
    role: 'supervisor',
    password: 'another long secret',
    stationIds: [north],
  });
  const away = await site.person('away', { replacedById: op.id, firstName: 'Zoë', statusId: 2 });
  const off = await site.person('off', { onDuty: false, virtual: true, numbers: [] });
  const day = await site.create('/teams', {
    name: 'Day',
    colour: '#ff8800',
    members: [
      { userId: op.id, relief: false },
      { userId: away.id, relief: false },
      { userId: off.id, relief: true },
    ],
  });
  const night = await site.team('Night', [bound]);
  const scheduleId = await site.schedule(day, '06:00', '18:00', {
    name: 'Site programme',
    timeZone: 'Europe/Paris',
    holidays: { dates: ['2026-12-25', '2027-01-01'] },
    rotations: [{ teamIds: [day, night], every: '1w', handOver: '08:00', start: '2026-11-02' }],
    overrides: [{ userId: op.id, from: '2026-11-20T08:00', to: '2026-11-21T08:00', reason: 'swap with A' }],
  });
  const swap = { teamId: night, from: '2026-11-22T08:00', to: '2026-11-23T08:00', reason: 'fair' };
  await site.ask('POST', `/schedules/${scheduleId}/swap`, swap);
  const office = [sms('+33600000099', { scheduleId, ackAutoDefault: 1 }), voice('+33100000099', { verified: false })];
  await site.person('office', { numbers: office, role: 'observer' });
  const relief = await site.group('Site relief', [night], { names: { fr: 'Relève' } });
  const group = await site.group('Site', [day, night], { scheduleId, reliefGroupId: relief, reliefMode: 'perUser' });
  await site.group('North', [], { stationId: north, discardWhenNobodyOnCall: true, timeZone: 'UTC' });
  const inner = await site.create('/callgroupgroupings', {
    name: 'Inner',
    callGroupIds: [relief, group],
  });
  await site.ask('POST', '/callgroupgroupings', { name: 'Outer', callGroupIds: [group], groupingIds: [inner] });
}

async function storeMedia({ app, token }: Site): Promise<void> {
  const files = {
    'Siren-1.wav': wavOf(2_000),
    'pump.txt': Buffer.from('Pump 7: close valve ③ first. Then call Zoë.\n'),
  };
  for (const [name, content] of Object.entries(files)) {
    const headers = { authorization: `Bearer ${token}` };
    const body = new Uint8Array(content);
    const { status } = await fetch(`${app.url}/api/v1/media/${name}`, { method: 'PUT', headers, body });
    assert.equal(status, 200, `media ${name}`);
  }
}

async function makeTokens(site: Site, { north }: Plant): Promise<SiteTokens> {
  const { app } = site;
  const expiryTime = '2030-01-01';
  const all = { name: 'Source', scopes: ['alarms:write', 'alarms:read'], expiryTime };
  const { token: key } = await site.ask<{ token: string }>('POST', '/auth/keys', all);
  const bound = { name: 'North source', scopes: ['alarms:write', 'directory:read'], expiryTime, stationIds: [north] };
  await site.ask('POST', '/auth/keys', bound);
  const signedIn = await app.signIn(operator.name, operator.password);
  return { admin: site.token, operator: signedIn, key };
}

const hours = 8;

/**
 * Raises, acknowledges and ends two alarms every hour, so that roll-ups, interventions and words have rows at each level.
 */
async function makeHistory(site: Site, { key, operator: op }: SiteTokens, plant: Plant): Promise<void> {
  const source = site.as(key);
  for (let hour = 0; hour < hours; hour++) {
    const pump = { path: 'History/Pump', tagGroupId: plant.pumps, alarmMessage: `Pump tripped ${hour}`, priority: 2 };
    const fan = {
      path: 'History/Fan',
      stationId: plant.north,
      dataServerId: plant.opc,
      alarmShortMessage: String(hour),
    };
    const id = await source.alarms.send(pump);
    await source.alarms.send(fan);
    await site.advance('10m');
    const comment = hour % 3 === 0 ? `valve ${hour} stuck` : undefined;
    if (hour % 2 === 0) await site.as(op).ask('POST', `/alarms/${id}/acknowledge`, { comment });
    await site.advance('5m');
    await source.alarms.send({ ...pump, raised: false });
    await source.alarms.send({ ...fan, raised: false });
    await site.advance('45m');
  }
  const removed = await site.alarms.send({ path: 'History/Removed', alarmMessage: 'scrapped' });
  await site.advance('1m');
  const until = new Date(site.app.clock.now() + 60_000).toISOString();
  await site.ask('POST', `/alarms/${removed}/mask`, { until, reason: 'scrapped' });
  await site.ask('DELETE', `/alarms/${removed}`);
}

/** Leaves an alarm of each state and kind. */
async function leaveAlarms(site: Site, { operator: op, key }: SiteTokens): Promise<void> {
  const send = (path: string, body: object = {}) =>
    site.alarms.send({ path: `State/${path}`, alarmMessage: `${path} alarm`, ...body });
  const act = (id: number, what: string, body?: object) => site.ask<unknown>('POST', `/alarms/${id}/${what}`, body);
  const tomorrow = new Date(site.app.clock.now() + 86_400_000).toISOString();
  const location = { latitude: 48.85, longitude: 2.35, zone: 'Hall 3', beaconList: [{ id: 'b1', type: 'Wifi' }] };

  const raised = await send('raised', { location, names: { fr: 'levée' }, value: '93', priority: 1, alarmActions: [] });
  await act(raised, 'comments', { comment: 'seen on the screen' });
  const taken = await send('acknowledged', { ackMessage: 'taken', ackActions: [{ type: 'PlaySound' }] });
  await site.as(op).ask('POST', `/alarms/${taken}/acknowledge`, { comment: 'on my way' });
  await send('returned', { resetMessage: 'fine again' });
  await send('returned', { raised: false });
  await send('latched', { eventCondition: { resettable: false } });
  await send('latched', { raised: false });
  const masked = await send('masked');
  await act(masked, 'mask', { until: tomorrow, reason: 'being repaired' });
  const maskedAtRest = await send('masked at rest', { raised: false });
  await act(maskedAtRest, 'mask', { until: tomorrow, reason: 'not built yet' });
  await send('delayed', { alarmDelay: 36_000 });
  await send('transitory', { eventCondition: { transitory: true } });
  await send('reactivated', { eventCondition: { reactivatable: true } });
  await send('reactivated');
  await send('temporary', { temporary: true });
  await send('condition', { eventCondition: { value: '>=90' }, value: '20' });
  await site.ask('POST', '/tags/values', [{ path: 'State/condition', value: '95' }]);
  const fire = (await site.ask<{ items: readonly { id: number }[] }>('GET', '/scenarios?search=fire')).items;
  await site.ask('PUT', `/alarms/${raised}/scenarios`, { scenarioIds: fire.map(({ id }) => id) });
  assert.equal((await sendOnce(site.app, key)).status, 200);
  await site.settle();
}

/** Sends the same request each time; the response to a repetition has the id of the first. */
export function sendOnce(app: TestApp, token: string): Promise<Answer> {
  const headers = { 'idempotency-key': 'sent twice' };
  const body = { path: 'State/once', alarmMessage: 'once', alarmAttachedFile: 'missing.pdf' };
  return app.request('POST', '/api/v1/alarms', { token, headers, body });
}

async function runCommand(site: Site): Promise<void> {
  const alarmActions = [{ type: 'ExecuteCommand', scriptId: 1, parameter: 'gate' }];
  const id = await site.alarms.send({ path: 'State/command', alarmActions });
  await site.scripts.ended(id);
}
