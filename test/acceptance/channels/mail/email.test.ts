// Mails to people: what they say, in whose language, with which files, and what the answers of a mail server mean.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anaByMail, mailAccount, mailProvider, mailTo, startMailCatcher } from '../../../harness/mail/mail-catcher.ts';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { wavOf } from '../../../harness/telephone/media-files.ts';
import { until } from '../../../harness/until.ts';

type Check = { readonly ok: boolean; readonly reason: string };

testOnAnyStore('a mail begins with priority, place, text and what to do, and its subject is short', async (t, kind) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, kind);
  await mailProvider(site, catcher);
  const { group } = await anaByMail(site);
  const alarmMessage = 'Pump 3 <high> & level';
  const instructions = 'Close valve 4';
  await site.alarms.raise(group, { alarmMessage, instructions, location: { zone: 'Hall B' } });
  const { mail, to } = await mailTo(catcher);
  assert.deepEqual(to, ['ana@plant.example']);
  assert.match(mail.subject ?? '', /^P1 .* Hall B: Pump 3 <high> & level$/);
  assert.match(mail.text ?? '', /^Priority 1, .+ Hall B: Pump 3 <high> & level\nWhat to do: Close valve 4\n/);
  assert.match(mail.html ?? '', /Priority 1, [^<]+: Pump 3 &lt;high&gt; &amp; level<br>What to do: Close valve 4</);
  assert.deepEqual([mail.from?.address, mail.from?.name], ['tocsin@plant.example', 'Tocsin']);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  assert.deepEqual([header('auto-submitted'), header('importance')], ['auto-generated', 'high']);
  const [attempt] = await site.callHistories();
  assert.equal(attempt?.provider, 'Mail');
});

test('several alarms are one mail in the language of the person, the most urgent first', async (t) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, 'sqlite');
  const { group } = await anaByMail(site, { language: 'fr' });
  await site.ask('POST', '/alarms/batch', [
    { path: 'A', priority: 3, alarmMessage: 'Porte ouverte', alarmActions: [{ type: 'CallGroup', id: group }] },
    { path: 'B', priority: 1, alarmMessage: 'Feu', alarmActions: [{ type: 'CallGroup', id: group }] },
  ]);
  await mailProvider(site, catcher);
  const { mail } = await mailTo(catcher);
  assert.match(mail.subject ?? '', /^P1 .*: Feu \(\+1\)$/);
  assert.match(mail.text ?? '', /^1 sur 2 : Priorité 1, .*: Feu\n2 sur 2 : Priorité 3, .*: Porte ouverte/);
  assert.doesNotMatch(mail.text ?? '', /Répondez/, 'nobody reads replies to this provider');
  assert.match(mail.html ?? '', /<html lang="fr">/);
});

test('a test says so in the subject', async (t) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, 'sqlite');
  await mailProvider(site, catcher);
  const { ana } = await anaByMail(site);
  await site.ask('POST', '/call/test', { userIds: [ana.id] });
  assert.equal((await mailTo(catcher)).mail.subject, 'Test: this is a test call');
});

test('the button of a mail names only what its page offers', async (t) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, 'sqlite', { overrides: { TOCSIN_PUBLIC_URL: 'https://alarms.plant.example' } });
  await mailProvider(site, catcher);
  const { ana, group } = await anaByMail(site);
  await site.ask('POST', '/call/test', { userIds: [ana.id] });
  const buttonOf = async (index: number) => />([^<>]+)<\/a>/.exec((await mailTo(catcher, index)).mail.html ?? '')?.[1];
  assert.equal(await buttonOf(0), 'Confirm that I have read it');
  await site.alarms.raise(group);
  assert.equal(await buttonOf(1), 'Take it / Decline …');
  await site.expectWhatRings();
});

