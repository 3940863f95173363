// The link of a mail: its page shows what it is about now, only its button answers, and forged or old links do nothing.

import assert from 'node:assert/strict';
import {
  anaByMail,
  linkIn,
  type MailCatcher,
  mailProvider,
  mailTo,
  startMailCatcher,
} from '../../../harness/mail/mail-catcher.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import type { StoreName } from '../../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

type Context = Parameters<typeof startMailCatcher>[0];

const overrides = { TOCSIN_PUBLIC_URL: 'https://alarms.example/', TOCSIN_BASE_PATH: '/base' };

async function siteWithLinks(t: Context, kind: StoreName, more: object = {}) {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, kind, { overrides });
  await mailProvider(site, catcher);
  return { site, catcher, ...(await anaByMail(site, more)) };
}

/** The path of the link of a mail, below the base path of the server. */
async function linkOf(catcher: MailCatcher, index = 0): Promise<string> {
  const link = linkIn(await mailTo(catcher, index));
  assert.match(link, /^https:\/\/alarms\.example\/base\/answer\/[\w.-]+$/);
  return link.slice('https://alarms.example/base'.length);
}

testOnAnyStore(
  'opening the link changes nothing; its button takes the alarm, and the journal says who',
  async (t, kind) => {
    const { site, catcher, ana, group } = await siteWithLinks(t, kind, { language: 'de' });
    const alarmId = await site.alarms.raise(group, { alarmMessage: 'Pumpe <3>' });
    const path = await linkOf(catcher);
    for (const method of ['GET', 'GET', 'HEAD']) assert.equal((await site.app.request(method, path)).status, 200);
    const page = await site.app.request('GET', path);
    assert.match(page.text, /<html lang="de">.*Pumpe &lt;3&gt;.*Noch hat ihn niemand übernommen/s);
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/);
    assert.doesNotMatch(page.text, /<script/);
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal((await site.alarms.get(alarmId)).state, 3, 'a fetched link takes nothing');
    const action = /action="([^"]+\/take)"/.exec(page.text)?.[1] ?? '';
    const done = await site.app.request('POST', `/answer/${action}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([done.status, /Sie haben ihn übernommen/.test(done.text)], [200, true]);
    const alarm = await site.alarms.get(alarmId);
    assert.deepEqual([alarm.state, alarm.ackUser], [1, 'ana']);
    const { items } = await site.list('/journal?kind=call.answered');
    assert.deepEqual(
      items.map(({ actor, after }) => [actor, (after as { through: string }).through]),
      [[`user:${ana.id}`, 'link']],
    );
    const again = await site.app.request('POST', `${path}/take`);
    assert.match(again.text, /Sie haben ihn schon übernommen/);
  },
);

testOnAnyStore('a mail about an alarm says where the console shows what happened', async (t, kind) => {
  const { site, catcher, group } = await siteWithLinks(t, kind);
  await site.alarms.raise(group);
  const { mail } = await mailTo(catcher);
  const [entry] = (await site.alarms.histories()).items;
  const address = `https://alarms.example/base/occurrence?id=${entry?.id}`;
  assert.ok(mail.text?.includes(`What happened: ${address}`), mail.text);
  assert.ok(String(mail.html).includes(`<a href="${address}">`));
});

testOnAnyStore('a late click is told what became of the alarm', async (t, kind) => {
  const { site, catcher, group } = await siteWithLinks(t, kind);
  const alarmId = await site.alarms.raise(group);
  const path = await linkOf(catcher);
  await site.alarms.acknowledge(alarmId);
  await site.settle();
  const page = await site.app.request('GET', path);
  assert.match(page.text, /Pump1 is too hot.*admin has taken it/s);
  assert.doesNotMatch(page.text, /<form/);
  const done = await site.app.request('POST', `${path}/take`);
  assert.match(done.text, /admin has taken it/);
  assert.equal((await site.alarms.get(alarmId)).ackUser, 'admin');
});

