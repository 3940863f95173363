// Header injection is impossible: whatever the texts of alarms, names and files are, a mail has the same headers and one
// recipient when a mail server reads it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MailPort } from '../../../../src/channels/mail/mail-port.ts';
import { SmtpProvider } from '../../../../src/channels/mail/smtp-provider.ts';
import type { CallMessage } from '../../../../src/domain/calls/delivery.ts';
import { smtpProviders } from '../../../../src/domain/channels/kinds/smtp.ts';
import { readSettings } from '../../../../src/domain/channels/settings.ts';
import { fc } from '../../../harness/fast-check.ts';
import { type CaughtMail, startMailCatcher } from '../../../harness/mail/mail-catcher.ts';
import { soak } from '../../../harness/soak.ts';

/** What an attacker would write into the text of an alarm, among any other text. */
const attacks = [
  '\r\nBcc: evil@example.org',
  '\nSubject: other',
  '\r\n\r\n<script>alert(1)</script>',
  '\r\n.\r\nRCPT TO:<evil@example.org>\r\n',
  '=?utf-8?q?=0D=0ABcc:_evil@example.org?=',
  '\u2028Bcc: evil@example.org\u0085X-Evil: 1',
  '\0\x0b\x0c\x1b\ud800',
  `${'a'.repeat(998)}\r\n b`,
  '<evil@example.org>, "x" <y@example.org>;',
];

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 4 })
  .map((parts) => parts.join(''));

const headerNames = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'importance',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
  'x-auto-response-suppress',
  'x-priority',
];

const address = 'ana@plant.example';

const message = (texts: readonly string[], opening: string): CallMessage => ({
  attemptId: 7,
  userId: 2,
  firstName: opening,
  language: 'en',
  siteName: opening,
  opening,
  closing: opening,
  channel: 'email',
  address,
  priority: 1,
  text: texts.join('\n'),
  texts,
  items: texts.map((_, index) => ({ alarmId: index + 1 })),
  total: texts.length,
  stations: [],
  replyCode: '4711',
  isTest: false,
  isNews: false,
  isUnsure: false,
  hasNextProvider: false,
  providerId: 1,
  providerRef: undefined,
});

function portWith(place: string): MailPort {
  return {
    details: async ({ items }) => ({
      items: items.map(() => ({ priority: 1, place, instructions: '', page: undefined })),
      files: [{ name: 'plan.txt', type: 'text/plain', bytes: Buffer.from(place) }],
      missingFiles: ['none.pdf'],
      tooLargeFiles: [],
      isNews: false,
    }),
    linkOf: () => 'https://alarms.example/answer/x',
    tagOf: () => '7-00112233445566778899',
    attemptOf: () => undefined,
    reply: async () => ({ kind: 'repeated' }),
    bounced: async () => {},
    noteMailbox: async () => {},
    ignored: () => {},
    take: async () => false,
    onTrouble: (error) => assert.fail(String(error)),
  };
}

test('no text of an alarm adds a header, a recipient or markup to a mail', async (t) => {
  const catcher = await startMailCatcher(t);
  const settings = { ...catcher.settings, imapHost: '127.0.0.1', replyTo: 'tagged' };
  const { values, problems } = readSettings(smtpProviders.fields, settings);
  assert.deepEqual(problems, []);
  const clock = { now: () => Date.UTC(2026, 10, 16) };
  const signal = new AbortController().signal;
  const texts = fc.array(hostile, { minLength: 1, maxLength: 3 });
  const written = fc.array(fc.tuple(texts, hostile, hostile), { minLength: mailsAtOnce, maxLength: mailsAtOnce });
  const story = fc.asyncProperty(written, async (mails) => {
    catcher.mails.length = 0;
    const sent = mails.map(([alarms, place, opening]) =>
      new SmtpProvider(values, {}, portWith(place), clock).deliver(message(alarms, opening), () => {}, signal),
    );
    for (const delivery of await Promise.all(sent)) assert.equal(delivery.kind, 'delivered', JSON.stringify(delivery));
    assert.equal(catcher.mails.length, mails.length);
    catcher.mails.forEach(isHarmless);
  });
  await fc.assert(story, { numRuns: soak(10_000) / mailsAtOnce });
});

/** The catcher greets each connection after a tenth of a second. */
const mailsAtOnce = 50;

function isHarmless({ to, source, mail }: CaughtMail): void {
  assert.deepEqual(to, [address]);
  const head = source.split('\r\n\r\n', 1)[0] ?? '';
  const lines = head.split('\r\n');
  const names = lines.flatMap((line) => (/^[ \t]/.test(line) ? [] : [line.split(':', 1)[0] ?? '']));
  assert.deepEqual(names.map((name) => name.toLowerCase()).sort(), headerNames);
  assert.ok(
    lines.every((line) => line.length <= 998),
    'no line is too long',
  );
  assert.deepEqual(
    mail.to?.map((one) => one.address),
    [address],
  );
  assert.equal(mail.attachments.length, 1);
  assert.doesNotMatch(mail.html ?? '', /<script/i);
}

test('an address that is none is never sent to', async (t) => {
  const catcher = await startMailCatcher(t);
  const { values } = readSettings(smtpProviders.fields, catcher.settings);
  const provider = new SmtpProvider(values, {}, portWith(''), { now: () => 0 });
  const signal = new AbortController().signal;
  for (const wrong of ['', 'ana', 'a@b, c@d', 'a@b\r\nRCPT TO:<c@d>', '<a@b>', 'a b@c', 'a@b;c@d']) {
    const delivery = await provider.deliver({ ...message(['x'], ''), address: wrong }, () => {}, signal);
    assert.deepEqual([delivery.kind, 'outcome' in delivery && delivery.outcome], ['failed', 'badNumber'], wrong);
  }
  assert.equal(catcher.mails.length, 0);
});
