// The HTTP edge at byte level: chunked bodies, response headers and early refusal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeServer, rawExchange } from '../../harness/server/edge-server.ts';
import { startTestApp } from '../../harness/site/app.ts';

test('a chunked body that splits a UTF-8 character is read whole', async (t) => {
  const server = await edgeServer(t);
  const [first, second] = [Buffer.from('{"name":"é'), Buffer.from('é"}')];
  const split = [first.subarray(0, -1), Buffer.concat([first.subarray(-1), second])];
  const chunks = split.map((piece) => `${piece.length.toString(16)}\r\n${piece.toString('latin1')}\r\n`).join('');
  const head = `POST /api/v1/stations HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer writer\r\n`;
  const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answer = await rawExchange(server.port, Buffer.from(`${head}${type}${chunks}0\r\n\r\n`, 'latin1'));
  assert.match(answer, /^HTTP\/1.1 200 OK\r\n/);
  assert.deepEqual(server.seen, [{ name: 'éé' }]);
});

test('a response has exactly the expected headers, to HEAD as to GET', async (t) => {
  const server = await edgeServer(t);
  const heads = ['GET', 'HEAD'].map(async (method) => {
    const raw = await rawExchange(
      server.port,
      `${method} /api/v1/name HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    const [head = '', body] = raw.split('\r\n\r\n');
    return {
      lines: head
        .replace(/Date: .*/, 'Date')
        .split('\r\n')
        .slice(1)
        .toSorted(),
      body,
    };
  });
  const [get, head] = await Promise.all(heads);
  assert.deepEqual(
    get?.lines.map((line) => line.split(':', 1)[0]),
    [
      'Connection',
      'Date',
      'cache-control',
      'content-length',
      'content-security-policy',
      'content-type',
      'cross-origin-opener-policy',
      'referrer-policy',
      'tocsin-warnings',
      'x-content-type-options',
    ],
  );
  assert.ok(get?.lines.includes(`content-length: ${Buffer.byteLength(get.body ?? '')}`));
  assert.ok(get?.lines.includes('content-type: application/json; charset=utf-8'));
  assert.deepEqual([head?.lines, head?.body], [get?.lines, '']);
});

test('a body with a too large Content-Length is refused before it arrives, and the connection is closed', async (t) => {
  const server = await edgeServer(t);
  const head = 'POST /api/v1/stations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\n';
  const about = 'Content-Type: application/json\r\nContent-Length: 90000000\r\n\r\n';
  const answer = await rawExchange(server.port, `${head}${about}{"name":`);
  assert.match(answer, /^HTTP\/1.1 413 /);
  assert.match(answer, /\r\nconnection: close\r\n/i);
  assert.match(answer, /"code":"body-too-large"/);
});

test('two Host headers are refused by the hub as well, also on an upgrade', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  const port = Number(new URL(app.url).port);
  const upgrade = 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  for (const [start, more] of [
    ['POST /alarmHub/negotiate HTTP/1.1', 'Connection: close\r\n'],
    ['GET /alarmHub HTTP/1.1', `Connection: Upgrade\r\n${upgrade}`],
  ]) {
    const answer = await rawExchange(port, `${start}\r\nHost: a\r\nHost: b\r\n${more}\r\n`);
    assert.match(answer, /^HTTP\/1.1 400 [\s\S]*nosniff[\s\S]*more than once/, start);
  }
});
