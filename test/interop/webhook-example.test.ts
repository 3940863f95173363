// The receiver and the report of docs/channels.md work as they stand there.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../packages/sip/test/harness/ports.ts';
import { missing } from '../../packages/sip/test/harness/programs.ts';
import { fakeClock } from '../harness/site/clock.ts';
import { startSite } from '../harness/site/site.ts';
import { until } from '../harness/until.ts';

const secret = 'at least 16 characters that nobody can guess';
const document = readFileSync('docs/channels.md', 'utf8');

/** The code block of the document that contains the text. */
function block(language: string, containing: string): string {
  const blocks = [...document.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))];
  return blocks.map(([, code = '']) => code).find((code) => code.includes(containing)) ?? '';
}

test('the receiver of the documentation verifies a message, and its report takes the alarm', {
  skip: missing('curl', 'curl') || missing('openssl', 'openssl'),
}, async (t) => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-hook-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'receiver.mjs');
  const shown = block('js', 'createHmac').replace('8443', `${port}, () => console.log('listening')`);
  writeFileSync(file, shown.replace('JSON.parse(body).text', 'String(body)'));
  const receiver = spawn(process.execPath, [file], { env: { SECRET: secret }, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => receiver.kill());
  let output = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until(
    () => output,
    (text) => text.includes('listening'),
  );

  // The receiver and the report have the time of the machine.
  const site = await startSite(t, 'sqlite', { clock: fakeClock(Date.now()) });
  const settings = { allowHttp: true, allowPrivate: true, ports: [port] };
  const provider = await site.create('/providers', { ...JSON.parse(bodyOf(block('sh', '"Hooks"'))), settings });
  const address = `http://127.0.0.1:${port}/`;
  const ana = await site.person('ana', { numbers: [{ channel: 'webhook', address, timeToAck: 600 }] });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  const received = await until(
    () => output.split('\n').find((line) => line.startsWith('{')),
    (line) => line !== undefined,
  );
  const { attempt, replyCode, text } = JSON.parse(received ?? '{}');
  assert.match(text, /Pump1 is too hot/);
  const report = block('sh', 'openssl dgst')
    .replace('"attempt": 17', `"attempt": ${attempt}`)
    .replace('4711', replyCode);
  const shell = spawn('sh', ['-c', report], {
    env: { PATH: process.env.PATH, TOCSIN: site.app.url, HOOKS: String(provider) },
    stdio: 'ignore',
  });
  await once(shell, 'close');
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
});

/** The JSON that a curl command of the document sends. */
function bodyOf(command: string): string {
  return /-d '([\s\S]*)'/.exec(command)?.[1] ?? '';
}
