// Digest: the published examples, the choice among challenges, stale nonces, and wrong passwords.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digestOf, parseChallenge, parseDigestValues } from '../src/auth/challenge.ts';
import { DigestServer } from '../src/auth/digest-server.ts';
import { HeaderFields } from '../src/message/header-fields.ts';
import { responseTo } from '../src/message/response.ts';
import { CallLog } from './harness/call-log.ts';
import { answer, offer } from './harness/descriptions.ts';
import { MemoryNetwork, peerInvite } from './harness/memory-network.ts';

describe('the digest', () => {
  const example = {
    username: 'Mufasa',
    realm: 'http-auth@example.org',
    password: 'Circle of Life',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    method: 'GET',
    uri: '/dir/index.html',
    counted: { cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ', nc: '00000001' },
  };

  it('is that of RFC 7616 with MD5 and SHA-256', () => {
    assert.equal(digestOf({ ...example, algorithm: 'MD5' }), '8ca523f5e9506fed4657c9700eebdbec');
    const sha256 = '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1';
    assert.equal(digestOf({ ...example, algorithm: 'SHA-256' }), sha256);
  });

  it('is that of RFC 2617 with qop, and that of RFC 2069 without', () => {
    const old = {
      algorithm: undefined,
      username: 'Mufasa',
      realm: 'testrealm@host.com',
      password: 'Circle Of Life',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      method: 'GET',
      uri: '/dir/index.html',
    };
    const counted = { cnonce: '0a4f113b', nc: '00000001' };
    assert.equal(digestOf({ ...old, counted }), '6629fae49393a05397450978507c4ef1');
    assert.equal(digestOf(old), '670fd8c2df070c60b045671b8b24ff02');
  });

  it('understands realms with quotes, and refuses challenges that it cannot answer', () => {
    assert.equal(parseChallenge('Digest realm="the \\"inner\\" one", nonce="n,=;"')?.realm, 'the "inner" one');
    assert.equal(parseChallenge('Digest realm="a", nonce="b", algorithm=AKAv1-MD5'), undefined);
    assert.equal(parseChallenge('Digest realm="a", nonce="b", qop="auth-int"'), undefined);
    assert.equal(parseChallenge('Basic realm="a"'), undefined);
    assert.equal(parseChallenge('Digest realm="a'), undefined);
  });
});

const trunk = { host: '192.0.2.9' };
const credentials = { username: 'ana', password: 's3cret' };

async function challengedCall() {
  const network = new MemoryNetwork();
  const agent = await network.agent();
  const call = agent.invite({ to: '1', trunk, offer, credentials });
  const log = new CallLog(call);
  await network.timers.advance(0);
  return { network, agent, call, log };
}

const valuesOf = (network: MemoryNetwork, name: string, method = 'INVITE') =>
  parseDigestValues(network.last(method).headers.get(name) ?? '');

describe('a challenge', () => {
  it('is answered for the strongest algorithm that is known', async () => {
    const { network, agent } = await challengedCall();
    const headers = HeaderFields.of({
      'WWW-Authenticate': [
        'Digest realm="r", nonce="m", algorithm=MD5, qop="auth"',
        'Digest realm="r", nonce="x", algorithm=SHA-9000, qop="auth"',
        'Digest realm="r", nonce="s", algorithm=SHA-256, qop="auth,auth-int"',
      ],
    });
    await network.deliver(responseTo(network.last('INVITE'), 401, { toTag: 'peer', headers }));
    const values = valuesOf(network, 'Authorization');
    assert.deepEqual([values?.get('nonce'), values?.get('algorithm'), values?.get('nc')], ['s', 'SHA-256', '00000001']);
    assert.equal(network.last('INVITE').cseq.number, 2);
    await network.closeAgent(agent);
  });

  it('of a proxy and of the server behind it are both answered, and so is that of the BYE', async () => {
    const { network, agent, call } = await challengedCall();
    await network.answer('INVITE', 407, {
      headers: { 'Proxy-Authenticate': 'Digest realm="p", nonce="1", qop="auth"' },
    });
    await network.answer('INVITE', 401, { headers: { 'WWW-Authenticate': 'Digest realm="s", nonce="2"' } });
    assert.equal(valuesOf(network, 'Proxy-Authorization')?.get('nc'), '00000002');
    assert.equal(valuesOf(network, 'Authorization')?.get('cnonce'), undefined);
    await network.answer('INVITE', 200, { body: answer });
    assert.equal(
      network.last('ACK').headers.get('Proxy-Authorization'),
      network.last('INVITE').headers.get('Proxy-Authorization'),
    );
    void call.hangUp();
    await network.timers.advance(0);
    await network.answer('BYE', 407, {
      headers: { 'Proxy-Authenticate': 'Digest realm="p", nonce="3", qop="auth", stale=true' },
    });
    const values = valuesOf(network, 'Proxy-Authorization', 'BYE');
    assert.deepEqual([values?.get('nonce'), values?.get('nc')], ['3', '00000001']);
    await network.closeAgent(agent);
  });

  it('with a stale nonce is answered once more; a second refusal is a wrong password', async () => {
    const { network, agent, log } = await challengedCall();
    const challenge = (nonce: string, stale: boolean) => ({
      headers: { 'WWW-Authenticate': `Digest realm="r", nonce="${nonce}", qop="auth"${stale ? ', stale=TRUE' : ''}` },
    });
    await network.answer('INVITE', 401, challenge('1', false));
    await network.answer('INVITE', 401, challenge('2', true));
    assert.equal(valuesOf(network, 'Authorization')?.get('nonce'), '2');
    await network.answer('INVITE', 401, challenge('3', false));
    assert.deepEqual(log.events, [
      ['ended', { by: 'remote', cause: 'rejected', wasAnswered: false, reason: 'Unauthorized', status: 401 }],
    ]);
    assert.equal(network.requests('INVITE').length, 3);
    assert.doesNotMatch(JSON.stringify(log.events), /s3cret/);
    assert.ok(network.sent.every(({ bytes }) => !bytes.includes('s3cret')));
    await network.closeAgent(agent);
  });

  it('is not answered for another realm than that of the credentials', async () => {
    const network = new MemoryNetwork();
    const agent = await network.agent();
    const log = new CallLog(agent.invite({ to: '1', trunk, offer, credentials: { ...credentials, realm: 'ours' } }));
    await network.timers.advance(0);
    await network.answer('INVITE', 401, { headers: { 'WWW-Authenticate': 'Digest realm="theirs", nonce="1"' } });
    assert.deepEqual(log.names(), ['ended']);
    await network.closeAgent(agent);
  });
});

describe('a caller that is asked for credentials', () => {
  let now = 1_000_000;
  const server = new DigestServer(
    { realm: 'tocsin', passwordOf: (name) => (name === 'ana' ? 's3cret' : undefined) },
    () => now,
  );

  async function attempt(username: string, password: string, nonce: string, nc = '00000001', algorithm = 'SHA-256') {
    const uri = 'sip:2000@192.0.2.1';
    const counted = { cnonce: 'c', nc };
    const response = digestOf({
      algorithm,
      username,
      realm: 'tocsin',
      password,
      nonce,
      method: 'INVITE',
      uri,
      counted,
    });
    const value = `Digest username="${username}", realm="tocsin", nonce="${nonce}", uri="${uri}", response="${response}", cnonce="c", nc=${nc}, qop=auth, algorithm=${algorithm}`;
    return server.challenge(peerInvite({ headers: HeaderFields.of({ Authorization: value }) }));
  }

  async function freshNonce(): Promise<string> {
    const challenges = await server.challenge(peerInvite());
    return parseChallenge(challenges?.get('WWW-Authenticate') ?? '')?.nonce ?? '';
  }

  it('is taken with the right ones, once for each count', async () => {
    const nonce = await freshNonce();
    assert.equal(await attempt('ana', 's3cret', nonce), undefined);
    assert.match((await attempt('ana', 's3cret', nonce))?.get('WWW-Authenticate') ?? '', /stale=true/);
    assert.equal(await attempt('ana', 's3cret', nonce, '00000002', 'MD5'), undefined);
  });

  it('is refused with a wrong password, an unknown name, a foreign or an old nonce', async () => {
    const nonce = await freshNonce();
    assert.doesNotMatch((await attempt('ana', 'wrong', nonce))?.get('WWW-Authenticate') ?? '', /stale/);
    assert.ok((await attempt('bob', 's3cret', nonce)) !== undefined);
    assert.ok((await attempt('ana', 's3cret', `${nonce}0`)) !== undefined);
    now += 300_001;
    assert.match((await attempt('ana', 's3cret', nonce))?.get('WWW-Authenticate') ?? '', /stale=true/);
  });
});
