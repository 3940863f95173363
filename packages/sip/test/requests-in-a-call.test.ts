// Requests in and around a dialog: where they go, in which order they count, and what is refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HeaderFields } from '../src/message/header-fields.ts';
import { noBody, type SipRequest } from '../src/message/message.ts';
import { CallLog } from './harness/call-log.ts';
import { answer, offer } from './harness/descriptions.ts';
import { MemoryNetwork, peerInvite, peerRequest, viaOfPeer } from './harness/memory-network.ts';

const trunk = { host: '192.0.2.9' };

async function answeredCall(headers: Readonly<Record<string, string>> = {}) {
  const network = new MemoryNetwork();
  const agent = await network.agent();
  const call = agent.invite({ to: '1', from: '2000', trunk, offer });
  const log = new CallLog(call);
  await network.timers.advance(0);
  await network.answer('INVITE', 200, { body: answer, headers });
  return { network, agent, call, log, invite: network.last('INVITE') };
}

describe('requests of a call', () => {
  it('follow the route set, the last recorded first, to the address of the peer', async () => {
    const routes = '<sip:p2.example;lr>, <sip:p1.example;lr>';
    const { network, agent, call } = await answeredCall({
      'Record-Route': routes,
      Contact: '<sip:desk@10.0.0.9:5070>',
    });
    void call.hangUp();
    await network.timers.advance(0);
    const bye = network.last('BYE');
    assert.equal(bye.uri, 'sip:desk@10.0.0.9:5070');
    assert.deepEqual(bye.headers.getAll('Route'), ['<sip:p1.example;lr>', '<sip:p2.example;lr>']);
    assert.deepEqual(network.last('ACK').headers.getAll('Route'), ['<sip:p1.example;lr>', '<sip:p2.example;lr>']);
    assert.equal(bye.cseq.number, 2);
    await network.closeAgent(agent);
  });

  it('go to a strict router as its own address', async () => {
    const { network, agent, call } = await answeredCall({
      'Record-Route': '<sip:old.example>',
      Contact: '<sip:desk@10.0.0.9>',
    });
    void call.hangUp();
    await network.timers.advance(0);
    assert.equal(network.last('BYE').uri, 'sip:old.example');
    assert.deepEqual(network.last('BYE').headers.getAll('Route'), ['<sip:desk@10.0.0.9>']);
    await network.closeAgent(agent);
  });

  it('go to the new address after a re-INVITE of the peer', async () => {
    const { network, agent, call, invite } = await answeredCall();
    const headers = { Contact: '<sip:moved@192.0.2.77>', 'Content-Type': 'application/sdp' };
    await network.deliver(peerRequest('INVITE', invite, 1, { headers, body: answer }));
    assert.equal(network.responses(200).at(-1)?.body.toString(), offer);
    await network.deliver(peerRequest('ACK', invite, 1));
    void call.hangUp();
    await network.timers.advance(0);
    assert.equal(network.last('BYE').uri, 'sip:moved@192.0.2.77');
    await network.closeAgent(agent);
  });

  it('that ask for an offer bring the answer to it with their ACK', async () => {
    const { network, agent, call, invite } = await answeredCall();
    const taken: (string | undefined)[] = [];
    call.on('renegotiated', ({ description }) => void taken.push(description));
    await network.deliver(peerRequest('INVITE', invite, 1));
    assert.equal(network.responses(200).at(-1)?.body.toString(), offer);
    const moved = answer.replace(/m=audio \d+/, 'm=audio 40404');
    await network.deliver(
      peerRequest('ACK', invite, 1, { headers: { 'Content-Type': 'application/sdp' }, body: moved }),
    );
    assert.deepEqual(taken, [moved]);
    await network.deliver(
      peerRequest('INVITE', invite, 2, { headers: { 'Content-Type': 'application/sdp' }, body: answer }),
    );
    await network.deliver(peerRequest('ACK', invite, 2));
    assert.equal(taken.length, 1, 'an offer of the peer was answered by us');
    await network.closeAgent(agent);
  });

  it('go to where the call went, when the address in its answer cannot be used', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const call = agent.invite({ to: '1', from: '2000', trunk: { ...trunk, port: 5070, domain: 'pbx.example' }, offer });
    await network.timers.advance(0);
    await network.answer('INVITE', 200, { body: answer, headers: { Contact: '<sip:desk@10.0.0.9:99999>' } });
    assert.equal(network.requests('ACK').length, 1);
    void call.hangUp();
    await network.timers.advance(0);
    assert.equal(network.requests('BYE').length, 1);
    for (const { to } of network.sent) assert.deepEqual(to, { address: '192.0.2.9', port: 5070 });
    await network.closeAgent(agent);
  });

  it('of the peer count in their order: an older number is refused', async () => {
    const { network, agent, invite, log } = await answeredCall();
    await network.deliver(peerRequest('OPTIONS', invite, 7));
    await network.deliver(peerRequest('BYE', invite, 7));
    assert.equal(network.responses(200).length, 1);
    assert.equal(network.responses(500).length, 1);
    assert.deepEqual(log.names(), ['answered']);
    await network.closeAgent(agent);
  });

  it('by UPDATE without a description only renew the session', async () => {
    const { network, agent, invite } = await answeredCall();
    await network.deliver(peerRequest('UPDATE', invite, 1));
    assert.equal(network.responses(200).at(-1)?.body.length, 0);
    await network.closeAgent(agent);
  });

  it('of another dialog are answered 481', async () => {
    const { network, agent, invite } = await answeredCall();
    await network.deliver(peerRequest('BYE', invite, 1, { tag: 'stranger' }));
    assert.equal(network.responses(481).length, 1);
    await network.closeAgent(agent);
  });

  it('find a peer that has forgotten the call', async () => {
    const { network, agent, call, log } = await answeredCall();
    const probing = call.probe();
    await network.timers.advance(0);
    await network.answer('OPTIONS', 481);
    assert.equal(await probing, false);
    assert.deepEqual(log.events[1], [
      'ended',
      { by: 'timeout', cause: 'lost', wasAnswered: true, reason: 'the peer no longer knows the call' },
    ]);
    await network.closeAgent(agent);
  });
});

