// `tocsin call`: a telephone call to SIPp from the shell, and messages to a webhook, with each step printed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { missing } from '../../packages/sip/test/harness/programs.ts';
import {
  keepDialog,
  pause,
  receive,
  respond,
  respondInDialog,
  sippMissing,
  startSipp,
} from '../../packages/sip/test/harness/sipp.ts';
import { WebhookReceiver } from '../harness/channels/webhook-receiver.ts';
import { runHere } from '../harness/server/run-command.ts';
import { type Site, startSite } from '../harness/site/site.ts';
import { hangsUp, hungUpThere, takesTheCall } from '../harness/telephone/sipp-phone.ts';

const skip = sippMissing || missing('espeak-ng', 'espeak-ng');
const sdp = [
  'v=0',
  'o=sipp 1 1 IN IP4 [local_ip]',
  's=-',
  'c=IN IP4 [media_ip]',
  't=0 0',
  'm=audio [media_port] RTP/AVP 8 96',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:96 telephone-event/8000',
].join('\n');

/** Runs the command beside the running server; returns its lines without their times, and its exit code. */
async function callWith(t: TestContext, environment: Readonly<Record<string, string>>, ...words: readonly string[]) {
  try {
    const { out } = await runHere(t, environment, 'call', ...words);
    const steps = out.split('\n').map((line) => line.replace(/^ *[\d.]+ s {2}/, ''));
    return { steps: steps.filter((line) => line !== ''), code: process.exitCode ?? 0 };
  } finally {
    process.exitCode = undefined;
  }
}

const call = (t: TestContext, site: Site, ...words: readonly string[]) => callWith(t, site.app.environment, ...words);

async function siteWithTrunk(t: TestContext, steps: readonly string[]) {
  const sipp = await startSipp([receive('INVITE', keepDialog), ...steps]);
  t.after(() => sipp.stop());
  const site = await startSite(t, 'sqlite');
  const settings = { host: '127.0.0.1', port: sipp.port, user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings, secrets: { password: 'x' } });
  return { site, sipp };
}

test('SIPp: a call from the shell prints trying, ringing, answered, the key and its end', { skip }, async (t) => {
  const { site, sipp } = await siteWithTrunk(t, [
    respond(100, 'Trying'),
    respond(180, 'Ringing'),
    respond(200, 'OK', { sdp }),
    receive('ACK'),
    pause(200),
    '<nop><action><exec play_dtmf="1"/></action></nop>',
    receive('BYE'),
    respondInDialog(200, 'OK'),
  ]);
  const { steps, code } = await call(t, site, '--to', '+33 1 00 00 00 01', '--say', 'This is a test');
  assert.deepEqual(steps, [
    'trying +33100000001 by PBX (sip)',
    'the provider has taken it',
    'ringing',
    'answered',
    'key 1',
    'ended: answered',
  ]);
  assert.equal(code, 0);
  const ended = await sipp.ended;
  assert.equal(ended.code, 0, ended.log);
  const { items } = await site.list('/journal?limit=100');
  assert.match(
    JSON.stringify(items.find(({ actor, kind }) => actor === 'cli' && kind === 'call.requested')),
    /33100000001/,
  );
});

test('SIPp: a call that the PBX refuses says in words why, and exits with 1', { skip }, async (t) => {
  const { site } = await siteWithTrunk(t, [respond(403, 'Forbidden'), receive('ACK')]);
  const ana = { name: 'ana', firstName: 'Ana', role: 'operator' };
  await site.create('/users', { ...ana, numbers: [{ channel: 'voice', address: '+33100000002' }] });
  const { steps, code } = await call(t, site, '--to', 'ana', '--say', 'This is a test', '--provider', 'PBX');
  assert.deepEqual(steps, [
    'trying +33100000002 by PBX (sip)',
    'failed: the PBX answered 403: the account may not call this number',
  ]);
  assert.equal(code, 1);
});

test('SIPp: a call in which nothing could be said, or nobody pressed a key, has failed', { skip }, async (t) => {
  const mute = await siteWithTrunk(t, [...takesTheCall, ...hungUpThere]);
  const silent = { ...mute.site.app.environment, TOCSIN_SPEECH_COMMAND: 'no-such-program' };
  const words = ['--to', '+33100000001', '--say', 'This is a test'];
  const unsaid = await callWith(t, silent, ...words);
  assert.match(unsaid.steps.at(-1) ?? '', /^failed: nothing can be said: no-such-program is not installed/);
  assert.equal(unsaid.code, 1);
  const { site } = await siteWithTrunk(t, [...takesTheCall, ...hangsUp]);
  const { steps, code } = await call(t, site, ...words);
  assert.deepEqual([steps.at(-1), code], ['failed: answered, and hung up without a key', 1]);
});

test('a call from the shell says in words that the name of the PBX is not known', async (t) => {
  const site = await startSite(t, 'sqlite');
  const settings = { host: 'pbx.invalid', user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const { steps, code } = await call(t, site, '--to', '+33100000001', '--say', 'x');
  assert.match(
    steps.at(-1) ?? '',
    /^failed: the PBX cannot be reached: the name pbx\.invalid (is not known|cannot be looked up now)$/,
  );
  assert.equal(code, 1);
  await site.expectWhatRings();
});

test('a webhook is tried from the shell, with the server running or not', async (t) => {
  const receiver = await WebhookReceiver.start(t, 200);
  const site = await startSite(t, 'sqlite');
  await site.create('/providers', { name: 'Hooks', ...receiver.provider() });
  const words = ['--to', receiver.url('shell'), '--say', 'This is a test'];
  assert.equal((await call(t, site, ...words)).code, 0);
  await site.app.stop();
  receiver.answer = 404;
  const { steps, code } = await call(t, site, ...words);
  assert.deepEqual([steps.at(-1), code], ['failed: the receiver answered 404: there is nothing at this address', 1]);
  assert.deepEqual(
    receiver.messages.map(({ body }) => body.text),
    ['This is a test', 'This is a test'],
  );
});

test('a call from the shell that nothing can carry says what is missing', async (t) => {
  const site = await startSite(t, 'sqlite');
  const refusal = (...words: readonly string[]) =>
    call(t, site, ...words).then(String, (error: Error) => error.message);
  assert.match(await refusal('--to', '+33100000001', '--say', 'x'), /Phones are only simulated/);
  assert.match(await refusal('--to', '+33100000001'), /--say is missing/);
  assert.match(await refusal('--to', 'nobody', '--say', 'x'), /no user has this name/);
  assert.match(await refusal('--to', '112', '--say', 'x'), /112 is an emergency number/);
  const secrets = { secret: 'at least 16 characters' };
  await site.create('/providers', { name: 'Hooks', channel: 'webhook', kind: 'webhook', secrets });
  assert.match(
    await refusal('--to', '+33100000001', '--say', 'x'),
    /No provider serves \+33100000001.*There are: Hooks/,
  );
  assert.match(await refusal('--to', '+33100000001', '--say', 'x', '--provider', 'X'), /no provider "X"/);
  const { steps } = await call(t, site, '--to', 'https://127.0.0.1/', '--say', 'x');
  assert.deepEqual(
    steps.at(-1),
    'failed: the address is an address of a private network: the provider allows it with allowPrivate',
  );
});
