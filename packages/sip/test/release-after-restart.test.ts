// A process that dies in a call leaves its far end open; the next one releases it from what was saved.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SavedCall } from '../src/index.ts';
import { answer, offer } from './harness/descriptions.ts';
import { MemoryNetwork } from './harness/memory-network.ts';

const trunk = { host: '192.0.2.9' };

/** The call of a process that dies, as JSON carries it to the next one. */
async function savedCall(isAnswered: boolean) {
  const network = new MemoryNetwork();
  const agent = await network.agent();
  const call = agent.invite({ to: '1', trunk, offer, credentials: { username: 'ana', password: 's3cret' } });
  await network.timers.advance(0);
  assert.equal(call.save()?.kind, 'invite');
  await network.answer('INVITE', 180);
  const headers = { 'Record-Route': '<sip:p.example;lr>', Contact: '<sip:desk@10.0.0.9>' };
  if (isAnswered) await network.answer('INVITE', 200, { body: answer, headers });
  const text = JSON.stringify(call.save());
  assert.doesNotMatch(text, /s3cret/);
  return { saved: JSON.parse(text) as SavedCall, invite: network.last('INVITE') };
}

async function releasing(saved: SavedCall) {
  const network = new MemoryNetwork();
  const agent = await network.agent();
  const released = agent.releaseCall(saved, { trunk, reason: { text: 'restarted' } });
  await network.timers.advance(0);
  return { network, agent, released };
}

describe('a restarted process', () => {
  it('hangs up a call that was answered, in its dialog', async () => {
    const { saved, invite } = await savedCall(true);
    const { network, agent, released } = await releasing(saved);
    const bye = network.last('BYE');
    assert.equal(bye.callId, invite.callId);
    assert.equal(bye.from.parameters.get('tag'), invite.from.parameters.get('tag'));
    assert.equal(bye.to.parameters.get('tag'), 'peer');
    assert.equal(bye.uri, 'sip:desk@10.0.0.9');
    assert.deepEqual(bye.headers.getAll('Route'), ['<sip:p.example;lr>']);
    assert.ok(bye.cseq.number > 1_000);
    await network.answer('BYE', 200);
    assert.equal(await released, 'released');
    await network.closeAgent(agent);
  });

  it('learns that the peer had ended the call before', async () => {
    const { network, agent, released } = await releasing((await savedCall(true)).saved);
    await network.answer('BYE', 481);
    assert.equal(await released, 'gone');
    await network.closeAgent(agent);
  });

  it('cancels a call that still rings, and acknowledges its end', async () => {
    const { saved, invite } = await savedCall(false);
    const { network, agent, released } = await releasing(saved);
    const cancel = network.last('CANCEL');
    assert.deepEqual(cancel.vias[0], invite.vias[0]);
    assert.equal(cancel.cseq.number, invite.cseq.number);
    await network.answer('CANCEL', 200);
    await network.answer('INVITE', 487, { to: invite });
    assert.equal(await released, 'released');
    assert.equal(network.requests('ACK').length, 1);
    await network.closeAgent(agent);
  });

  it('hangs up when the call was answered while nobody was there', async () => {
    const { saved, invite } = await savedCall(false);
    const { network, agent, released } = await releasing(saved);
    await network.answer('INVITE', 200, { to: invite, body: answer });
    assert.equal(network.requests('ACK').length, 1);
    await network.answer('BYE', 200);
    assert.equal(await released, 'released');
    await network.closeAgent(agent);
  });

  it('says so when the peer is silent, or what was saved is damaged', async () => {
    const { saved } = await savedCall(true);
    const { network, agent, released } = await releasing(saved);
    await network.timers.advance(32_000);
    assert.equal(await released, 'unknown');
    const damaged = {
      kind: 'dialog',
      dialog: { ...('dialog' in saved && saved.dialog), local: 'x\r\ny' },
    } as SavedCall;
    assert.equal(await agent.releaseCall(damaged, { trunk }), 'unknown');
    await network.closeAgent(agent);
  });
});