testOnAnyStore('files of the alarm are attached, and those that cannot be are named', async (t, kind) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, kind);
  await mailProvider(site, catcher, { settings: { attachmentMegabytes: 1 } });
  const { group } = await anaByMail(site);
  const plan = wavOf(10_000);
  const store = (name: string, bytes: Uint8Array) =>
    fetch(`${site.app.url}/api/v1/media/${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/octet-stream' },
      body: bytes as Uint8Array<ArrayBuffer>,
    });
  assert.equal((await store('plan.wav', plan)).status, 200);
  assert.equal((await store('long.wav', wavOf(1_100_000))).status, 200);
  const alarm = (path: string, alarmAttachedFile: string) =>
    site.alarms.raise(group, { path, alarmMessage: path, alarmAttachedFile });
  await alarm('A', 'plan.wav');
  const { mail } = await mailTo(catcher, 0);
  assert.deepEqual(
    mail.attachments.map(({ filename, mimeType, content }) => [
      filename,
      mimeType,
      (content as ArrayBuffer).byteLength,
    ]),
    [['plan.wav', 'audio/wav', plan.length]],
  );
  await alarm('B', 'long.wav');
  await alarm('C', 'none.wav');
  await site.advance('2m');
  const later = catcher.mails.map(({ mail: { text } }) => text ?? '').join('\n');
  assert.match(later, /The file long\.wav is not attached: it is too large for a mail\./);
  assert.match(later, /The file none\.wav is not attached: it does not exist\./);
  // The first alarm was called for in vain before the second is.
  await site.expectWhatRings();
});

testOnAnyStore('a mail larger than the server takes is sent without its files, and says so', async (t, kind) => {
  const catcher = await startMailCatcher(t, { size: 100_000 });
  const site = await startSite(t, kind, { overrides: { TOCSIN_PUBLIC_URL: 'https://alarms.plant.example' } });
  const provider = await mailProvider(site, catcher);
  const { group } = await anaByMail(site);
  const stored = await fetch(`${site.app.url}/api/v1/media/plan.wav`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/octet-stream' },
    body: wavOf(150_000) as Uint8Array<ArrayBuffer>,
  });
  assert.equal(stored.status, 200);
  await site.alarms.raise(group, { priority: 3, alarmMessage: 'Leak', alarmAttachedFile: 'plan.wav' });
  const { mail } = await mailTo(catcher);
  assert.equal(mail.attachments.length, 0);
  assert.match(mail.text ?? '', /Leak\b[\s\S]*The file plan\.wav is not attached: it is too large for a mail\./);
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${provider}`);
  assert.notEqual(health.state, 'down', 'the mail server is not to blame');
  const [attempt] = await site.callHistories();
  assert.equal(attempt?.attempt, 1);
});

testOnAnyStore('a mail server that greets with 5xx is not the fault of the recipient', async (t, kind) => {
  const [closed, good] = [await startMailCatcher(t), await startMailCatcher(t)];
  closed.refusals.greeting = '554 5.3.2 no service here';
  const site = await startSite(t, kind);
  await mailProvider(site, closed, { name: 'Closed', order: 1 });
  await mailProvider(site, good, { name: 'Good', order: 2 });
  const { group } = await anaByMail(site);
  await site.alarms.raise(group, { priority: 3 });
  await mailTo(good);
  assert.deepEqual(
    (await site.callHistories()).map(({ attempt, provider }) => [attempt, provider]),
    [[1, 'Good']],
  );
});

testOnAnyStore('a mailbox that is full for now is tried again, and the mail server stays up', async (t, kind) => {
  const catcher = await startMailCatcher(t);
  catcher.refusals.rcpt = '451 4.7.1 greylisted, try again later';
  const site = await startSite(t, kind);
  const provider = await mailProvider(site, catcher);
  const numbers = [{ channel: 'email', address: 'ana@plant.example', countTry: 2, timeToRetry: 60 }];
  const { group } = await anaByMail(site, { numbers });
  await site.alarms.raise(group, { priority: 3 });
  await until(
    () => site.callHistories(),
    ([first]) => first?.outcome === 'failed',
  );
  catcher.refusals.rcpt = undefined;
  await site.advance('1m');
  await mailTo(catcher);
  const { health } = await site.ask<{ health: { state: string } }>('GET', `/providers/${provider}`);
  assert.equal(health.state, 'up');
});

test('a refused mailbox is a bad address, and a refused text is given up', async (t) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, 'sqlite');
  await mailProvider(site, catcher);
  const { group } = await anaByMail(site);
  catcher.refusals.rcpt = '550 5.1.1 <ana@plant.example> no such user';
  await site.alarms.raise(group, { priority: 3 });
  const [unknown] = await site.callHistories();
  assert.equal(unknown?.outcome, 'badNumber');
  assert.match(String(unknown?.detail), /550 5\.1\.1 <•••ple> no such user/, 'the address is not for everybody');
  catcher.refusals.rcpt = undefined;
  catcher.refusals.data = '554 5.6.0 not wanted';
  await site.alarms.raise(group, { priority: 3, path: 'Other', alarmMessage: 'Other' });
  const outcomes = (await site.callHistories()).map(({ outcome }) => outcome);
  assert.ok(outcomes.includes('undeliverable'), String(outcomes));
  await site.expectWhatRings();
});