describe('session timers', () => {
  it('have us renew by UPDATE when the peer knows it', async () => {
    const headers = { 'Session-Expires': '120;refresher=uac', Allow: 'INVITE, UPDATE' };
    const { network, agent, log } = await answeredCall(headers);
    await network.timers.advance(60_000);
    await network.answer('UPDATE', 200, { headers });
    await network.timers.advance(60_000);
    assert.equal(network.requests('UPDATE').length, 2);
    assert.deepEqual(log.names(), ['answered']);
    await network.closeAgent(agent);
  });

  it('have us renew by INVITE with the same description when it does not', async () => {
    const { network, agent, log } = await answeredCall({ 'Session-Expires': '120;refresher=uac' });
    await network.timers.advance(60_000);
    assert.equal(network.requests('INVITE').length, 2);
    assert.equal(network.last('INVITE').body.toString(), offer);
    await network.answer('INVITE', 200, { body: answer });
    assert.equal(network.last('ACK').cseq.number, 2);
    assert.deepEqual(log.names(), ['answered']);
    await network.closeAgent(agent);
  });

  it('leave the call alone until its time is over when the peer refuses to renew', async () => {
    const headers = { 'Session-Expires': '120;refresher=uac', Allow: 'INVITE, UPDATE' };
    const { network, agent, log } = await answeredCall(headers);
    await network.timers.advance(60_000);
    await network.answer('UPDATE', 403);
    await network.timers.advance(27_999);
    assert.deepEqual(log.names(), ['answered']);
    await network.timers.advance(1);
    assert.deepEqual(log.names(), ['answered', 'ended']);
    await network.closeAgent(agent);
  });

  it('end the call when the peer no longer knows it', async () => {
    const headers = { 'Session-Expires': '120;refresher=uac', Allow: 'INVITE, UPDATE' };
    const { network, agent, log } = await answeredCall(headers);
    await network.timers.advance(60_000);
    await network.answer('UPDATE', 481);
    assert.deepEqual(log.names(), ['answered', 'ended']);
    await network.closeAgent(agent);
  });

  it('end the call when the peer does not renew', async () => {
    const { network, agent, log } = await answeredCall({ 'Session-Expires': '120;refresher=uas' });
    await network.timers.advance(87_999);
    assert.deepEqual(log.names(), ['answered']);
    await network.timers.advance(1);
    assert.deepEqual(log.names(), ['answered', 'ended']);
    assert.equal(network.requests('BYE').length, 1);
    await network.closeAgent(agent);
  });

  it('are granted to a caller, which renews, and refused below 90 s', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent({ onInvite: (call) => void call.answer(answer) });
    const headers = (seconds: number) =>
      HeaderFields.of({
        Contact: '<sip:1000@192.0.2.9>',
        'Content-Type': 'application/sdp',
        Supported: 'timer',
        'Session-Expires': String(seconds),
      });
    await network.deliver(peerInvite({ headers: headers(60) }));
    assert.equal(network.responses(422)[0]?.headers.get('Min-SE'), '90');
    await network.deliver(peerInvite({ headers: headers(1_800), callId: 'second' }));
    assert.equal(network.responses(200)[0]?.headers.get('Session-Expires'), '1800;refresher=uac');
    await network.closeAgent(agent);
  });
});

