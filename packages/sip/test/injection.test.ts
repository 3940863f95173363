// Values of the user of the package that would break out of their header are refused before anything is sent.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvalidValue, type InviteOptions } from '../src/index.ts';
import { answer, offer } from './harness/descriptions.ts';
import { fc } from './harness/fast-check.ts';
import { MemoryNetwork, peerInvite } from './harness/memory-network.ts';

const trunk = { host: '192.0.2.9' };
const base: InviteOptions = { to: '1', trunk, offer };

const places: Readonly<Record<string, (text: string) => InviteOptions>> = {
  to: (text) => ({ ...base, to: `1${text}` }),
  'to as a URI': (text) => ({ ...base, to: `sip:1${text}@example.com` }),
  from: (text) => ({ ...base, from: `1${text}` }),
  'display name': (text) => ({ ...base, displayName: `Pumps${text}` }),
  'user name': (text) => ({ ...base, credentials: { username: `ana${text}`, password: 'x' } }),
  domain: (text) => ({ ...base, trunk: { ...trunk, domain: `example.com${text}` } }),
  host: (text) => ({ ...base, trunk: { host: `example.com${text}` } }),
  'header value': (text) => ({ ...base, headers: { 'P-Asserted-Identity': `<sip:1@b>${text}` } }),
  'header name': (text) => ({ ...base, headers: { [`X${text}`]: '1' } }),
};

describe('a call with a value that breaks out of its header', () => {
  for (const [place, options] of Object.entries(places)) {
    it(`is refused: ${place}`, async () => {
      const network = new MemoryNetwork();
      const agent = await network.agent();
      for (const text of ['\r\nRoute: <sip:evil.example>', '\n', '\r', '\u0000', '\u007f', '\u001b[31m']) {
        assert.throws(() => agent.invite(options(text)), InvalidValue, JSON.stringify(text));
      }
      await network.timers.advance(0);
      assert.deepEqual(network.sent, []);
      await network.closeAgent(agent);
    });
  }

  it('is refused when it sets a header that decides where the call goes', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    for (const name of ['Route', 'via', 'Contact', 'm', 'Content-Length', 'Authorization']) {
      assert.throws(() => agent.invite({ ...base, headers: { [name]: '<sip:evil.example>' } }), InvalidValue, name);
    }
    await network.closeAgent(agent);
  });

  it('has the same headers whatever its texts are', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(text, text, async (to, displayName) => {
        const before = network.sent.length;
        try {
          agent.invite({ ...base, to, displayName, from: '2' });
        } catch (error) {
          assert.ok(error instanceof InvalidValue);
          return;
        }
        await network.timers.advance(0);
        const [sent, ...others] = network.sent.slice(before);
        assert.equal(others.length, 0);
        assert.ok(sent?.message.kind === 'request');
        const names = [...sent.message.headers].map(({ name }) => name);
        assert.deepEqual(names, ['Allow', 'Supported', 'Content-Type', 'Contact']);
        assert.equal(sent.message.from.uri, 'sip:2@192.0.2.9');
        assert.equal(sent.message.body.toString(), offer);
      }),
      { numRuns: 100 },
    );
    await network.closeAgent(agent);
  });

  it('shows no secret in the error', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const credentials = { username: 'ana\n', password: 'hunter2' };
    assert.throws(
      () => agent.invite({ ...base, credentials }),
      (error) => error instanceof InvalidValue && !/hunter2|ana/.test(`${error.message} ${JSON.stringify(error)}`),
    );
    await network.closeAgent(agent);
  });

  it('is refused as the reason of a rejection', async () => {
    const network = new MemoryNetwork();
    let thrown: unknown;
    const agent = await network.agent({
      onInvite: (call) => {
        try {
          call.reject(486, 'busy\r\nContact: <sip:evil.example>');
        } catch (error) {
          thrown = error;
        }
        void call.answer(answer);
      },
    });
    await network.deliver(peerInvite());
    assert.ok(thrown instanceof InvalidValue);
    assert.equal(network.responses(486).length, 0);
    assert.equal(network.responses(200).length, 1);
    await network.closeAgent(agent);
  });
});
