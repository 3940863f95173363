// System alarms are stored as codes, and said in the language of whoever reads or hears them: people who are called for one, and
// clients that name a language. What sources send is shown as they sent it.

import assert from 'node:assert/strict';
import { reportRefusalNotKept } from '../../../src/operations/intake/refusals.ts';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { sms } from '../../harness/site/site-phones.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Alarm = { readonly id: number; readonly path: string; readonly message: string };

const pager = (fault: string) => ({ name: 'Beeps', channel: 'pager', kind: 'simulator', settings: { fault } });

/** Makes a provider that works, and breaks it: the last resort is called for that. */
async function breakProvider(site: Site): Promise<number> {
  const id = await site.create('/providers', pager('none'));
  await site.ask('POST', `/providers/${id}/test`);
  await site.ask('PUT', `/providers/${id}`, pager('dead'));
  await site.ask('POST', `/providers/${id}/test`);
  await until(
    async () => (await site.alarms.fromTocsin()).map(({ path }) => path),
    (paths) => paths.includes(`system/provider/${id}`),
  );
  return id;
}

async function listedIn(site: Site, language: string | undefined, query = ''): Promise<readonly Alarm[]> {
  const headers = language === undefined ? {} : { 'accept-language': language };
  const { body } = await site.app.request('GET', `/api/v1/alarms${query}`, { token: site.token, headers });
  return (body as { items: readonly Alarm[] }).items;
}

async function messageOf(site: Site, path: string, language?: string): Promise<string | undefined> {
  return (await listedIn(site, language)).find((alarm) => alarm.path === path)?.message;
}

testOnStores('an administrator who reads German is called in German about a provider that is down', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.ask('PUT', '/me', { language: 'de' });
  const id = await breakProvider(site);
  const { text } = await site.admin.isCalled(/^Der Anbieter Beeps ist ausgefallen: /);
  const [, read] = await site.admin.answers('1');
  assert.match(read ?? '', /Der Anbieter Beeps ist ausgefallen: /);
  assert.doesNotMatch(`${text} ${read}`, /provider|is down|systemText/);
  await site.admin.press('1');
  assert.match((await messageOf(site, `system/provider/${id}`)) ?? '', /^The provider Beeps is down: /);
});

testOnAnyStore('the last resort reads a system alarm in French, short, and that it is over', async (t, kind) => {
  const site = await startSite(t, kind);
  const bo = await site.person('bo', { language: 'fr-CA', numbers: [sms('+33600000001')] });
  const lastResortGroupId = await site.group('Last', [await site.team('Night', [bo])]);
  await site.ask('PUT', '/callpolicy', { priorities: [], lastResortGroupId });
  const id = await breakProvider(site);
  const { text } = await bo.hasText(/^Le fournisseur Beeps est en panne : /);
  assert.match(text, /Répondez \d{4}/);
  await site.ask('PUT', `/providers/${id}`, pager('none'));
  await site.ask('POST', `/providers/${id}/test`);
  await site.expectWhatRings();
});

testOnStores(
  'GET /alarms says system alarms in the language asked for, and those of sources as sent',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const path = `system/provider/${await breakProvider(site)}`;
    const pump = await site.alarms.send({ path: 'Pump', alarmMessage: 'The provider Pump is down: it burns.' });
    const french = await listedIn(site, 'fr-FR, en;q=0.5');
    const said = Object.fromEntries(french.map((alarm) => [alarm.path, alarm.message]));
    assert.match(said[path] ?? '', /^Le fournisseur Beeps est en panne : /);
    assert.equal(said.Pump, 'The provider Pump is down: it burns.');
    assert.match((await messageOf(site, path, 'pt, de;q=0.1')) ?? '', /^Der Anbieter Beeps ist ausgefallen: /);
    for (const language of [undefined, 'en', 'pt', '*'])
      assert.match((await messageOf(site, path, language)) ?? '', /^The provider Beeps is down: /, language);
    const own = french.find((alarm) => alarm.path === path)?.id;
    for (const [id, message] of [
      [own, said[path]],
      [pump, said.Pump],
    ]) {
      const headers = { 'accept-language': 'fr' };
      const { body } = await site.app.request('GET', `/api/v1/alarms/${id}`, { token: site.token, headers });
      assert.equal((body as Alarm).message, message);
    }
    // It is found by its English words, as ever.
    assert.deepEqual(
      (await listedIn(site, 'fr', '?search=Beeps%20down')).map((alarm) => alarm.message),
      [said[path]],
    );
    await site.expectWhatRings();
  },
);