describe('requests outside of a call', () => {
  async function respondedTo(request: SipRequest, twice?: SipRequest) {
    const network = new MemoryNetwork();
    const agent = await network.agent({ onInvite: () => {} });
    await network.deliver(request);
    if (twice !== undefined) await network.deliver(twice);
    const last = network.sent.at(-1)?.message;
    await network.closeAgent(agent);
    return last?.kind === 'response' ? last : undefined;
  }

  const of = (method: string, changes: Partial<SipRequest> = {}) =>
    peerInvite({ method, cseq: { number: 1, method }, headers: new HeaderFields(), body: noBody, ...changes });

  const merged = peerInvite();
  const cases: readonly [name: string, request: SipRequest, status: number, twice?: SipRequest][] = [
    ['OPTIONS is answered', of('OPTIONS'), 200],
    ['OPTIONS is answered with Max-Forwards 0', of('OPTIONS', { maxForwards: 0 }), 200],
    ['an unknown method is not allowed', of('JUMP'), 405],
    ['MESSAGE is not allowed', of('MESSAGE'), 405],
    ['BYE without a call', of('BYE'), 481],
    ['CANCEL without an INVITE', of('CANCEL'), 481],
    [
      'an extension that nobody knows',
      of('OPTIONS', { headers: HeaderFields.of({ Require: 'timer, nothingSupportsThis' }) }),
      420,
    ],
    ['a scheme that nobody knows', of('OPTIONS', { uri: 'nobodyKnowsThisScheme:totallyopaquecontent' }), 416],
    [
      'a body of another type',
      peerInvite({ headers: HeaderFields.of({ 'Content-Type': 'application/unknownformat' }) }),
      415,
    ],
    ['the same INVITE by two ways', merged, 482, { ...merged, vias: [viaOfPeer()] }],
  ];
  for (const [name, request, status, twice] of cases) {
    it(name, async () => {
      assert.equal((await respondedTo(request, twice))?.status, status);
    });
  }

  it('name what is not supported', async () => {
    const response = await respondedTo(of('OPTIONS', { headers: HeaderFields.of({ Require: 'timer, foo, bar' }) }));
    assert.equal(response?.headers.get('Unsupported'), 'foo, bar');
  });

  it('are refused when they are our own, come back', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent({ onInvite: () => {} });
    agent.invite({ to: '1', trunk, offer });
    await network.timers.advance(0);
    const invite = network.last('INVITE');
    await network.deliver({ ...invite, vias: [viaOfPeer(), ...invite.vias] });
    assert.equal(network.responses(482).length, 1);
    await network.closeAgent(agent);
  });

  it('are never answered when they are an ACK', async () => {
    assert.equal(await respondedTo(of('ACK', { headers: HeaderFields.of({ Require: 'foo' }) })), undefined);
  });
});

describe('requests of a telephone that rings', () => {
  for (const [method, body, status] of [
    ['OPTIONS', '', 200],
    ['INFO', '', 200],
    ['UPDATE', '', 200],
    ['UPDATE', answer, 491],
    ['BYE', '', 481],
  ] as const)
    it(`${method}${body === '' ? '' : ' with an offer'} is answered with ${status}, and the call goes on`, async () => {
      const network = new MemoryNetwork();
      const agent = await network.agent();
      const log = new CallLog(agent.invite({ to: '1', from: '2000', trunk, offer }));
      await network.timers.advance(0);
      await network.answer('INVITE', 180);
      const invite = network.last('INVITE');
      const headers = body === '' ? {} : { 'Content-Type': 'application/sdp' };
      await network.deliver(peerRequest(method, invite, 1, { headers, body }));
      assert.equal(network.responses(status).length, 1);
      await network.answer('INVITE', 200, { body: answer });
      await log.first('answered');
      await network.closeAgent(agent);
    });
});
