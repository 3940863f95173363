// Why somebody is on duty, is not called or could not be reached is said in the language of the reader, with a code beside it.

import assert from 'node:assert/strict';
import { PostOffice, trunk } from '../../harness/mail/post-office.ts';
import { allDays, dayAndNight, voice } from '../../harness/site/day-and-night.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Caller, Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

/** Returns the items of the response to somebody who reads these languages; undefined sends no header. */
async function itemsFor(caller: Caller, language: string | undefined, path: string): Promise<readonly Row[]> {
  const headers = language === undefined ? {} : { 'accept-language': language };
  const answer = await caller.app.request('GET', `/api/v1${path}`, { token: caller.token, headers });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as { items: readonly Row[] }).items;
}

const rows = (value: unknown): readonly Row[] => value as readonly Row[];

testOnAnyStore('why somebody is on duty, and why nobody is, is said in English, French and German', async (t, kind) => {
  const site = await startSite(t, kind);
  await dayAndNight(site);
  const via = async (language?: string) => {
    const [item] = await itemsFor(site, language, '/oncall');
    return rows(item?.members).map(({ via: sentence, viaCode }) => [sentence, viaCode]);
  };
  assert.deepEqual(await via(), [['team 1 "Day" by weekly[0] of schedule 1 "Programme"', 'member-of-team']]);
  assert.deepEqual(await via('pt'), await via(), 'English for a language that is not offered');
  const inFrench = [['équipe 1 « Day », entrée hebdomadaire 1, planning 1 « Programme »', 'member-of-team']];
  assert.deepEqual([await via('fr-CA, de;q=0.5'), await via('de;q=0.5, fr')], [inFrench, inFrench]);
  assert.deepEqual(await via('de'), [['Team 1 „Day“, Wocheneintrag 1, Plan 1 „Programme“', 'member-of-team']]);

  const gap = async (language: string) => {
    const [item] = await itemsFor(site, language, '/oncall/slots?from=2026-11-16T06:00&to=2026-11-16T08:00');
    return rows(item?.slots).map(({ nobody, nobodyCode }) => [nobody, nobodyCode]);
  };
  assert.deepEqual(await gap('fr'), [['personne n’a l’astreinte à cette heure : planning 1 « Programme »', 'gap']]);
  assert.deepEqual(await gap('de'), [['zu dieser Zeit hat niemand Dienst: Plan 1 „Programme“', 'gap']]);
});

testOnAnyStore(
  'why people are passed over, and that a duty is locked, is said in French and German',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, bo, scheduleId } = await dayAndNight(site);
    const told = async (language: string) => {
      const [item = {}] = await itemsFor(site, language, '/oncall');
      const passedOver = rows(item.passedOver).map(({ user, reason, code }) => [user, reason, code]);
      return [passedOver, item.nobody, item.nobodyCode];
    };
    await site.request('PUT', `/users/${ana}`, { name: 'ana', onDuty: false });
    const offDuty = (reason: string) => [['ana', reason, 'off-duty']];
    const inFrench = `utilisateur ${ana} « ana » : pas de service`;
    assert.deepEqual(await told('fr'), [offDuty('pas de service'), inFrench, 'all-passed-over']);
    const inGerman = `Benutzer ${ana} „ana“: nicht im Dienst`;
    assert.deepEqual(await told('de'), [offDuty('nicht im Dienst'), inGerman, 'all-passed-over']);
    await site.request('PUT', `/users/${ana}`, { name: 'ana', replacedById: bo });
    assert.deepEqual(await told('de'), [[['ana', `vertreten von Benutzer ${bo} „bo“`, 'replaced']], null, undefined]);
    const works = { from: '2026-11-15T08:00', to: '2026-11-15T20:00', lock: true, reason: 'Umbau' };
    await site.create(`/schedules/${scheduleId}/overrides`, works);
    const locked = 'der Dienst ist gesperrt: Ausnahme 1 (Umbau), Plan 1 „Programme“';
    assert.deepEqual(await told('de'), [[], locked, 'locked']);
  },
);

testOnAnyStore(
  'readiness says who could not be reached, and who is called instead, in each language',
  async (t, kind) => {
    const openers = { sip: () => new PostOffice() };
    const site = await startSite(t, kind, { openers, overrides: { TOCSIN_SIMULATOR: 'false' } });
    await site.create('/providers', trunk);
    const { ana } = await withRelief(site);
    const reasons = async (language?: string) => {
      const [item] = await itemsFor(site, language, '/oncall/readiness');
      return [item?.reasons, item?.reasonCodes];
    };
    const codes = ['unreachable', 'relief-instead'];
    assert.deepEqual(await reasons(), [
      [`user ${ana} "ana" has no number`, 'call group "Pool" is called instead'],
      codes,
    ]);
    const inFrench = [`utilisateur ${ana} « ana » n’a pas de numéro`, 'appelé à la place : groupe d’appel « Pool »'];
    assert.deepEqual(await reasons('fr'), [inFrench, codes]);
    const inGerman = [`Benutzer ${ana} „ana“ hat keine Nummer`, 'stattdessen wird gerufen: Rufgruppe „Pool“'];
    assert.deepEqual(await reasons('de'), [inGerman, codes]);
  },
);

