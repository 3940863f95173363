// The timers of RFC 3261 on a clock that tests advance: what is repeated, when, and when it is given up.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChallenge } from '../src/auth/challenge.ts';
import type { IncomingCall } from '../src/index.ts';
import { HeaderFields } from '../src/message/header-fields.ts';
import { noBody } from '../src/message/message.ts';
import { CallLog } from './harness/call-log.ts';
import { answer, offer } from './harness/descriptions.ts';
import { MemoryNetwork, peerInvite } from './harness/memory-network.ts';

const trunk = { host: '192.0.2.9' };
const patient = { responseTimeoutMs: 60_000, progressTimeoutMs: 120_000, ringTimeoutMs: 120_000 };

describe('an INVITE', () => {
  it('is repeated over UDP with pauses that double, and given up after 32 s', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk, offer, ...patient }));
    await network.timers.advance(31_999);
    assert.deepEqual(network.timesOf('INVITE'), [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
    assert.deepEqual(log.events, []);
    await network.timers.advance(1);
    assert.deepEqual(log.events, [
      ['ended', { by: 'timeout', cause: 'no-response', wasAnswered: false, reason: 'no response' }],
    ]);
    assert.equal(network.timers.pending, 0);
    await network.closeAgent(agent);
  });

  it('is sent once over TCP', async () => {
    const network = new MemoryNetwork('tcp');
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk: { ...trunk, protocol: 'tcp' }, offer, ...patient }));
    await network.timers.advance(32_000);
    assert.deepEqual(network.timesOf('INVITE'), [0]);
    assert.deepEqual(log.names(), ['ended']);
    await network.closeAgent(agent);
  });

  it('is not repeated after a provisional answer, however long it rings', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk, offer, ...patient }));
    await network.timers.advance(600);
    await network.answer('INVITE', 100);
    await network.timers.advance(100_000);
    assert.deepEqual(network.timesOf('INVITE'), [0, 500]);
    assert.deepEqual(log.events, []);
    await network.closeAgent(agent);
  });

  it('with credentials has its whole time for an answer, however late the first one was challenged', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const credentials = { username: 'a', password: 'b' };
    const log = new CallLog(agent.invite({ to: '1', trunk, offer, credentials }));
    await network.timers.advance(9_900);
    await network.answer('INVITE', 407, { headers: { 'Proxy-Authenticate': 'Digest realm="r", nonce="n"' } });
    await network.timers.advance(9_000);
    assert.deepEqual(log.events, []);
    await network.answer('INVITE', 180);
    assert.deepEqual(log.names(), ['ringing']);
    await network.closeAgent(agent);
  });

  it('that is refused has each repetition of the refusal acknowledged', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk, offer }));
    await network.timers.advance(0);
    await network.answer('INVITE', 486);
    await network.answer('INVITE', 486);
    const [first, second] = network.requests('ACK');
    const invite = network.last('INVITE');
    assert.equal(first?.vias[0]?.parameters.get('branch'), invite.vias[0]?.parameters.get('branch'));
    assert.equal(first?.to.parameters.get('tag'), 'peer');
    assert.ok(second !== undefined);
    assert.deepEqual(log.names(), ['ended']);
    await network.timers.advance(32_000);
    await network.answer('INVITE', 486);
    assert.equal(network.requests('ACK').length, 2);
    await network.closeAgent(agent);
  });

  it('that is answered has each repetition of the answer acknowledged, with the same bytes', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk, offer }));
    await network.timers.advance(0);
    await network.answer('INVITE', 200, { body: answer });
    await network.answer('INVITE', 200, { body: answer });
    const acks = network.sent.filter(({ message }) => message.kind === 'request' && message.method === 'ACK');
    assert.equal(acks.length, 2);
    assert.deepEqual(acks[0]?.bytes, acks[1]?.bytes);
    assert.notEqual(
      network.last('ACK').vias[0]?.parameters.get('branch'),
      network.last('INVITE').vias[0]?.parameters.get('branch'),
    );
    assert.deepEqual(log.names(), ['answered']);
    await network.closeAgent(agent);
  });

  it('that two callees answer is kept by the first; the second is acknowledged and hung up', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk, offer }));
    await network.timers.advance(0);
    await network.answer('INVITE', 200, { body: answer, tag: 'first' });
    await network.answer('INVITE', 200, { body: answer, tag: 'second' });
    assert.deepEqual(
      network.requests('ACK').map(({ to }) => to.parameters.get('tag')),
      ['first', 'second'],
    );
    assert.deepEqual(
      network.requests('BYE').map(({ to }) => to.parameters.get('tag')),
      ['second'],
    );
    assert.deepEqual(log.names(), ['answered']);
    await network.closeAgent(agent);
  });
});

describe('another request', () => {
  it('is repeated with pauses of at most 4 s, and given up after 32 s', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const supervision = agent.supervise({ trunk, timeoutMs: 60_000, intervalMs: 1e9 });
    await network.timers.advance(32_000);
    assert.deepEqual(
      network.timesOf('OPTIONS'),
      [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500],
    );
    assert.deepEqual(supervision.health, { isAlive: false, reason: 'no response' });
    await network.closeAgent(agent);
  });

  it('is repeated every 4 s after a provisional answer', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    agent.supervise({ trunk, timeoutMs: 60_000, intervalMs: 1e9 });
    await network.timers.advance(100);
    await network.answer('OPTIONS', 100);
    await network.timers.advance(9_000);
    assert.deepEqual(network.timesOf('OPTIONS'), [0, 4_100, 8_100]);
    await network.closeAgent(agent);
  });
});

