// Errors on this side: each ends the call, the session or the message that it belongs to, is reported, and never reaches the process.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type IncomingCall, MediaSession, type OutgoingCall, type Receiver } from '../src/index.ts';
import { CallLog } from './harness/call-log.ts';
import { answer, offer } from './harness/descriptions.ts';
import { MemoryNetwork, peerInvite, peerRequest } from './harness/memory-network.ts';
import { plainRequest } from './harness/wire.ts';

const trunk = { host: '192.0.2.9' };

function broken(): never {
  throw new Error('broken');
}

/** A call under way, with the subjects of the faults that were reported. */
async function placed(t: TestContext, prepare: (call: OutgoingCall) => void = () => {}) {
  const network = new MemoryNetwork();
  const faults: string[] = [];
  const agent = await network.agent({ onFault: (_error, subject) => faults.push(subject) });
  t.after(() => network.closeAgent(agent));
  const call = agent.invite({ to: '1', trunk, offer });
  prepare(call);
  const log = new CallLog(call);
  await network.timers.advance(0);
  return { network, agent, call, log, faults };
}

const faultIn = ({ callId }: { callId: string }) => `call ${callId}`;

test('a listener of the answer that fails ends its call: ACK, then BYE', async (t) => {
  const { network, call, log, faults } = await placed(t, (each) => each.on('answered', broken));
  await network.answer('INVITE', 200, { body: answer });
  const methods = network.sent.map(({ message }) => (message.kind === 'request' ? message.method : ''));
  assert.deepEqual(methods, ['INVITE', 'ACK', 'BYE']);
  assert.deepEqual(log.events, [
    ['ended', { by: 'fault', cause: 'fault', wasAnswered: true, reason: 'internal fault' }],
  ]);
  assert.deepEqual(faults, [faultIn(call)]);
});

test('a listener of the ringing that fails cancels its call', async (t) => {
  const { network, call, log, faults } = await placed(t, (each) => each.on('ringing', broken));
  await network.answer('INVITE', 180);
  assert.equal(network.requests('CANCEL').length, 1);
  assert.deepEqual(log.names(), ['ended']);
  assert.deepEqual(faults, [faultIn(call)]);
  await network.answer('INVITE', 200, { body: answer });
  assert.equal(network.requests('BYE').length, 1, 'who answers all the same is hung up on');
});

test('a listener of keys that fails ends its call and leaves another one alone', async (t) => {
  const { network, agent, call, log, faults } = await placed(t, (each) => each.on('digit', broken));
  const invite = network.last('INVITE');
  await network.answer('INVITE', 200, { body: answer });
  const other = agent.invite({ to: '2', trunk, offer });
  const otherLog = new CallLog(other);
  await network.timers.advance(0);
  await network.answer('INVITE', 200, { body: answer });
  const headers = { 'Content-Type': 'application/dtmf-relay' };
  await network.deliver(peerRequest('INFO', invite, 1, { headers, body: 'Signal=1\r\n' }));
  assert.equal(network.last('BYE').callId, call.callId);
  assert.deepEqual(log.names(), ['answered', 'ended']);
  assert.deepEqual(otherLog.names(), ['answered']);
  assert.deepEqual(faults, [faultIn(call)]);
});

test('a listener of the end that fails does not keep the BYE from being sent', async (t) => {
  const { network, call, faults } = await placed(t, (each) => each.on('ended', broken));
  await network.answer('INVITE', 200, { body: answer });
  void call.hangUp();
  await network.timers.advance(0);
  assert.equal(network.requests('BYE').length, 1);
  assert.deepEqual(faults, [faultIn(call)]);
});

test('an ACK that cannot be sent ends the call', async (t) => {
  const { network, call, log, faults } = await placed(t);
  network.hasNoAddress = true;
  await network.answer('INVITE', 200, { body: answer });
  assert.deepEqual(log.names(), ['answered', 'ended']);
  assert.deepEqual(faults, [faultIn(call)]);
});

