// A call that is given up: when CANCEL may be sent, and peers that answer late or never.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallLog } from './harness/call-log.ts';
import { answer, offer } from './harness/descriptions.ts';
import { MemoryNetwork } from './harness/memory-network.ts';

const trunk = { host: '192.0.2.9' };

async function placed() {
  const network = new MemoryNetwork();
  const agent = await network.agent();
  const call = agent.invite({ to: '1', trunk, offer });
  const log = new CallLog(call);
  await network.timers.advance(0);
  return { network, agent, call, log };
}

describe('a call that is given up', () => {
  it('sends CANCEL only after the peer has said something', async () => {
    const { network, agent, call, log } = await placed();
    const hangingUp = call.hangUp({ text: 'no longer needed' });
    await network.timers.advance(100);
    assert.equal(network.requests('CANCEL').length, 0);
    await network.answer('INVITE', 180);
    assert.equal(network.last('CANCEL').headers.get('Reason'), 'SIP;cause=487;text="no longer needed"');
    assert.deepEqual(log.events, []);
    await network.answer('INVITE', 487);
    assert.deepEqual(log.events, [
      ['ended', { by: 'local', cause: 'cancelled', wasAnswered: false, reason: 'no longer needed', status: 487 }],
    ]);
    await hangingUp;
    await network.closeAgent(agent);
  });

  it('sends nothing when the way was not open yet', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const abort = new AbortController();
    abort.abort('too late');
    const log = new CallLog(agent.invite({ to: '1', trunk, offer, signal: abort.signal }));
    await network.timers.advance(0);
    assert.deepEqual(network.sent, []);
    assert.deepEqual(log.events, [
      ['ended', { by: 'local', cause: 'cancelled', wasAnswered: false, reason: 'too late' }],
    ]);
    await network.closeAgent(agent);
  });

  it('ends after 32 s when the peer does not confirm the CANCEL', async () => {
    const { network, agent, call, log } = await placed();
    await network.answer('INVITE', 180);
    void call.hangUp();
    await network.timers.advance(31_999);
    assert.deepEqual(log.names(), ['ringing']);
    await network.timers.advance(1);
    assert.deepEqual(log.names(), ['ringing', 'ended']);
    await network.closeAgent(agent);
  });

  it('is forgotten when its CANCEL is never answered', async () => {
    const { network, agent, call } = await placed();
    await network.answer('INVITE', 180);
    void call.hangUp();
    await network.timers.advance(32_000);
    await network.timers.advance(32_000);
    await network.answer('INVITE', 200, { body: answer });
    assert.equal(network.requests('ACK').length, 0, 'nothing waits for an answer any more');
    await network.closeAgent(agent);
  });

  it('is not left open when a peer wakes up that said nothing for 10 s: ringing is cancelled', async () => {
    const { network, agent, log } = await placed();
    await network.timers.advance(10_000);
    assert.deepEqual(log.events, [
      ['ended', { by: 'timeout', cause: 'no-response', wasAnswered: false, reason: 'no response' }],
    ]);
    await network.answer('INVITE', 180);
    assert.equal(network.requests('CANCEL').length, 1);
    assert.equal(log.events.length, 1);
    await network.closeAgent(agent);
  });

  it('is not left open when such a peer answers: it is acknowledged and hung up', async () => {
    const { network, agent, log } = await placed();
    await network.timers.advance(10_000);
    await network.answer('INVITE', 200, { body: answer });
    assert.equal(network.requests('ACK').length, 1);
    assert.equal(network.requests('BYE').length, 1);
    assert.deepEqual(log.names(), ['ended']);
    await network.closeAgent(agent);
  });

  it('ends within two seconds when the peer has not rung in time, and does not wait for 32 s', async () => {
    const { network, agent, log } = await placed();
    await network.answer('INVITE', 100);
    await network.timers.advance(29_999);
    assert.equal(network.requests('CANCEL').length, 0);
    await network.timers.advance(1);
    assert.equal(network.requests('CANCEL').length, 1);
    await network.timers.advance(2_000);
    assert.deepEqual(log.events.at(-1), [
      'ended',
      { by: 'timeout', cause: 'unanswered', wasAnswered: false, progress: 'trying', reason: 'not answered in time' },
    ]);
    await network.answer('INVITE', 200, { body: answer });
    assert.equal(network.requests('BYE').length, 1, 'who answers after that is hung up on');
    await network.closeAgent(agent);
  });

  it('is answered all the same when somebody picks up before the CANCEL is confirmed', async () => {
    const { network, agent, log } = await placed();
    await network.answer('INVITE', 180);
    await network.timers.advance(45_000);
    assert.equal(network.requests('CANCEL').length, 1);
    await network.answer('INVITE', 200, { body: answer });
    await network.timers.advance(10_000);
    assert.deepEqual(log.names(), ['ringing', 'answered']);
    await network.closeAgent(agent);
  });

  it('rings for as long as it may, counted from the first ring', async () => {
    const { network, agent } = await placed();
    await network.answer('INVITE', 100);
    await network.timers.advance(20_000);
    await network.answer('INVITE', 180);
    await network.timers.advance(44_999);
    assert.equal(network.requests('CANCEL').length, 0);
    await network.timers.advance(1);
    assert.equal(network.requests('CANCEL').length, 1);
    await network.closeAgent(agent);
  });

  it('is a transport failure when there is no way to the trunk', async () => {
    const network = new MemoryNetwork();
    network.isDown = true;
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk, offer }));
    await network.timers.advance(0);
    assert.deepEqual(log.events, [
      ['ended', { by: 'transport', cause: 'transport', wasAnswered: false, reason: 'connection refused' }],
    ]);
    await network.closeAgent(agent);
  });
});