testOnAnyStore('a server that is dead or says "later" is followed by the next at once', async (t, kind) => {
  const [dead, busy, good] = [await startMailCatcher(t), await startMailCatcher(t), await startMailCatcher(t)];
  const site = await startSite(t, kind);
  await mailProvider(site, dead, { name: 'Dead', order: 1 });
  await mailProvider(site, busy, { name: 'Busy', order: 2 });
  await mailProvider(site, good, { name: 'Good', order: 3 });
  await dead.stop();
  busy.refusals.mail = '451 4.3.2 try later';
  const { group } = await anaByMail(site);
  await site.alarms.raise(group);
  await mailTo(good);
  const attempts = await site.callHistories();
  assert.deepEqual(
    attempts.map(({ attempt, provider }) => [attempt, provider]),
    [[1, 'Good']],
  );
});

testOnAnyStore('a wrong password is said in words, and never shown', async (t, kind) => {
  const catcher = await startMailCatcher(t, { isOpen: false });
  const site = await startSite(t, kind);
  const secret = 'wrong-password-4711';
  const settings = { user: mailAccount.user };
  const id = await mailProvider(site, catcher, { settings, secrets: { password: secret } });
  const check = () => site.ask<Check>('POST', `/providers/${id}/test`);
  assert.deepEqual(await check(), { ok: false, reason: 'the mail server refused the password (535)' });
  const shown = await site.ask<object>('GET', `/providers/${id}`);
  const seen = JSON.stringify([shown, await site.list('/journal?limit=1000'), site.app.logLines]);
  assert.doesNotMatch(seen, new RegExp(secret));
  const body = { name: 'Mail', channel: 'email', kind: 'smtp', settings: { ...catcher.settings, ...settings } };
  await site.ask('PUT', `/providers/${id}`, { ...body, secrets: { password: mailAccount.password } });
  assert.deepEqual(await check(), { ok: true, reason: '' });
  await catcher.stop();
  assert.match((await check()).reason, /^nothing listens on 127\.0\.0\.1:\d+$/);
});

test('a refused sender is said in words, and the alarm about it speaks of messages', async (t) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, 'sqlite');
  await mailProvider(site, catcher);
  const { group } = await anaByMail(site);
  catcher.refusals.rcpt = '553 5.7.1 <tocsin@plant.example>: Sender address rejected: not owned by user';
  await site.alarms.raise(group, { priority: 3 });
  const alarms = await until(
    () => site.alarms.fromTocsin(),
    (found) => found.some(({ path }) => String(path).endsWith('/refused')),
  );
  const { message } = alarms.find(({ path }) => String(path).endsWith('/refused')) ?? {};
  assert.match(
    String(message),
    /^The provider Mail refuses messages: the mail server refuses the sender: "553 5\.7\.1 <tocsin@plant/,
  );
  await site.expectWhatRings();
});

test('a mail server without TLS on its port, or without STARTTLS, is said in words', async (t) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, 'sqlite');
  const place = `127.0.0.1:${catcher.port}`;
  for (const [security, reason] of [
    ['tls', `${place} does not speak TLS: try the security starttls`],
    ['starttls', `the mail server ${place} does not offer STARTTLS (500): try the security tls`],
  ] as const) {
    const id = await mailProvider(site, catcher, { name: security, settings: { security } });
    assert.deepEqual(await site.ask('POST', `/providers/${id}/test`), { ok: false, reason });
  }
  await site.expectWhatRings();
});

test('settings of a mail server are checked by field', async (t) => {
  const site = await startSite(t, 'sqlite');
  const settings = { host: 'mail.example', from: 'a@b\r\nBcc: c@d', fromName: 'x\ny', security: 'ssl', replyTo: 1 };
  const answer = await site.request('POST', '/providers', { name: 'M', channel: 'email', kind: 'smtp', settings });
  const { errors = [] } = answer.body as { errors?: readonly { field: string }[] };
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['settings.security', 'settings.from', 'settings.fromName', 'settings.replyTo'],
  );
});

test('a code for an address is sent as a mail', async (t) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, 'sqlite');
  await mailProvider(site, catcher);
  const numbers = [{ channel: 'email', address: 'ana@plant.example', verified: false }];
  const { ana } = await anaByMail(site, { language: 'de', numbers });
  const [number] = (await site.ask<{ numbers: { id: number }[] }>('GET', `/users/${ana.id}`)).numbers;
  await site.ask('POST', `/users/${ana.id}/numbers/${number?.id}/verify`);
  const { mail } = await mailTo(catcher);
  assert.equal(mail.subject, 'Bestätigen Sie Ihre Adresse');
  const [, code = ''] = /: (\d{6})\./.exec(mail.text ?? '') ?? [];
  const verified = await site.ask('POST', `/users/${ana.id}/numbers/${number?.id}/verify`, { code });
  assert.equal(verified.verified, true);
});
