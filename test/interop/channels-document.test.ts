// The commands of docs/channels.md that an administrator pastes work as they stand there, one after another.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { missing } from '../../packages/sip/test/harness/programs.ts';
import { mailAccount, mailTo, startMailCatcher } from '../harness/mail/mail-catcher.ts';
import { adminPassword } from '../harness/site/app.ts';
import { startSite } from '../harness/site/site.ts';
import { SipPeer } from '../harness/telephone/sip-peer.ts';
import { until } from '../harness/until.ts';

const blocks = [...readFileSync('docs/channels.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, code = '']) => code,
);
/** The report needs a message that was posted; test/interop/webhook-example.test.ts sends it. */
const pasted = blocks.filter((code) => code.includes('curl ') && !code.includes('openssl'));

/** Puts the servers of the test in the place of those in the document; each must be there. */
function replaced(script: string, values: readonly (readonly [string, string])[]): string {
  return values.reduce((before, [from, to]) => {
    assert.ok(before.includes(from), `the document has ${from}`);
    return before.replace(from, to);
  }, script);
}

test('the commands of docs/channels.md set up a telephone, mails, webhooks and toll limits', {
  skip: missing('curl', 'curl') || missing('espeak-ng', 'espeak-ng'),
}, async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const catcher = await startMailCatcher(t, { isOpen: false });
  const site = await startSite(t, 'sqlite');
  const script = replaced(pasted.join('\n'), [
    ['http://127.0.0.1:8080', site.app.url],
    ['PASSWORD', adminPassword],
    ['"host": "192.0.2.10"', `"host": "127.0.0.1", "port": ${peer.port}`],
    [
      '"host": "mail.plant.example", "security": "starttls"',
      `"host": "127.0.0.1", "port": ${catcher.port}, "security": "none"`,
    ],
    ['"user": "tocsin@plant.example"', `"user": "${mailAccount.user}"`],
    [', "imapHost": "mail.plant.example"', ''],
    ['the password of the account', mailAccount.password],
  ]);
  const shell = spawn('sh', ['-e', '-c', script], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await text(shell.stdout);
  const fine = '{"ok":true,"reason":""}';
  const expected = new RegExp(`^2\\n${fine}true3\\n${fine}true4\\n\\{.*"perPersonDay":200.*\\}$`);
  assert.match(output.trim(), expected);
  await until(
    () => peer.calls,
    (calls) => calls > 0,
  );
  assert.equal((await mailTo(catcher)).mail.subject, 'Test: this is a test call');
  peer.rejectAll();
});
