// Mails that come in: the line that a person wrote is found, programs are ignored, and nothing malformed is an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { firstLine, plainText, readMail } from './read-mail.ts';

const own = 'tocsin@plant.example';
const tag = '3n-00112233445566778899';

function mail(headers: Readonly<Record<string, string>>, body = '1\r\n'): Buffer {
  const all = { From: 'Ana <ana@plant.example>', To: own, Subject: 'Re: P1', 'Message-ID': '<a@b>', ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

test('a reply has its sender, its first line and the tokens of its references', async () => {
  const reply = await readMail(
    mail({ 'In-Reply-To': `<tocsin.${tag}@plant.example>` }, '\r\n1\r\n\r\n> quoted\r\n'),
    own,
  );
  assert.deepEqual(reply, {
    kind: 'reply',
    from: 'ana@plant.example',
    subject: 'Re: P1',
    messageId: '<a@b>',
    text: '1',
    tags: [tag],
  });
  const tagged = await readMail(mail({ To: `tocsin+${tag.toUpperCase()}@plant.example` }), own);
  assert.deepEqual('tags' in tagged && tagged.tags, [tag]);
});

test('quotations and the sentences before them are not what the person wrote', () => {
  const cases: readonly (readonly [text: string, line: string])[] = [
    ['2\n\nOn Mon, Tocsin wrote:\n> 1 of 2: x', '2'],
    ['On Monday, 16 November 2026 at 10:00\nTocsin <t@x> wrote:\n> Reply with 1\n> x\n\n3\n', '3'],
    ['> Reply with 1\n\n2', '2'],
    ['\u200b \n 1 4711 \n-- \nAna', '1 4711'],
    ['1\nOn Mon, Tocsin wrote:\n> x', '1'],
    ['> only a quotation', ''],
    ['', ''],
  ];
  for (const [text, line] of cases) assert.equal(firstLine(text), line, JSON.stringify(text));
});

test('a reply in HTML alone is read without its quotation', async () => {
  const body =
    '<html><head><style>p{}</style></head><body><div>1&nbsp;</div><blockquote><p>3</p></blockquote></body></html>';
  const reply = await readMail(mail({ 'Content-Type': 'text/html; charset=utf-8' }, body), own);
  assert.equal('text' in reply && reply.text, '1');
  assert.equal(plainText('a<b'.repeat(3)).startsWith('a'), true);
});

test('what programs send is ignored, with the reason', async () => {
  const cases: readonly Readonly<Record<string, string>>[] = [
    { 'Auto-Submitted': 'auto-replied' },
    { 'Content-Type': 'multipart/report; report-type=disposition-notification; boundary="x"' },
    { Precedence: 'bulk' },
    { 'List-Id': '<list.example>' },
    { 'X-Auto-Response-Suppress': 'All' },
    { 'X-Autoreply': 'yes' },
    { 'Return-Path': '<>' },
    { From: `Tocsin <${own.toUpperCase()}>` },
    { From: 'MAILER-DAEMON@plant.example' },
    { From: 'undisclosed' },
  ];
  for (const headers of cases) {
    const read = await readMail(mail(headers), own);
    assert.equal(read.kind, 'ignored', JSON.stringify(headers));
  }
  assert.equal((await readMail(mail({ 'Auto-Submitted': 'no' }), own)).kind, 'reply');
});

test('a report of a lost mail names its token and the status', async () => {
  const report = [
    '--x',
    'Content-Type: text/plain',
    '',
    'could not be delivered',
    '--x',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.example',
    '',
    'Final-Recipient: rfc822; ana@plant.example',
    'Action: failed',
    'Status: 5.1.1',
    '',
    '--x',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: <tocsin.${tag}@plant.example>`,
    '',
    '--x--',
    '',
  ].join('\r\n');
  const headers = {
    From: 'MAILER-DAEMON@mail.example',
    'Return-Path': '<>',
    'Content-Type': 'multipart/report; report-type=delivery-status; boundary=x',
  };
  const read = await readMail(mail(headers, report), own);
  assert.deepEqual(read, { kind: 'bounce', tags: [tag], status: '5.1.1', messageId: '<a@b>' });
  const late = await readMail(mail(headers, report.replace('failed', 'delayed')), own);
  assert.equal(late.kind, 'ignored');
});

test('nothing that a mailbox may hold is an error', async () => {
  const part = fc.constantFrom(
    'Content-Type: multipart/mixed; boundary=x\r\n',
    'Content-Transfer-Encoding: base64\r\n',
    'From: a@b\r\n',
    '--x\r\n',
    '--x--\r\n',
    '\r\n',
    'Content-Type: message/rfc822\r\n',
    '=?utf-8?q?=zz?=',
    '\0\xff',
  );
  const source = fc.array(fc.oneof(part, fc.string({ unit: 'binary' })), { maxLength: 30 }).map((all) => all.join(''));
  await fc.assert(
    fc.asyncProperty(source, async (text) => {
      const { kind } = await readMail(Buffer.from(text, 'latin1'), own);
      assert.ok(['reply', 'bounce', 'ignored'].includes(kind));
    }),
    { numRuns: soak(1_000) },
  );
});
