// `tocsin doctor` checks every provider as its test button does, and says what is wrong in the words of an administrator.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { missing } from '../../../packages/sip/test/harness/programs.ts';
import { removeSecrets } from '../../harness/channels/webhook-receiver.ts';
import { runHere } from '../../harness/server/run-command.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';

/** Runs doctor beside the server; returns its lines about providers and speech, and whether it found no problem. */
async function examine(t: TestContext, site: Site, settings: Readonly<Record<string, string>> = {}) {
  try {
    const { out } = await runHere(t, { ...site.app.environment, ...settings }, 'doctor');
    const lines = out
      .split('\n')
      .filter((line) => /provider|speak|silent|simulated/i.test(line) && !line.includes('='));
    return { lines, isWell: process.exitCode !== 1 };
  } finally {
    process.exitCode = undefined;
  }
}

const trunkTo = (name: string, port: number, more: object = {}) => ({
  name,
  channel: 'voice',
  kind: 'sip',
  settings: { host: '127.0.0.1', port, user: 'tocsin' },
  ...more,
});
const hooks = { name: 'Hooks', channel: 'webhook', kind: 'webhook' };
const secret = 'a secret of the receiver';

test('doctor says which provider works and which does not, and why', {
  skip: missing('espeak-ng', 'espeak-ng'),
}, async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, 'sqlite');
  await site.create('/providers', trunkTo('PBX', peer.port));
  await site.create('/providers', trunkTo('Spare', peer.port, { enabled: false }));
  await site.create('/providers', trunkTo('North', peer.port, { node: 'another-node' }));
  await site.create('/providers', { ...hooks, secrets: { secret } });
  const folder = site.app.environment.TOCSIN_DATA_DIR ?? '';
  const before = readdirSync(folder).toSorted();
  const well = await examine(t, site);
  assert.deepEqual(well.lines, [
    'ok       espeak-ng speaks (en, fr, de).',
    'ok       The provider "PBX" (sip) can be used.',
    'ok       The provider "Spare" (sip) is switched off.',
    'ok       The provider "North" (sip) is used on the node another-node alone: check it there.',
    'ok       The provider "Hooks" (webhook) can be used.',
  ]);
  assert.equal(well.isWell, true);
  assert.deepEqual(readdirSync(folder).toSorted(), before, 'doctor leaves nothing behind');
  await site.create('/providers', trunkTo('Dead', await freePort()));
  const unsigned = await site.create('/providers', { ...hooks, name: 'Unsigned', secrets: { secret } });
  await removeSecrets(site.app, unsigned);
  const { lines, isWell } = await examine(t, site, { TOCSIN_SPEECH_COMMAND: 'no-such-program' });
  const found = lines.join('\n');
  assert.equal(isWell, false);
  assert.match(found, /^problem {2}Telephone calls would be silent: no-such-program is not installed/m);
  assert.match(found, /^problem {2}The provider "PBX" \(sip\) cannot be used: no-such-program is not installed/m);
  assert.match(
    found,
    /^problem {2}The provider "Unsigned" \(webhook\) cannot be used: the secret "secret" is missing/m,
  );
  const reached = (await examine(t, site)).lines.join('\n');
  assert.match(reached, /^problem {2}The provider "Dead" \(sip\) cannot be used: the PBX cannot be reached/m);
});

test('doctor tries the account of a trunk that is registered, as the test button does', {
  skip: missing('espeak-ng', 'espeak-ng'),
}, async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  peer.refusesAccounts = true;
  const site = await startSite(t, 'sqlite');
  const settings = { host: '127.0.0.1', port: peer.port, user: '700', register: true };
  const id = await site.create('/providers', { ...trunkTo('PBX', 0), settings, secrets: { password: 'wrong' } });
  const reason = 'the PBX does not register the account 700: 401 "Unauthorized"';
  assert.deepEqual(await site.ask('POST', `/providers/${id}/test`), { ok: false, reason });
  const { lines, isWell } = await examine(t, site);
  assert.ok(lines.includes(`problem  The provider "PBX" (sip) cannot be used: ${reason}.`), lines.join('\n'));
  assert.equal(isWell, false);
  await site.expectWhatRings();
});

testOnStores('doctor names the secrets to enter again when their key is not here', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/providers', { ...hooks, secrets: { secret, oldSecret: secret } });
  const { lines, isWell } = await examine(t, site, { TOCSIN_SECRETS_KEY: 'another key' });
  assert.equal(isWell, false);
  assert.match(
    lines.join('\n'),
    /"Hooks" \(webhook\) has secrets that cannot be read: enter "secret", "oldSecret" again/,
  );
  assert.doesNotMatch(lines.join('\n'), new RegExp(secret));
});