testOnAnyStore('declining by the page calls the next one', async (t, kind) => {
  const { site, catcher, ana } = await siteWithLinks(t, kind);
  const bo = await site.person('bo', { numbers: [{ channel: 'email', address: 'bo@plant.example' }] });
  const inTurn = await site.group('Turn', [await site.team('Both', [ana, bo])], { callMode: 'turn' });
  const alarmId = await site.alarms.raise(inTurn);
  const declined = await site.app.request('POST', `${await linkOf(catcher)}/decline`);
  assert.match(declined.text, /Declined\. The next one is called now\./);
  assert.deepEqual((await mailTo(catcher, 1)).to, ['bo@plant.example']);
  assert.equal((await site.alarms.get(alarmId)).state, 3);
});

testOnAnyStore('forged and old links are refused, and the alarm stays as it is', async (t, kind) => {
  const { site, catcher, group } = await siteWithLinks(t, kind);
  const alarmId = await site.alarms.raise(group);
  const path = await linkOf(catcher);
  const forged = [
    path.replace(/\/answer\/[^.]+/, '/answer/zz'),
    `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
    '/answer/x',
    `/answer/${'x'.repeat(150)}`,
  ];
  for (const wrong of forged) {
    for (const [method, end] of [
      ['GET', ''],
      ['POST', '/take'],
    ] as const) {
      const answer = await site.app.request(method, `${wrong}${end}`, { headers: { 'accept-language': 'fr' } });
      assert.equal(answer.status, 403, `${method} ${wrong}`);
      assert.match(answer.text, /Ce lien est faux ou trop ancien/);
    }
  }
  assert.equal((await site.app.request('POST', `${path}/explode`)).status, 404);
  site.app.clock.advance(8 * 86_400_000);
  assert.equal((await site.app.request('POST', `${path}/take`)).status, 403);
  await site.signInAgain();
  assert.equal((await site.alarms.get(alarmId)).state, 3);
});

testOnAnyStore(
  'a deleted person, or one whose address was removed, takes no alarm by the link of a mail',
  async (t, kind) => {
    const { site, catcher, ana, group } = await siteWithLinks(t, kind, { language: 'de' });
    const alarmId = await site.alarms.raise(group);
    const path = await linkOf(catcher);
    const assertRefused = async (told: RegExp) => {
      for (const [method, end] of [
        ['GET', ''],
        ['POST', '/take'],
        ['POST', '/decline'],
      ] as const) {
        const page = await site.app.request(method, `${path}${end}`);
        assert.equal(page.status, 403, `${method} ${end}`);
        assert.match(page.text, told);
        assert.doesNotMatch(page.text, /Pump1|<form/);
      }
      assert.deepEqual([(await site.alarms.get(alarmId)).state, (await site.alarms.get(alarmId)).ackUser], [3, '']);
    };
    const user = await site.ask('GET', `/users/${ana.id}`);
    await site.ask('PUT', `/users/${ana.id}`, { ...user, numbers: [voice('+33100000001')] });
    await assertRefused(/<html lang="de">.*Sie werden hier nicht mehr gerufen\. Es wurde nichts geändert\./s);
    const teams = (await site.list('/teams')).items;
    for (const team of teams) await site.ask('PUT', `/teams/${team.id}`, { ...team, members: [] });
    await site.ask('DELETE', `/users/${ana.id}`);
    await assertRefused(/You are no longer called here\. Nothing was changed\./);
    await site.expectWhatRings();
  },
);

testOnAnyStore('a server without a public address sends mails without a link', async (t, kind) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, kind);
  await mailProvider(site, catcher, { settings: { imapHost: '127.0.0.1', imapPort: 1, imapSecurity: 'none' } });
  const { group } = await anaByMail(site);
  await site.alarms.raise(group);
  const { mail } = await mailTo(catcher);
  assert.doesNotMatch(mail.text ?? '', /http/);
  assert.match(mail.text ?? '', /Reply to this mail with 1 to take it, 2 heard, 3 decline \(code \d{4}\)\./);
});