/** Ana has no number; the relief group can be reached. */
async function withRelief(site: Site): Promise<{ readonly ana: number }> {
  const ana = await site.create('/users', { name: 'ana' });
  const bo = await site.create('/users', { name: 'bo', numbers: [voice] });
  const teams = await Promise.all(
    [ana, bo].map((userId) => site.create('/teams', { name: `of ${userId}`, members: [{ userId }] })),
  );
  const reliefGroupId = await site.create('/callgroups', { name: 'Pool', teamIds: teams.slice(1) });
  await site.create('/callgroups', { name: 'Pumps', teamIds: teams.slice(0, 1), reliefGroupId });
  return { ana };
}

testOnAnyStore('a bound reader learns no name of another station, in whatever language', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const secret = await site.create('/users', { name: 'secret', stationIds: [1], onDuty: false });
  const hidden = await site.create('/users', { name: 'hidden', stationIds: [1], numbers: [voice] });
  const teamId = await site.create('/teams', { name: 'Mixed', members: [{ userId: secret }] });
  const other = await site.create('/teams', { name: 'Mixed 2', members: [{ userId: hidden }] });
  const weekly = [{ teamId, days: allDays, from: '00:00', to: '24:00' }];
  const scheduleId = await site.create('/schedules', { name: 'Northern', weekly });
  await site.create('/callgroups', { name: 'By schedule', stationId: north, scheduleId });
  await site.create('/callgroups', { name: 'By team', stationId: north, teamIds: [other] });
  const bound = site.as(await site.keyFor(['directory:read'], [north]));
  const told = async (language?: string) => {
    const items = await itemsFor(bound, language, '/oncall');
    assert.doesNotMatch(JSON.stringify(items), /secret|hidden/);
    return [items[0]?.nobody, rows(items[0]?.passedOver)[0]?.user, rows(items[1]?.members)[0]?.user];
  };
  assert.deepEqual(await told(), ['a user of another station is off duty', 'another station', 'another station']);
  const inFrench = ['utilisateur d’une autre station : pas de service', 'une autre station', 'une autre station'];
  assert.deepEqual(await told('fr'), inFrench);
  const inGerman = ['Benutzer einer anderen Station: nicht im Dienst', 'eine andere Station', 'eine andere Station'];
  assert.deepEqual(await told('de'), inGerman);
});

testOnAnyStore('an explanation says in the language of the reader why somebody is not called', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const off = await site.person('cem', { onDuty: false });
  const outside = await site.person('dana');
  const wrong = await site.person('eva', { numbers: [{ channel: 'voice', address: '+331', valid: false }] });
  const team = await site.team('Night', [ana, off, wrong]);
  const weekly = [{ teamId: team, days: allDays, from: '00:00', to: '24:00' }];
  const scheduleId = await site.create('/schedules', { name: 'Always', weekly });
  const group = await site.group('Pumps', [team, await site.team('Day', [outside])], { scheduleId });
  const body = { path: 'Plant/Pump1', alarmActions: [{ type: 'CallGroup', id: group }] };
  type Explained = { readonly calls: readonly { readonly notCalled: readonly Row[] }[] };
  const notCalled = async (language: string) => {
    const headers = { 'accept-language': language };
    const answer = await site.app.request('POST', '/api/v1/explain', { token: site.token, headers, body });
    assert.equal(answer.status, 200, answer.text);
    return (answer.body as Explained).calls[0]?.notCalled.map(
      ({ user, reason, code }) => `${user}: ${reason}, ${code}`,
    );
  };
  assert.deepEqual(await notCalled('en'), [
    'cem: off duty, off-duty',
    'eva: has no number that is valid and verified, without-number',
    'dana: not on duty, not-on-duty',
  ]);
  assert.deepEqual(await notCalled('fr'), [
    'cem: pas de service, off-duty',
    'eva: n’a pas de numéro valide et vérifié, without-number',
    'dana: pas d’astreinte, not-on-duty',
  ]);
  assert.deepEqual(await notCalled('de'), [
    'cem: nicht im Dienst, off-duty',
    'eva: hat keine gültige und geprüfte Nummer, without-number',
    'dana: hat keinen Dienst, not-on-duty',
  ]);
});
