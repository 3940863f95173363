// Registration and supervision on a clock of the tests: renewals, pauses after failures, changes that are reported.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Registration } from '../src/index.ts';
import { HeaderFields } from '../src/message/header-fields.ts';
import { responseTo } from '../src/message/response.ts';
import { withSource } from '../src/message/via.ts';
import { MemoryNetwork } from './harness/memory-network.ts';

const trunk = { host: '192.0.2.9' };
const credentials = { username: 'desk', password: 's3cret' };

async function registering(network = new MemoryNetwork()) {
  const agent = await network.agent();
  const registration = agent.register({ trunk, credentials });
  const events: unknown[] = [];
  registration.on('registered', (event) => events.push(event));
  registration.on('failed', (event) => events.push(event));
  await network.timers.advance(0);
  return { network, agent, registration, events };
}

const contact = (network: MemoryNetwork) => network.last('REGISTER').headers.get('Contact') ?? '';

describe('a registration', () => {
  it('is renewed after three quarters of the time that the server grants', async () => {
    const { network, agent, events } = await registering();
    await network.answer('REGISTER', 200, { headers: { Contact: `${contact(network)};expires=100` } });
    assert.deepEqual(events, [{ expiresS: 100 }]);
    await network.timers.advance(74_999);
    assert.equal(network.requests('REGISTER').length, 1);
    await network.timers.advance(1);
    assert.equal(network.requests('REGISTER').length, 2);
    assert.equal(network.last('REGISTER').cseq.number, 2);
    assert.equal(network.last('REGISTER').callId, network.requests('REGISTER')[0]?.callId);
    await network.closeAgent(agent);
  });

  it('counts the time of its own contact, not that of another phone of the account', async () => {
    const { network, agent, events } = await registering();
    const Contact = `${contact(network)};expires=60, <sip:desk@192.0.2.200:5060>;expires=3600`;
    await network.answer('REGISTER', 200, { headers: { Contact } });
    assert.deepEqual(events, [{ expiresS: 60 }]);
    await network.timers.advance(45_000);
    assert.equal(network.requests('REGISTER').length, 2);
    const shown = '<sip:desk@203.0.113.5:61234>;expires=60, <sip:desk@192.0.2.200:5060>;expires=3600';
    await network.answer('REGISTER', 200, { headers: { Contact: shown } });
    assert.deepEqual(events[1], { expiresS: 60 }, 'where the server shows ours otherwise, the shortest');
    await network.closeAgent(agent);
  });

  it('is tried again after pauses that grow to a minute', async () => {
    const { network, agent, events } = await registering();
    for (const pause of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      await network.answer('REGISTER', 500);
      assert.deepEqual(events.at(-1), { status: 500, reason: 'Server Internal Error', retryInMs: pause });
      const before = network.requests('REGISTER').length;
      await network.timers.advance(pause - 1);
      assert.equal(network.requests('REGISTER').length, before);
      await network.timers.advance(1);
      assert.equal(network.requests('REGISTER').length, before + 1);
    }
    await network.closeAgent(agent);
  });

  it('waits for as long as the server asks, and says when there is no way to it', async () => {
    const network = new MemoryNetwork();
    network.isDown = true;
    const { agent, events } = await registering(network);
    assert.deepEqual(events, [{ reason: 'connection refused', retryInMs: 2_000 }]);
    network.isDown = false;
    await network.timers.advance(2_000);
    await network.answer('REGISTER', 503, { headers: { 'Retry-After': '300' } });
    assert.deepEqual(events.at(-1), { status: 503, reason: 'Service Unavailable', retryInMs: 300_000 });
    await network.closeAgent(agent);
  });

  it('lasts longer when the server wants it so', async () => {
    const { network, agent, events } = await registering();
    await network.answer('REGISTER', 423, { headers: { 'Min-Expires': '3600' } });
    await network.timers.advance(0);
    assert.equal(network.last('REGISTER').headers.get('Expires'), '3600');
    assert.deepEqual(events, []);
    await network.closeAgent(agent);
  });

  it('moves to the address that the server sees', async () => {
    const { network, agent } = await registering();
    assert.match(contact(network), /^<sip:desk@192\.0\.2\.1:5060>$/);
    const request = network.last('REGISTER');
    const [via] = request.vias;
    assert.ok(via !== undefined);
    const seen = { ...request, vias: [withSource(via, { address: '203.0.113.7', port: 40_123 })] };
    await network.deliver(
      responseTo(seen, 200, { toTag: 't', headers: HeaderFields.of({ Contact: contact(network) }) }),
    );
    await network.timers.advance(0);
    assert.equal(network.requests('REGISTER').length, 2);
    assert.equal(contact(network), '<sip:desk@203.0.113.7:40123>');
    await network.closeAgent(agent);
  });

  it('shows a wrong password three times in a minute and a half, and then every five minutes', async () => {
    const { network, agent, events } = await registering();
    const challenge = { headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n", qop="auth"' } };
    const shown = () =>
      network.requests('REGISTER').filter(({ headers }) => headers.get('Authorization') !== undefined);
    const counts: number[] = [];
    for (let second = 0; second < 600; second++) {
      const unanswered = network.requests('REGISTER').length;
      await network.answer('REGISTER', 401, challenge);
      if (network.requests('REGISTER').length > unanswered) await network.answer('REGISTER', 401, challenge);
      await network.timers.advance(1_000);
      if (second === 50 || second === 90) counts.push(shown().length);
    }
    assert.deepEqual([...counts, shown().length], [2, 3, 4]);
    assert.deepEqual(events.at(-1), { status: 401, reason: 'Unauthorized', retryInMs: 300_000 });
    await network.closeAgent(agent);
  });

  it('that the server grants no time is none', async () => {
    const { network, agent, registration, events } = await registering();
    for (const headers of [
      { Contact: `${contact(network)};expires=0` },
      { Contact: contact(network), Expires: '0' },
      { Expires: '0' },
    ]) {
      await network.answer('REGISTER', 200, { headers: { Contact: '', ...headers } });
      assert.equal(registration.isRegistered, false);
      assert.match((events.at(-1) as { reason: string }).reason, /no time/);
      await network.timers.advance(60_000);
    }
    await network.closeAgent(agent);
  });

  it('is renewed at its pace when the server sees another address each time', async () => {
    const { network, agent } = await registering();
    for (let port = 40_000; port < 40_010; port++) {
      const request = network.last('REGISTER');
      const [via] = request.vias;
      assert.ok(via !== undefined);
      const seen = { ...request, vias: [withSource(via, { address: '203.0.113.7', port })] };
      const headers = HeaderFields.of({ Contact: `${contact(network)};expires=100` });
      await network.deliver(responseTo(seen, 200, { toTag: 't', headers }));
      await network.timers.advance(0);
    }
    await network.timers.advance(10_000);
    assert.equal(network.requests('REGISTER').length, 2, 'in ten seconds');
    await network.timers.advance(65_000);
    assert.equal(network.requests('REGISTER').length, 3);
    await network.closeAgent(agent);
  });

  it('asks no more often than every two seconds, however short a time the server grants or refuses', async () => {
    const { network, agent } = await registering();
    for (let second = 0; second < 10; second++) {
      await network.answer('REGISTER', 423, { headers: { 'Min-Expires': String(601 + second) } });
      await network.timers.advance(1_000);
    }
    assert.ok(network.requests('REGISTER').length <= 5, `${network.requests('REGISTER').length} requests`);
    const before = network.requests('REGISTER').length;
    for (let second = 0; second < 10; second++) {
      await network.answer('REGISTER', 200, { headers: { Contact: `${contact(network)};expires=1` } });
      await network.timers.advance(1_000);
    }
    assert.ok(network.requests('REGISTER').length - before <= 6);
    await network.closeAgent(agent);
  });

  it('answers no more than four realms, and its requests do not grow', async () => {
    const { network, agent, events } = await registering();
    for (let realm = 0; realm < 20 && events.length === 0; realm++)
      await network.answer('REGISTER', 401, {
        headers: { 'WWW-Authenticate': `Digest realm="${realm}", nonce="n", qop="auth"` },
      });
    assert.equal(network.requests('REGISTER').length, 5);
    assert.equal((events[0] as { status: number }).status, 401);
    await network.closeAgent(agent);
  });

  it('does not answer a challenge whose texts would fill a datagram', async () => {
    const { network, agent, events } = await registering();
    const nonce = 'n'.repeat(2_000);
    await network.answer('REGISTER', 401, { headers: { 'WWW-Authenticate': `Digest realm="r", nonce="${nonce}"` } });
    assert.equal(network.requests('REGISTER').length, 1);
    assert.equal(events.length, 1);
    await network.closeAgent(agent);
  });

  it('is taken back when it is closed, if there is one', async () => {
    const { network, agent, registration } = await registering();
    await network.answer('REGISTER', 200, { headers: { Contact: contact(network), Expires: '60' } });
    const closing = registration.close();
    await network.timers.advance(0);
    assert.equal(network.last('REGISTER').headers.get('Expires'), '0');
    await network.answer('REGISTER', 200);
    await closing;
    await network.timers.advance(1_000_000);
    assert.equal(network.requests('REGISTER').length, 2);
    await network.closeAgent(agent);
  });

  it('never repeats the password', async () => {
    const { network, agent, registration, events } = await registering();
    await network.answer('REGISTER', 401, {
      headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n", qop="auth"' },
    });
    await network.answer('REGISTER', 401, {
      headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n", qop="auth"' },
    });
    const texts = [
      JSON.stringify(events),
      JSON.stringify(registration as Registration),
      ...network.sent.map(({ bytes }) => bytes),
    ];
    assert.equal(events.length, 1);
    assert.ok(texts.every((text) => !text.includes('s3cret')));
    await network.closeAgent(agent);
  });
});

describe('the check of an account', () => {
  const challenged = { headers: { 'WWW-Authenticate': 'Digest realm="r", nonce="n", qop="auth"' } };

  it('proves the password and registers nothing', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const checking = agent.checkAccount({ trunk, credentials });
    await network.timers.advance(0);
    await network.answer('REGISTER', 401, challenged);
    await network.answer('REGISTER', 200);
    assert.deepEqual(await checking, { isAccepted: true, status: 200, reason: 'OK' });
    const asked = network.requests('REGISTER');
    assert.deepEqual(
      asked.map(({ cseq, headers }) => [
        cseq.number,
        headers.get('Contact'),
        headers.get('Authorization') !== undefined,
      ]),
      [
        [1, undefined, false],
        [2, undefined, true],
      ],
    );
    await network.closeAgent(agent);
    assert.equal(network.requests('REGISTER').length, 2, 'nothing is taken back');
  });

  it('says that the password is refused, and that nobody answers', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const refused = agent.checkAccount({ trunk, credentials });
    await network.timers.advance(0);
    await network.answer('REGISTER', 401, challenged);
    await network.answer('REGISTER', 401, challenged);
    assert.deepEqual(await refused, { isAccepted: false, status: 401, reason: 'Unauthorized' });
    const silent = agent.checkAccount({ trunk, credentials });
    await network.timers.advance(5_000);
    assert.deepEqual(await silent, { isAccepted: false, reason: 'no response' });
    await network.closeAgent(agent);
  });
});

