// Mail through Postfix, and replies read from Dovecot: a mail arrives, its reply is taken once, and what programs or
// strangers send does nothing.

import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { ImapFlow } from 'imapflow';
import { freePort } from '../../packages/sip/test/harness/ports.ts';
import { Mailbox } from '../../src/channels/mail/mailbox.ts';
import { MailProgram } from '../harness/mail/mail-program.ts';
import {
  type MailServer,
  mailDomain,
  mailPassword,
  mailServerMissing,
  startMailServer,
} from '../harness/mail/mail-server.ts';
import { runHere } from '../harness/server/run-command.ts';
import { type Site, startSite } from '../harness/site/site.ts';
import { type StoreName, storesUnderTest } from '../harness/stores/stores.ts';
import { until } from '../harness/until.ts';

const skip = mailServerMissing;
/** Each test has accounts of its own on the same server. */
const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
let server: MailServer;
let used = 0;

before(async () => {
  if (skip !== false) return;
  const names = ['tocsin', 'ana', 'mallory'];
  const users = names.flatMap((name) => numbers.map((number) => `${name}${number}`));
  server = await startMailServer(users, ['lost']);
});
after(() => server?.stop());

async function mailSite(t: TestContext, settings: object = {}, store: StoreName = 'sqlite') {
  const number = ++used;
  const own = `tocsin${number}@${mailDomain}`;
  const site = await startSite(t, store);
  const provider = {
    name: 'Postfix',
    channel: 'email',
    kind: 'smtp',
    order: 2,
    settings: {
      host: '127.0.0.1',
      port: server.smtpPort,
      security: 'none',
      user: own,
      from: own,
      imapHost: '127.0.0.1',
      imapPort: server.imapPort,
      imapSecurity: 'none',
      ...settings,
    },
    secrets: { password: mailPassword },
  };
  const providerId = await site.create('/providers', provider);
  const [ana, mallory] = [new MailProgram(server, `ana${number}`), new MailProgram(server, `mallory${number}`)];
  return { site, own, provider, providerId, ana, mallory };
}

async function groupOf(site: Site, address: string, more: object = {}) {
  const ana = await site.person('ana', { numbers: [{ channel: 'email', address }], ...more });
  return { id: ana.id, group: await site.group('Pumps', [await site.team('Night', [ana])]) };
}

const isAlarm = ({ subject = '' }: { subject?: string | undefined }): boolean => /^P1 /.test(subject);

const untilState = (site: Site, id: number, state: number) =>
  until(
    () => site.alarms.get(id),
    (alarm) => alarm.state === state,
  );

/** The reasons for which mails were ignored, by the log. */
const ignoredBy = (site: Site): readonly string[] =>
  site.app.logLines.flatMap((line) =>
    'reason' in line && line.msg === 'a mail is no answer' ? [String(line.reason)] : [],
  );

const answersOf = async (site: Site) => (await site.list('/journal?kind=call.answered')).items;