test('a BYE waits until the ACK of the answer is on its way', async (t) => {
  const { network, call } = await placed(t, (each) => each.on('answered', () => void each.hangUp()));
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const openNow = network.open.bind(network);
  let hasWaited = false;
  network.open = async (destination) => {
    if (!hasWaited) {
      hasWaited = true;
      await opened;
    }
    return openNow(destination);
  };
  await network.answer('INVITE', 200, { body: answer });
  assert.equal(network.requests('BYE').length, 0);
  open();
  await network.timers.advance(0);
  const methods = network.sent.map(({ message }) => (message.kind === 'request' ? message.method : ''));
  assert.deepEqual(methods, ['INVITE', 'ACK', 'BYE']);
  assert.equal(network.last('BYE').callId, call.callId);
});

test('a handler of calls that come in and a listener of theirs cost the one call', async (t) => {
  const network = new MemoryNetwork();
  const faults: string[] = [];
  const calls: IncomingCall[] = [];
  const onInvite = (call: IncomingCall): void => {
    calls.push(call);
    if (calls.length === 1) broken();
    call.on('answered', broken);
    void call.answer(answer);
  };
  const agent = await network.agent({ onInvite, onFault: (_error, subject) => faults.push(subject) });
  t.after(() => network.closeAgent(agent));
  await network.deliver(peerInvite({ callId: 'first' }));
  assert.equal(network.responses(500).length, 1);
  const invite = peerInvite({ callId: 'second' });
  await network.deliver(invite);
  const [response] = network.responses(200);
  assert.ok(response);
  await network.deliver({ ...invite, method: 'ACK', to: response.to, cseq: { number: 1, method: 'ACK' } });
  assert.equal(network.requests('BYE').length, 1);
  assert.deepEqual(faults, ['call first', 'call second']);
});

test('a message that cannot be taken is dropped', async (t) => {
  const network = new MemoryNetwork();
  const faults: string[] = [];
  let receiver: Receiver | undefined;
  const agent = await network.agent({
    network: (each) => {
      receiver = each;
      return network;
    },
    onFault: (_error, subject) => faults.push(subject),
  });
  t.after(() => network.closeAgent(agent));
  const flow = network.flow({ address: '192.0.2.9', port: 5060 });
  const bytes = plainRequest('OPTIONS sip:user@example.com SIP/2.0', {
    Via: 'SIP/2.0/UDP 192.0.2.9;branch=z9hG4bKwithout-rport',
  });
  receiver?.onBytes(bytes, { ...flow, withPort: broken });
  assert.deepEqual(faults, ['message']);
  receiver?.onBytes(bytes, flow);
  await network.timers.advance(0);
  assert.equal(network.responses(480).length, 1, 'the next one is taken');
});

test('a listener of a registration that fails costs one attempt', async (t) => {
  const network = new MemoryNetwork();
  const faults: string[] = [];
  const agent = await network.agent({ onFault: (_error, subject) => faults.push(subject) });
  t.after(() => network.closeAgent(agent));
  const registration = agent.register({ trunk, credentials: { username: 'desk', password: 's3cret' } });
  registration.once('registered', broken);
  await network.timers.advance(0);
  await network.answer('REGISTER', 200);
  assert.deepEqual(faults, ['registration of desk']);
  await network.timers.advance(60_000);
  assert.equal(network.requests('REGISTER').length, 2);
});

test('an error in the sound of a call closes its session, says so, and leaves others alone', async (t) => {
  const sessions = await Promise.all(
    ['one', 'two', 'three', 'four'].map(() => MediaSession.open({ address: '127.0.0.1' })),
  );
  t.after(() => {
    for (const session of sessions) session.close();
  });
  const [caller, called, otherCaller, otherCalled] = sessions as [
    MediaSession,
    MediaSession,
    MediaSession,
    MediaSession,
  ];
  caller.accept(called.answer(caller.offer()));
  otherCaller.accept(otherCalled.answer(otherCaller.offer()));
  called.on('level', broken);
  const playing = called.play(new Int16Array(80_000));
  const [error] = await once(called, 'failed');
  assert.equal(error.message, 'broken');
  assert.equal(await playing, 'interrupted', 'the session is closed');
  assert.equal(await otherCaller.play(new Int16Array(1_600)), 'ended');
});