describe('a call that arrives', () => {
  async function arrival() {
    const network = new MemoryNetwork();
    const calls: IncomingCall[] = [];
    const agent = await network.agent({ onInvite: (call) => calls.push(call) });
    const invite = peerInvite();
    await network.deliver(invite);
    const [call] = calls;
    assert.ok(call !== undefined);
    return { network, agent, invite, call, calls, log: new CallLog(call as never) };
  }

  it('has its refusal repeated until the ACK', async () => {
    const { network, agent, invite, call } = await arrival();
    call.reject(486);
    await network.timers.advance(3_600);
    assert.deepEqual(network.timesOf(486), [0, 500, 1_500, 3_500]);
    const cseq = { number: 1, method: 'ACK' };
    await network.deliver({ ...invite, method: 'ACK', cseq, headers: new HeaderFields(), body: noBody });
    await network.timers.advance(30_000);
    assert.equal(network.responses(486).length, 4);
    await network.closeAgent(agent);
  });

  it('is one call although its INVITE is repeated', async () => {
    const { network, agent, invite, call, calls } = await arrival();
    await call.ring();
    await network.deliver(invite);
    await network.deliver(invite);
    assert.equal(calls.length, 1);
    assert.equal(network.responses(180).length, 3);
    await network.closeAgent(agent);
  });

  it('has its answer repeated until the ACK', async () => {
    const { network, agent, invite, call, log } = await arrival();
    await call.answer(answer);
    await network.timers.advance(600);
    assert.deepEqual(network.timesOf(200), [0, 500]);
    const tag = network.responses(200)[0]?.to.parameters.get('tag');
    const to = { ...invite.to, parameters: new Map([['tag', tag]]) };
    const cseq = { number: 1, method: 'ACK' };
    await network.deliver({
      ...invite,
      vias: peerInvite().vias,
      method: 'ACK',
      cseq,
      to,
      headers: new HeaderFields(),
      body: noBody,
    });
    await network.timers.advance(40_000);
    assert.equal(network.responses(200).length, 2);
    assert.deepEqual(log.names(), ['answered']);
    await network.closeAgent(agent);
  });

  it('is hung up when no ACK comes', async () => {
    const { network, agent, call, log } = await arrival();
    await call.answer(answer);
    await network.timers.advance(32_000);
    assert.equal(network.requests('BYE').length, 1);
    assert.deepEqual(log.events, [
      ['ended', { by: 'timeout', cause: 'no-response', wasAnswered: true, reason: 'no ACK came' }],
    ]);
    await network.closeAgent(agent);
  });

  it('that is cancelled while its caller is asked who it is does not ring', async () => {
    const network = new MemoryNetwork();
    const asked = Promise.withResolvers<string | undefined>();
    const agent = await network.agent({
      authentication: { realm: 'r', passwordOf: () => asked.promise },
      onInvite: () => assert.fail('it rings'),
    });
    await network.deliver(peerInvite());
    const nonce = parseChallenge(network.responses(401)[0]?.headers.get('WWW-Authenticate') ?? '')?.nonce;
    const values = `username="a", realm="r", nonce="${nonce}", uri="sip:x", response="0", cnonce="c", nc=00000001`;
    const headers = HeaderFields.of({ Authorization: `Digest ${values}, qop=auth, algorithm=SHA-256` });
    const invite = peerInvite({ headers, body: noBody, callId: 'second' });
    await network.deliver(invite);
    await network.deliver({ ...invite, method: 'CANCEL', cseq: { number: 1, method: 'CANCEL' } });
    assert.equal(network.responses(487).length, 1);
    asked.resolve('s3cret');
    await network.timers.advance(0);
    assert.equal(network.responses(401).length, 1);
    await network.closeAgent(agent);
  });

  it('is refused with 500 when its handler fails', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent({
      onInvite: () => {
        throw new Error('a mistake');
      },
    });
    await network.deliver(peerInvite());
    assert.equal(network.responses(500).length, 1);
    await network.closeAgent(agent);
  });

  it('that is cancelled is refused with 487', async () => {
    const { network, agent, invite, log } = await arrival();
    const headers = HeaderFields.of({ Reason: 'SIP;cause=200;text="Call completed elsewhere"' });
    await network.deliver({
      ...invite,
      method: 'CANCEL',
      cseq: { number: 1, method: 'CANCEL' },
      headers,
      body: noBody,
    });
    assert.equal(network.responses(200)[0]?.cseq.method, 'CANCEL');
    assert.equal(network.responses(487)[0]?.cseq.method, 'INVITE');
    assert.deepEqual(log.events, [
      [
        'ended',
        { by: 'remote', cause: 'cancelled', wasAnswered: false, status: 487, reason: 'Call completed elsewhere' },
      ],
    ]);
    await network.closeAgent(agent);
  });
});