test('a mail arrives, its reply takes the alarm once and is confirmed in the language of the person', {
  skip,
}, async (t) => {
  const { site, ana } = await mailSite(t);
  const { id, group } = await groupOf(site, ana.address, { language: 'fr' });
  const alarmId = await site.alarms.raise(group, { alarmMessage: 'Pompe 3 niveau haut' });
  const mail = await ana.gets(isAlarm);
  assert.match(mail.text ?? '', /^Priorité 1, .*Pompe 3 niveau haut\n/);
  assert.match(mail.text ?? '', /Répondez à ce message par 1 pour la prendre/);
  const messageId = await ana.reply(mail, '1');
  await untilState(site, alarmId, 1);
  assert.equal((await site.alarms.get(alarmId)).ackUser, 'ana');
  const confirmation = await ana.gets(({ inReplyTo }) => inReplyTo === messageId);
  assert.equal(confirmation.text?.trim(), 'Vous l’avez prise. Merci.');
  assert.equal(confirmation.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-replied');
  const answers = await answersOf(site);
  assert.deepEqual(
    answers.map(({ actor, after }) => [actor, (after as { throughAddress: string }).throughAddress]),
    [[`user:${id}`, ana.address]],
  );
  await ana.reply(mail, '1', { messageId });
  await until(
    () => ignoredBy(site),
    (reasons) => reasons.includes('it came before'),
  );
  assert.equal((await answersOf(site)).length, 1, 'the same reply twice counts once');
  assert.equal((await ana.mails()).filter(({ inReplyTo }) => inReplyTo === messageId).length, 1);
});

test('automatic replies, strangers and wrong codes do nothing; the code alone is enough', { skip }, async (t) => {
  const { site, own, ana, mallory } = await mailSite(t);
  const { group } = await groupOf(site, ana.address);
  const alarmId = await site.alarms.raise(group);
  const mail = await ana.gets(isAlarm);
  const code = /\(code (\d{4})\)/.exec(mail.text ?? '')?.[1] ?? '';
  await ana.reply(mail, '1', { headers: { 'Auto-Submitted': 'auto-replied' } });
  await mallory.reply(mail, '1');
  await mallory.send(own, `1 ${code}`);
  await ana.send(own, '1');
  await ana.send(own, `1 ${code === '1234' ? '4321' : '1234'}`);
  const reasons = await until(
    () => ignoredBy(site),
    (found) => found.length === 5,
  );
  assert.deepEqual(reasons.toSorted(), [
    'it is no answer (sender)',
    'it is no answer (sender)',
    'it is no answer (which)',
    'it is no answer (which)',
    'it was sent by a program (Auto-Submitted)',
  ]);
  assert.equal((await site.alarms.get(alarmId)).state, 3);
  assert.deepEqual(await mallory.mails(), [], 'a stranger gets no response');
  await ana.gets(({ text = '' }) => text.startsWith('Send the code of the message'));
  await ana.send(own, `${code}\r\n`);
  await untilState(site, alarmId, 1);
});

test('a reply to the tagged address needs no reference, and declines', { skip }, async (t) => {
  const { site, ana } = await mailSite(t, { replyTo: 'tagged' });
  const { group } = await groupOf(site, ana.address);
  await site.alarms.raise(group, { priority: 3, alarmMessage: 'Door' });
  const mail = await ana.gets(({ subject = '' }) => subject.includes('Door'));
  const to = mail.replyTo?.[0]?.address ?? '';
  assert.match(to, /^tocsin\d\+[0-9a-z]+-[0-9a-f]{20}@plant\.example$/);
  await ana.send(to, '3\r\n\r\nsorry, on holiday');
  await ana.gets(({ text = '' }) => text.startsWith('Declined.'));
  assert.deepEqual(
    (await answersOf(site)).map(({ after }) => (after as { answer: string }).answer),
    ['decline'],
  );
  await site.expectWhatRings();
});

test('a mail that comes back gives its attempt an outcome, and an unknown mailbox is a bad address', {
  skip,
}, async (t) => {
  // On PostgreSQL if it is tested: no other test records on it what became of a mail that was sent.
  const { site } = await mailSite(t, {}, storesUnderTest().at(-1));
  const { group } = await groupOf(site, `lost@${mailDomain}`);
  await site.alarms.raise(group);
  const outcomes = async () => (await site.callHistories()).map(({ outcome }) => outcome);
  await until(outcomes, (found) => found[0] === 'badNumber');
  const nobody = await site.person('nobody', { numbers: [{ channel: 'email', address: `nobody@${mailDomain}` }] });
  await site.ask('POST', '/call/test', { userIds: [nobody.id] });
  const rows = await site.callHistories(`&userId=${nobody.id}`);
  assert.equal(rows[0]?.outcome, 'badNumber', JSON.stringify(rows));
  await site.expectWhatRings();
});

test('a dead server is followed by Postfix, and wrong passwords are said in words', { skip }, async (t) => {
  const { site, own, provider, providerId, ana } = await mailSite(t);
  const dead = { host: '127.0.0.1', port: await freePort(), security: 'none', from: own };
  await site.create('/providers', { ...provider, name: 'Dead', order: 1, settings: dead, secrets: {} });
  const { group } = await groupOf(site, ana.address);
  await site.alarms.raise(group);
  await ana.gets(isAlarm);
  assert.equal((await site.callHistories())[0]?.provider, 'Postfix');
  await site.ask('PUT', `/providers/${providerId}`, { ...provider, secrets: { password: 'wrong-word-1' } });
  const check = await site.ask<{ reason: string }>('POST', `/providers/${providerId}/test`);
  assert.equal(check.reason, 'the mail server refused the password (535)');
  await until(
    () => site.alarms.fromTocsin(),
    (found) => found.some(({ path, state }) => path === `system/provider/${providerId}/mailbox` && state === 3),
  );
  const alarms = await site.alarms.fromTocsin();
  const mailbox = alarms.find(({ path }) => path === `system/provider/${providerId}/mailbox`);
  assert.match(
    String(mailbox?.message),
    /Replies to mails of the provider Postfix are not read: .* refused the name or password/,
  );
  await site.ask('PUT', `/providers/${providerId}`, provider);
  await until(
    () => site.alarms.fromTocsin(),
    (found) => found.some(({ path, state }) => path === mailbox?.path && state === 2),
  );
  await site.expectWhatRings();
});

test('the test of a provider and doctor try the mailbox of the replies, and mails still go out', {
  skip,
}, async (t) => {
  const { site, provider, providerId, ana } = await mailSite(t);
  const tested = () => site.ask('POST', `/providers/${providerId}/test`);
  assert.deepEqual(await tested(), { ok: true, reason: '' });
  const wrong = { ...provider, secrets: { imapPassword: 'wrong-word-1' } };
  await site.ask('PUT', `/providers/${providerId}`, wrong);
  const place = `127.0.0.1:${server.imapPort}`;
  const reason = `replies are not read: the IMAP server ${place} refused the name or password of the mailbox`;
  assert.deepEqual(await tested(), { ok: false, reason });
  const examined = await runHere(t, site.app.environment, 'doctor').finally(() => (process.exitCode = undefined));
  assert.ok(examined.out.includes(`problem  The provider "Postfix" (smtp) sends, but ${reason}.`), examined.out);
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${providerId}`);
  assert.equal(health.state, 'up');
  const settings = { ...provider.settings, mailbox: 'Nowhere' };
  await site.ask('PUT', `/providers/${providerId}`, { ...provider, settings, secrets: { imapPassword: mailPassword } });
  const missing = 'replies are not read: the account has no mailbox "Nowhere"';
  assert.deepEqual(await tested(), { ok: false, reason: missing });
  const { group } = await groupOf(site, ana.address);
  await site.alarms.raise(group);
  await ana.gets(isAlarm);
  await site.expectWhatRings();
});

test('a reply is kept until it was stored, however often that fails', { skip }, async (t) => {
  const user = `tocsin7@${mailDomain}`;
  const ana = new MailProgram(server, 'ana7');
  const looks: string[] = [];
  let isStoring = false;
  let troubles = 0;
  const mailbox = new Mailbox(
    {
      host: '127.0.0.1',
      port: server.imapPort,
      security: 'none',
      user,
      password: mailPassword,
      mailbox: 'INBOX',
      mostBytes: 10_000,
    },
    {
      onMail: async (source) => {
        const text = Buffer.from(source).toString('latin1');
        looks.push(/answer \d/.exec(text)?.[0] ?? '');
        if (text.includes('answer 0') && !isStoring) throw new Error('the database is away');
      },
      take: async (_uid, read) => {
        await read();
        return true;
      },
      onState: async () => {},
      onTrouble: () => (troubles += 1),
    },
  );
  t.after(() => mailbox.stop());
  const seen = (count: number) =>
    until(
      () => looks.filter((look) => look === 'answer 0').length,
      (found) => found >= count,
    );
  // Every mail that arrives has the mailbox looked at again.
  for (let n = 0; n < 7; n++) {
    await ana.send(user, `answer ${n}`);
    await seen(n + 1);
  }
  isStoring = true;
  await ana.send(user, 'answer 8');
  await seen(8);
  assert.ok(troubles < 7, 'it is told of more rarely');
});

test('a mailbox that is looked at again and again collects no listeners', { skip }, async (t) => {
  const looks: number[] = [];
  const { search } = ImapFlow.prototype;
  t.mock.method(ImapFlow.prototype, 'search', function (this: ImapFlow, ...args: Parameters<typeof search>) {
    looks.push(this.listenerCount('exists') + this.listenerCount('close'));
    return search.apply(this, args);
  });
  const { site, own, ana } = await mailSite(t);
  // One look may find several mails, or one that came while it lasted.
  for (let mails = 1; looks.length < 5; mails++) {
    assert.ok(mails <= 50, `${looks.length} looks at ${mails} mails`);
    await ana.send(own, 'hello');
    await until(
      () => ignoredBy(site),
      ({ length }) => length === mails,
    );
  }
  assert.deepEqual(new Set(looks).size, 1, `listeners at each look: ${looks}`);
});
