// What a provider says is stored as a code, and worded in the language of the reader; what a foreign machine said is quoted.

import assert from 'node:assert/strict';
import { anaByMail, mailProvider, startMailCatcher } from '../../harness/mail/mail-catcher.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

type Row = Readonly<Record<string, unknown>>;

async function read<T>(site: Site, language: string, path: string, method: 'GET' | 'POST' = 'GET'): Promise<T> {
  const headers = { 'accept-language': language };
  const { body } = await site.app.request(method, `/api/v1${path}`, { token: site.token, headers });
  return body as T;
}

const items = async (site: Site, language: string, path: string): Promise<readonly Row[]> =>
  (await read<{ readonly items: readonly Row[] }>(site, language, path)).items;

async function detailIn(site: Site, language: string, user: string): Promise<unknown> {
  const rows = await items(site, language, '/call/histories?limit=100');
  return rows.find((row) => row.user === user && row.outcome !== undefined)?.detail;
}

testOnStores(
  'what a mail server said of the sender is quoted in alarm and history, in each language',
  async (t, kind) => {
    const catcher = await startMailCatcher(t);
    const site = await startSite(t, kind);
    await site.ask('PUT', '/me', { language: 'de' });
    await mailProvider(site, catcher);
    const { group } = await anaByMail(site);
    catcher.refusals.rcpt = '553 5.7.1 Sender address rejected: not owned by user';
    await site.alarms.raise(group, { priority: 3 });
    const said = '553 5.7.1 Sender address rejected: not owned by user';
    await until(
      () => detailIn(site, 'en', 'ana'),
      (detail) => detail !== undefined,
    );
    assert.equal(await detailIn(site, 'en', 'ana'), `the mail server refuses the sender: "${said}"`);
    assert.equal(await detailIn(site, 'de', 'ana'), `der Mailserver lehnt den Absender ab: „${said}“`);
    assert.equal(await detailIn(site, 'fr', 'ana'), `le serveur de messagerie refuse l’expéditeur : « ${said} »`);
    const message = async (language: string) =>
      (await items(site, language, '/alarms')).find(({ path }) => String(path).endsWith('/refused'))?.message;
    assert.match(
      String(await message('de')),
      /^Der Anbieter Mail weist Nachrichten ab: der Mailserver lehnt den Absender ab: „/,
    );
    assert.match(String(await message('fr')), /refuse l’expéditeur : « /);
    const { text } = await site.admin.isCalled(/weist Nachrichten ab/);
    assert.doesNotMatch(text.replace(/„[^“]*“/g, ''), /the mail server|rejected/);
    assert.deepEqual(
      (await site.list('/call/histories?limit=10&search=sender')).items.length >= 1,
      true,
      'still searched',
    );
    await site.expectWhatRings();
  },
);

testOnStores('the answer of a PBX is worded by its status, and its own phrase is a quote', async (t, kind) => {
  const site = await startSite(t, kind);
  const peer = await SipPeer.start(t, { kind: 'respond', status: 420, phrase: 'Bad Extension' });
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 3 });
  await until(
    () => detailIn(site, 'en', 'ana'),
    (detail) => detail !== undefined,
  );
  assert.match(
    String(await detailIn(site, 'de', 'ana')),
    /^die Telefonanlage hat mit 420 geantwortet: „Bad Extension“$/,
  );
  assert.match(String(await detailIn(site, 'fr', 'ana')), /^le PBX a répondu 420 : « Bad Extension »$/);
  peer.isDead = true;
  await site.ask('PUT', `/providers/${id}`, {
    ...{ name: 'PBX', channel: 'voice', kind: 'sip' },
    settings: { ...settings, transport: 'tcp', port: 1 },
  });
  const test = await read<Row>(site, 'de', `/providers/${id}/test`, 'POST');
  assert.match(
    String(test.reason),
    /^die Telefonanlage ist nicht erreichbar: auf 127\.0\.0\.1:1 antwortet kein Dienst$/,
  );
  const { health } = await read<{ readonly health: Row }>(site, 'fr', `/providers/${id}`);
  assert.match(String(health.reason), /^le PBX est injoignable : rien n’écoute sur 127\.0\.0\.1:1$/);
  const report = JSON.stringify(await read(site, 'de', '/system'));
  assert.match(report, /die Telefonanlage ist nicht erreichbar/);
  assert.doesNotMatch(report, /cannot be reached|"\{/);
  await site.expectWhatRings();
});

testOnStores('a sentence of an earlier version stays as it was stored', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await ana.isCalled();
  await ana.hangsUp();
  assert.deepEqual(
    [await detailIn(site, 'de', 'ana'), await detailIn(site, 'fr', 'ana'), await detailIn(site, 'en', 'ana')],
    ['wurde abgelehnt', 'a refusé', 'rejected'],
  );
  await executeSql(
    site.app,
    `update call_attempts set detail = 'the PBX answered 420: Bad Extension', outcome = 'failed'`,
  );
  assert.equal(await detailIn(site, 'de', 'ana'), 'the PBX answered 420: Bad Extension');
  await site.expectWhatRings();
});

const english =
  /(?<!\p{L})(the|is|are|has|of|by|and|nobody|called|calls|answered|number|not|until|this|relief|last resort|reached|duty|busy|failed|taken)(?!\p{L})/iu;

for (const { language, said } of [
  { language: 'fr', said: /Personne/ },
  { language: 'de', said: /Niemand/ },
] as const)
  testOnAnyStore(`the mail that nobody came is in the language of its reader: ${language}`, async (t, kind) => {
    const catcher = await startMailCatcher(t);
    const site = await startSite(t, kind);
    await mailProvider(site, catcher);
    const numbers = [{ channel: 'email', address: 'eva@plant.example' }];
    await site.create('/users', { name: 'eva', role: 'administrator', language, numbers });
    const ana = await site.person('ana', { language });
    await site.alarms.raise(await site.group('Pompes', [await site.team('Team 1', [ana])]), {
      alarmMessage: 'Pompe 1 / Pumpe 1',
    });
    const mails = await until(
      async () => {
        await site.advance('1m');
        return catcher.mails.map(({ mail }) => `${mail.subject}\n${mail.text}`);
      },
      (texts) => texts.some((text) => said.test(text)),
    );
    for (const text of mails) assert.doesNotMatch(text.replaceAll(/https?:\S+/g, ''), english);
    await site.expectWhatRings();
  });
