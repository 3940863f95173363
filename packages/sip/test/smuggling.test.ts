// Nothing inside a message becomes a message of its own, over real sockets.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { UserAgent } from '../src/index.ts';
import { until } from './harness/until.ts';
import { plainRequest, wire } from './harness/wire.ts';

let agent: UserAgent;
const calls: string[] = [];

before(async () => {
  agent = await UserAgent.start({
    listen: [
      { protocol: 'udp', address: '127.0.0.1', port: 0 },
      { protocol: 'tcp', address: '127.0.0.1', port: 0 },
    ],
    onInvite: (call) => {
      calls.push(call.callId);
      call.reject(486);
    },
  });
});
after(() => agent.close());

const portOf = (protocol: 'udp' | 'tcp'): number =>
  agent.listeners.find((listener) => listener.protocol === protocol)?.port ?? 0;

let branches = 0;
const via = (protocol: string, branch: string) =>
  `SIP/2.0/${protocol} 127.0.0.1:9;branch=z9hG4bK${branch}${branches++};rport`;
const hidden = plainRequest('INVITE sip:a@b SIP/2.0', { Via: via('TCP', 'hidden'), 'Call-ID': 'hidden' });
const options = (protocol: string, id: string, changes: Record<string, string | undefined> = {}, body = '') =>
  plainRequest(
    'OPTIONS sip:a@b SIP/2.0',
    { Via: via(protocol, id), 'Call-ID': id, From: `<sip:a@b>;tag=${branches}`, ...changes },
    body,
  );

/** The Call-ID and status of each response. */
function responsesIn(text: string): string[] {
  return text
    .split(/(?=SIP\/2\.0 \d)/)
    .map((each) => `${/Call-ID: (.*)\r/.exec(each)?.[1]} ${/^SIP\/2\.0 (\d+)/.exec(each)?.[1]}`)
    .filter((each) => !each.startsWith('undefined'));
}

describe('over UDP', () => {
  async function answersTo(datagrams: readonly Buffer[]): Promise<string[]> {
    const socket = createSocket('udp4');
    let received = '';
    socket.on('message', (bytes) => (received += bytes.toString()));
    for (const datagram of [...datagrams, options('UDP', 'last')]) socket.send(datagram, portOf('udp'), '127.0.0.1');
    try {
      return await until(
        () => responsesIn(received),
        (responses) => responses.includes('last 200'),
      );
    } finally {
      socket.close();
    }
  }

  it('a request in the body, or after it, is not looked at', async () => {
    const responses = await answersTo([
      options('UDP', 'body', { 'Content-Type': 'message/sip' }, hidden.toString()),
      Buffer.concat([options('UDP', 'behind'), hidden]),
    ]);
    assert.deepEqual(responses.sort(), ['behind 200', 'body 200', 'last 200']);
    assert.deepEqual(calls, []);
  });

  it('what is malformed is answered 400 where that can be done, else dropped', async () => {
    const responses = await answersTo([
      Buffer.from('\u0000\u0001\u0002'),
      Buffer.from('\r\n\r\n'),
      options('UDP', 'long', { 'Content-Length': '99999' }),
      options('UDP', 'wrong', { To: '"not closed <sip:a@b>' }),
      options('UDP', 'none', { From: undefined }),
      wire([
        'SIP/2.0 200 OK',
        `Via: ${via('UDP', 'stray')}`,
        'From: <sip:a@b>',
        'To: <sip:a@b>',
        'Call-ID: s',
        'CSeq: 1 INVITE',
      ]),
    ]);
    assert.deepEqual(responses.sort(), ['last 200', 'long 400', 'wrong 400']);
  });
});

describe('over TCP', () => {
  async function answersTo(bytes: Buffer): Promise<{ responses: string[]; isClosed: boolean }> {
    const socket = connect(portOf('tcp'), '127.0.0.1');
    let received = '';
    let isClosed = false;
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => {
      isClosed = true;
    });
    socket.on('error', () => {});
    socket.write(Buffer.concat([bytes, options('TCP', 'last')]));
    try {
      await until(
        () => isClosed || responsesIn(received).includes('last 200'),
        (done) => done,
      );
    } finally {
      socket.destroy();
    }
    return { responses: responsesIn(received), isClosed };
  }

  it('a request in the body is not looked at, and the next request is found behind it', async () => {
    const { responses } = await answersTo(options('TCP', 'body', { 'Content-Type': 'message/sip' }, hidden.toString()));
    assert.deepEqual(responses, ['body 200', 'last 200']);
  });

  for (const [name, length] of [
    ['a Content-Length that is missing', undefined],
    ['a Content-Length that is no number', '-1'],
    ['a Content-Length beyond all limits', '100000'],
  ] as const) {
    it(`${name} closes the connection, and what follows is not looked at`, async () => {
      const head = options('TCP', 'broken', { 'Content-Length': length ?? '0' }).toString();
      const bytes = length === undefined ? head.replace('Content-Length: 0\r\n', '') : head;
      const { responses, isClosed } = await answersTo(Buffer.concat([Buffer.from(bytes), hidden]));
      assert.ok(isClosed);
      assert.ok(
        responses.every((each) => each === 'broken 400'),
        responses.join(),
      );
      assert.deepEqual(calls, []);
    });
  }

  it('two Content-Lengths close the connection', async () => {
    const bytes = options('TCP', 'twice', { 'Content-Length': '0', l: String(hidden.length) });
    const { responses, isClosed } = await answersTo(Buffer.concat([bytes, hidden]));
    assert.ok(isClosed);
    assert.deepEqual(responses, ['twice 400']);
    assert.deepEqual(calls, []);
  });

  it('a short Content-Length makes the rest of the body a message of its own, which is refused', async () => {
    const bytes = options('TCP', 'short', { 'Content-Length': '4' }, 'v=0\r\nm=audio\r\n\r\n');
    const { responses } = await answersTo(bytes);
    assert.equal(responses[0], 'short 200');
    assert.deepEqual(calls, []);
  });

  it('a double line end is answered by one', async () => {
    const socket = connect(portOf('tcp'), '127.0.0.1');
    socket.write('\r\n\r\n');
    const [bytes] = await once(socket, 'data');
    assert.equal(String(bytes), '\r\n');
    socket.destroy();
  });
});