testOnAnyStore(
  'a system alarm that grows is said whole in every language, and once more in English',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const refuse = (route: string) =>
      site.app.store.write(reportRefusalNotKept, { caller: 'key:7', route, code: 'too-large' });
    await refuse('POST /alarms');
    await refuse('POST /values');
    await refuse('POST /alarms');
    const path = 'system/refusal-not-kept';
    const lines = async (language: string) => (await messageOf(site, path, language))?.split('\n');
    assert.deepEqual(await lines('en'), [
      'A request of key:7 to POST /alarms was refused (too-large) and could not be kept; the log of the server says why.',
      'A request of key:7 to POST /values was refused (too-large) and could not be kept; the log of the server says why.',
    ]);
    assert.deepEqual(
      (await lines('de'))?.map((line) => line.slice(0, 40)),
      ['Eine Anfrage von key:7 an POST /alarms w', 'Eine Anfrage von key:7 an POST /values w'],
    );
  },
);

testOnStores('a system alarm that an earlier version stored is English, also when it grows', async (t, kind) => {
  const site = await startSite(t, kind);
  const path = 'system/refusal-not-kept';
  const refuse = (route: string) =>
    site.app.store.write(reportRefusalNotKept, { caller: 'key:7', route, code: 'too-large' });
  await refuse('POST /alarms');
  const before = await messageOf(site, path);
  const tables = await tablesOf(site.app.environment);
  const [row] = (await tables.all('alarms')).filter((alarm) => alarm.path === path);
  const { systemText, ...older } = JSON.parse(row?.definition ?? '{}');
  assert.equal(systemText.code, 'refusal-not-kept');
  await tables.run(`UPDATE alarms SET definition = '${JSON.stringify(older)}' WHERE id = ${row?.id}`);
  await tables.close();
  await site.restart();
  assert.equal(await messageOf(site, path, 'de'), before);
  await refuse('POST /values');
  const grown = await messageOf(site, path, 'de');
  assert.equal(grown, `${before}\n${before?.replace('/alarms', '/values')}`);
});

testOnAnyStore(
  'the hub says a system alarm in the language of the installation, and again from a position',
  async (t, kind) => {
    const site = await startSite(t, kind, { overrides: { TOCSIN_LANGUAGE: 'de-CH' } });
    const client = await hubClient(t, site.app.url, site.token);
    const { position } = await client.connection.invoke('subscribe', {});
    await breakProvider(site);
    const later = await hubClient(t, site.app.url, site.token);
    await later.connection.invoke('subscribe', { since: position });
    for (const { alarms } of [client, later]) {
      const [first] = await until(
        () => alarms,
        ({ length }) => length > 0,
      );
      assert.match(String(first?.message), /^Der Anbieter Beeps ist ausgefallen: /);
    }
    await site.expectWhatRings();
  },
);

testOnStores('a hub client that names a language gets system alarms and names in it, once each', async (t, kind) => {
  const site = await startSite(t, kind);
  const listen = async (query: string, filter: object = { changes: true }) => {
    const client = await hubClient(t, site.app.url, site.token, { path: `/alarmHub?${query}` });
    return { ...client, position: (await client.connection.invoke('subscribe', filter)).position };
  };
  const french = await listen('quiet=true&language=fr');
  const german = await listen('language=de');
  const others = [await listen('language=pt'), await listen('language=')];
  const path = `system/provider/${await breakProvider(site)}`;
  const pump = await site.alarms.send({ path: 'Pump', names: { fr: 'Pompe', de: 'Pumpe' } });
  await site.alarms.send({ path: 'Door', alarmMessage: 'Door is open' });
  await site.alarms.acknowledge(pump);
  const later = await listen('quiet=true&language=fr', { changes: true, since: french.position });
  const said = {
    fr: [/^Le fournisseur Beeps est en panne : /, 'Pompe'],
    de: [/^Der Anbieter Beeps ist ausgefallen: /, 'Pumpe'],
    en: [/^The provider Beeps is down: /, 'Pump'],
  } as const;
  const clients = [
    ...[french, later].map((client) => [client, said.fr] as const),
    [german, said.de] as const,
    ...others.map((client) => [client, said.en] as const),
  ];
  for (const [{ alarms, changes }, [message, name]] of clients) {
    await until(
      () => changes,
      (rows) => rows.some((row) => row.id === pump),
    );
    const ofPath = (of: string) => alarms.filter((alarm) => alarm.path === of);
    assert.deepEqual(
      [path, 'Pump', 'Door'].map((of) => ofPath(of).length),
      [1, 1, 1],
    );
    assert.match(String(ofPath(path)[0]?.message), message);
    assert.equal(ofPath('Pump')[0]?.localizedName, name);
    assert.equal(changes.find((row) => row.id === pump)?.localizedName, name);
    assert.equal(ofPath('Door')[0]?.message, 'Door is open');
  }
  await site.expectWhatRings();
});
