// HTTP as it comes from the network: requests with mistakes in their lines, headers, bodies and encodings, on raw connections.

import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Chance } from '../../chance.ts';
import { type Door, type DoorSite, untilSent } from '../fuzz-site.ts';
import { mutated } from '../mutate.ts';

const atOnce = 8;
/** Of one connection, sent without waiting for the responses. */
const mostTogether = 8;

function samplesOf(token: string): readonly Buffer[] {
  const request = (method: string, path: string, headers: readonly string[], body: string | Buffer = ''): Buffer => {
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${token}`, ...headers];
    const length = body.length === 0 ? [] : [`Content-Length: ${body.length}`];
    return Buffer.concat([Buffer.from(`${[...lines, ...length].join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
  };
  const json = 'Content-Type: application/json';
  // Of the lowest priority and without anybody to call: what is judged is what is read.
  const alarm = JSON.stringify({
    path: 'Fuzz/Valve',
    alarmMessage: 'stuck \u00e9',
    priority: 5,
    eventCondition: { transitory: true },
    time: '2026-11-01T10:00:00Z',
  });
  const batch = `[${alarm},${alarm}]`;
  const chunks = `${alarm.length.toString(16)}\r\n${alarm}\r\n0\r\n\r\n`;
  const login = 'grant_type=password&username=fuzz&password=wrong+one';
  return [
    request('POST', '/api/v1/alarms', [json], alarm),
    request('POST', '/api/v1/alarms', [json, 'Idempotency-Key: fuzz-1'], alarm),
    request('POST', '/api/v1/alarms/batch', [json], batch),
    request('POST', '/api/v1/alarms', [json, 'Content-Encoding: gzip'], gzipSync(alarm)),
    Buffer.concat([request('POST', '/api/v1/alarms', [json, 'Transfer-Encoding: chunked']), Buffer.from(chunks)]),
    request('GET', '/api/v1/alarms?search=valve&limit=10&sort=-id&offset=3', ['Accept-Encoding: gzip, br;q=0.5']),
    request('GET', '/api/v1/alarms/histories?from=2026-01-01T00:00:00Z&limit=5', ['Accept-Language: fr;q=0.8, de']),
    request('GET', '/api/v1/openapi.json', ['If-None-Match: "abc", W/"def"']),
    request('POST', '/api/v1/alarms/1/acknowledge', [json], '{"comment":"seen"}'),
    request('POST', '/api/v1/auth/login', ['Content-Type: application/x-www-form-urlencoded'], login),
    request('PUT', '/api/v1/sources/1', [json, 'If-Match: "1"'], '{"name":"fuzz"}'),
    request('POST', '/answer/abc', ['Content-Type: application/x-www-form-urlencoded'], 'answer=take'),
    request('POST', '/api/v1/providers/1/reports', [json, 'Tocsin-Signature: t=1,v1=ab'], '{"attempt":1}'),
    request('OPTIONS', '/api/v1/alarms', ['Origin: http://a.example', 'Access-Control-Request-Method: POST']),
    request('GET', '/alarmHub', [
      ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]),
  ];
}

async function send(site: DoorSite, chance: Chance, samples: readonly Buffer[]): Promise<number> {
  const socket = connect(site.port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  const inputs = Array.from({ length: chance.int(1, mostTogether + 1) }, () =>
    mutated(chance.pick(samples), chance, samples),
  );
  for (const bytes of inputs) socket.write(bytes);
  socket.resume();
  if (chance.percent(30)) socket.once('connect', () => setTimeout(() => socket.resetAndDestroy(), chance.int(0, 20)));
  else socket.end();
  // A body that is never finished is waited for by the server.
  socket.setTimeout(200, () => socket.destroy());
  await closed.catch(() => {});
  return inputs.length;
}

export const http: Door = {
  name: 'HTTP',
  run(site, chance, count) {
    const samples = samplesOf(site.caller.token);
    let sent = 0;
    const work = async (): Promise<void> => {
      sent += await send(site, chance, samples);
    };
    return untilSent(count, atOnce, () => sent, work);
  },
};