describe('a supervision', () => {
  async function supervising() {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const supervision = agent.supervise({ trunk, intervalMs: 30_000, timeoutMs: 5_000 });
    const events: string[] = [];
    supervision.on('alive', ({ status }) => events.push(`alive ${status}`));
    supervision.on('dead', ({ reason }) => events.push(`dead ${reason}`));
    await network.timers.advance(0);
    return { network, agent, supervision, events };
  }

  it('takes any final answer for life, and reports changes alone', async () => {
    const { network, agent, events } = await supervising();
    await network.answer('OPTIONS', 404);
    await network.timers.advance(30_000);
    await network.answer('OPTIONS', 200);
    await network.timers.advance(30_000);
    await network.answer('OPTIONS', 503);
    await network.timers.advance(30_000);
    await network.answer('OPTIONS', 408);
    await network.timers.advance(30_000);
    await network.answer('OPTIONS', 401);
    assert.deepEqual(events, ['alive 404', 'dead Service Unavailable', 'alive 401']);
    await network.closeAgent(agent);
  });

  it('takes silence for death after its own time-out', async () => {
    const { network, agent, supervision, events } = await supervising();
    await network.timers.advance(4_999);
    assert.deepEqual(events, []);
    await network.timers.advance(1);
    assert.deepEqual(events, ['dead no response']);
    assert.deepEqual(supervision.health, { isAlive: false, reason: 'no response' });
    await network.closeAgent(agent);
  });
});
