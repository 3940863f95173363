// Telephone calls have a thread of their own: a fault in it ends or delays its calls alone, and the server goes on.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { missing } from '../../../packages/sip/test/harness/programs.ts';
import type { Conversations } from '../../../src/channels/voice/conversations.ts';
import { type StartVoiceWorker, VoiceThread } from '../../../src/channels/voice/thread/voice-thread.ts';
import type { CallMessage, Delivery, Progress } from '../../../src/domain/calls/delivery.ts';
import type { Provider } from '../../../src/domain/channels/provider.ts';
import { faultyVoiceThread, ownVoiceThread } from '../../harness/server/built-server.ts';
import { startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { RingInCaller } from '../../harness/telephone/ring-in-caller.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { endingNumber, haltingNumber } from '../../harness/telephone/telephone-faults.ts';
import { until } from '../../harness/until.ts';

const skip = missing('espeak-ng', 'espeak-ng');
const healthyNumber = '+33100000001';
const fault = {
  kind: 'failed',
  retry: 'later',
  outcome: 'failed',
  failure: 'cut-off',
  reason: '{"code":"internal-fault"}',
};

function providerAt(peer: SipPeer, listenPort?: number): Provider {
  const ringIn = listenPort === undefined ? {} : { ringIn: true, listenPort };
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin', ...ringIn };
  return { id: 1, settings } as Partial<Provider> as Provider;
}

type ThreadOptions = {
  readonly speak?: readonly string[];
  readonly listenPort?: number;
  /** Long where the thread does not stand still: on a busy machine it may not answer at once. */
  readonly askEveryMs?: number;
  readonly ports?: Partial<Conversations>;
};

async function threadWith(t: TestContext, startWorker: StartVoiceWorker, options: ThreadOptions = {}) {
  const { speak = ['espeak-ng', '--stdout'], listenPort, askEveryMs = 5_000, ports = {} } = options;
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const faults: unknown[] = [];
  const thread = new VoiceThread({
    startWorker,
    data: {
      speech: { command: speak, voices: new Map([['en', 'en']]), cacheDir: '' },
      decoder: [],
    },
    conversations: { begin: async () => undefined, onNews: () => () => {}, ...ports } as Conversations,
    recordings: { find: async () => undefined },
    askEveryMs,
    onEnded: (error) => faults.push(error),
    onTrouble: (error) => assert.fail(String(error)),
  });
  const provider = thread.open(providerAt(peer, listenPort), {});
  t.after(() => provider.close());
  const call = (
    attemptId: number,
    address: string,
    report: (progress: Progress) => void = () => {},
  ): Promise<Delivery> => provider.deliver({ attemptId, address } as CallMessage, report, new AbortController().signal);
  return { peer, thread, provider, faults, call };
}

for (const [what, number, reason, askEveryMs] of [
  ['that throws', endingNumber, /a fault that was planted/, 5_000],
  ['that stands still', haltingNumber, /it does not answer/, 500],
] as const)
  test(`a thread of telephone calls ${what} ends with its calls, whose telephones are released, and the next call is made`, {
    skip,
  }, async (t) => {
    const { peer, faults, call } = await threadWith(t, faultyVoiceThread, { askEveryMs });
    const rings = Promise.withResolvers<void>();
    const other = call(1, healthyNumber, ({ kind }) => kind === 'ringing' && rings.resolve());
    await Promise.race([
      rings.promise,
      other.then((end) => assert.fail(`ended before it rang: ${JSON.stringify(end)}`)),
    ]);
    assert.deepEqual(await call(2, number), fault);
    assert.deepEqual(await other, fault);
    assert.match(String(faults[0]), reason);
    assert.deepEqual(peer.methodsOf(healthyNumber).slice(0, 2), ['INVITE', 'CANCEL'], 'nobody goes on ringing');
    const again = Promise.withResolvers<void>();
    const next = call(3, '+33100000002', ({ kind }) => kind === 'ringing' && again.resolve());
    await again.promise;
    peer.rejectAll();
    assert.equal(((await next) as { outcome?: string }).outcome, 'busy');
    assert.equal(faults.length, 1);
  });

test('programs that speak end with the thread that has started them', {
  skip: skip || (process.platform !== 'linux' && 'looks at /proc'),
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-speaks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [program, file] = [join(folder, 'speak'), join(folder, 'pid')];
  writeFileSync(program, `#!/bin/sh\necho $$ > ${file}.new\nmv ${file}.new ${file}\nexec sleep 1000\n`, {
    mode: 0o755,
  });
  const { call } = await threadWith(t, faultyVoiceThread, { speak: [program] });
  const speaking = call(1, healthyNumber);
  await until(() => existsSync(file), Boolean);
  assert.deepEqual(await call(2, endingNumber), fault);
  assert.deepEqual(await speaking, fault);
  const [first] = readFileSync(file, 'utf8').split('\n');
  // One that has ended is nobody's child any more and may be kept as a name alone.
  const state = (): string => {
    if (!existsSync(`/proc/${first}/stat`)) return 'gone';
    return readFileSync(`/proc/${first}/stat`, 'utf8').split(' ')[2] ?? '';
  };
  await until(state, (now) => now === 'gone' || now === 'Z');
});

test('the call of somebody who rings in ends with the thread that leads it', { skip }, async (t) => {
  const ended: number[] = [];
  const begun = Promise.withResolvers<void>();
  const ports: Partial<Conversations> = {
    beginRingIn: async () => 77,
    answered: () => {
      begun.resolve();
      return new Promise(() => {});
    },
    ended: async (id) => {
      ended.push(id);
      return { isHuman: false, hasHeard: false, isLockedOut: false };
    },
  };
  const listenPort = await freePort();
  const { call } = await threadWith(t, faultyVoiceThread, { listenPort, ports });
  const caller = await RingInCaller.start(t, listenPort);
  const ringing = setInterval(() => caller.invite('in'), 50);
  t.after(() => clearInterval(ringing));
  await caller.statusOf('in', 200);
  clearInterval(ringing);
  caller.confirm('in');
  await begun.promise;
  assert.deepEqual(await call(2, endingNumber), fault);
  await until(
    () => ended,
    (ids) => ids.includes(77),
  );
});

testOnStores(
  'a fault in the thread of telephone calls is an alarm, and the next person is called',
  async (t, kind) => {
    const peer = await SipPeer.start(t, { kind: 'ring' });
    const site = await startSite(t, kind, { startVoiceWorker: faultyVoiceThread, expectErrors: true });
    const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
    await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
    const ana = await site.person('ana', { numbers: [voice(endingNumber, { countTry: 1 })] });
    const ben = await site.person('ben', { numbers: [voice(healthyNumber)] });
    const group = await site.group('Pumps', [await site.team('Night', [ana, ben])], { callMode: 'turn' });
    const alarm = await site.alarms.raise(group, { priority: 1 });
    await until(
      () => peer.dialled,
      (dialled) => dialled.includes(healthyNumber),
    );
    const { items } = await site.list(`/call/histories?alarmId=${alarm}`);
    const [first] = items.filter(({ user }) => user === 'ana');
    assert.equal(first?.outcome, 'failed');
    const [own] = await until(
      () => site.alarms.fromTocsin(),
      (found) => found.some(({ path }) => String(path).startsWith('system/telephony-ended/')),
    );
    await site.alarms.acknowledge(Number(own?.id));
    await site.alarms.acknowledge(alarm);
    await until(
      () => peer.methodsOf(healthyNumber),
      (methods) => methods.includes('CANCEL'),
    );
    // The administrator is called for the fault, too.
    await site.expectWhatRings();
  },
  { skip },
);

test('the thread of telephone calls starts with the first provider and ends with the last one', { skip }, async (t) => {
  const exits: Promise<unknown>[] = [];
  const { peer, thread, provider, call } = await threadWith(t, (data) => {
    const worker = ownVoiceThread(data);
    exits.push(new Promise<void>((resolve) => worker.once('exit', resolve)));
    return worker;
  });
  const second = thread.open(providerAt(peer), {});
  const rings = Promise.withResolvers<void>();
  const called = call(1, healthyNumber, ({ kind }) => kind === 'ringing' && rings.resolve());
  await rings.promise;
  await second.close();
  peer.rejectAll();
  assert.deepEqual(((await called) as { outcome?: string }).outcome, 'busy');
  await provider.close();
  assert.equal(exits.length, 1);
  await exits[0];
});
