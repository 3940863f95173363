// Sends hundreds of known path-traversal and injection names: each is refused, and nothing is stored or read.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readEvents } from '../../../src/store/event-log.ts';
import { rawExchange } from '../../harness/server/edge-server.ts';
import { startTestApp } from '../../harness/site/app.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const climbs = [
  ...['../', '..\\', '..%2f', '..%2F', '..%5c', '..%5C', '%2e%2e/', '%2e%2e%2f', '%2E%2E%5C', '.%2e/', '%2e./'],
  ...['%252e%252e%252f', '%252e%252e/', '..%252f', '..%255c', '....//', '....%2f%2f', '..;/', '..%3b%2f', '..%00/'],
  ...['..%c0%af', '%c0%ae%c0%ae%c0%af', '..%c1%9c', '..%e0%80%af', '%e0%80%ae%e0%80%ae/', '%uff0e%uff0e%u2215'],
  ...['%ef%bc%8e%ef%bc%8e%ef%bc%8f', '..%e2%88%95', '..%ef%bc%bc', '%2e%2e%2f./', './../', '%2e%2f%2e%2e%2f'],
];
const targets = ['etc/passwd', 'windows%5cwin.ini', 'tocsin.db'];
const traversals = climbs.flatMap((climb) =>
  [1, 3].flatMap((depth) => targets.map((target) => climb.repeat(depth) + target)),
);

const others = [
  // absolute paths, drives, shares, URLs
  ...[
    '%2fetc%2fpasswd',
    '/etc/passwd',
    '//etc//passwd',
    '%2f',
    '%5c',
    '\\',
    '%5cetc%5cpasswd',
    'C:',
    'C%3a',
    'c:siren.wav',
  ],
  ...['C:%5cwindows%5cwin.ini', 'C%3A%2Fwindows', '%5c%5chost%5cshare', '\\\\host\\share\\a.wav', '%2f%2fhost%2fshare'],
  ...['%5c%5c%3f%5cC:%5ca', '%5c%5c.%5cpipe%5ca', 'file:%2f%2f%2fetc%2fpasswd', 'file:a', 'http:%2f%2fhost%2fa.wav'],
  ...['http://host/a.wav', 'https:%2f%2f169.254.169.254%2f', 'ftp:%2f%2fa', 'data:audio%2fwav,a', 'jar:a!%2fb'],
  // dots and device names
  ...['.', '..', '...', '%2e', '%2e%2e', '.htaccess', '.siren.wav', 'a..b', 'a..', '..a', 'siren..wav'],
  ...['CON', 'con', 'Con.wav', 'PRN', 'prn.txt', 'AUX', 'aux.', 'NUL', 'nul.wav', 'NUL.tar.gz', 'COM1', 'com9.wav'],
  ...['LPT1', 'lpt9.txt', 'COM0', 'CONIN$', 'CLOCK$', 'siren.wav::$DATA', 'siren.wav:x', 'a%3ab'],
  // NUL, white space, control characters
  ...[
    '%00',
    'siren.wav%00',
    'siren.wav%00.png',
    '%00siren.wav',
    '%20',
    'a%20b',
    '%20a',
    'a%20',
    'a%09b',
    'a%0ab',
    'a%0d%0aX:%20y',
  ],
  ...['a%0a', 'a%7f', 'a%c2%85', 'a%e2%80%a8', 'a%c2%a0', '%ef%bb%bfa', 'a%e2%80%ae'],
  // characters with a meaning to a shell, SQL or HTML
  ...[
    '*',
    'a*',
    '%3f',
    '%23a',
    'a%7cb',
    'a%3bls',
    '$HOME',
    '$(id)',
    '`id`',
    '~root',
    '~',
    '!a',
    'a&b',
    'a=b',
    'a+b',
    'a,b',
  ],
  ...[
    "'%20or%201=1--",
    'a%27b',
    'a%22b',
    '%3cscript%3e',
    '%7b%7b7*7%7d%7d',
    'a@b',
    '(a)',
    '[a]',
    '%25',
    '%2525',
    'a%25',
  ],
  // other scripts, look-alikes, broken escapes and encodings
  ...[
    '\u{1f600}',
    '\u{1f600}.wav',
    '%f0%9f%98%80',
    'é.wav',
    '%c3%a9',
    'ａ',
    '%e2%84%aa',
    'ſiren.wav',
    '%c0%80',
    '%ff',
    '%fe%ff',
  ],
  ...['%ed%a0%80', '%f4%90%80%80', '%zz', '%', '%2', 'a%', '%u0041', 'a%g0'],
  // length
  ...['x'.repeat(129), 'x'.repeat(256), 'x'.repeat(257), 'x'.repeat(5_000), '%61'.repeat(129), `${'a.'.repeat(64)}a`],
  ...['../'.repeat(100), '%2e%2e%2f'.repeat(100), 'é'.repeat(128)],
  // names with further path segments
  ...['a/b', 'a%2fb', 'a%5cb', 'siren.wav/x', 'siren.wav%2f', 'siren.wav/../x', 'siren.wav/..%2fx'],
];

const payloads = [...new Set([...traversals, ...others])];

testOnAnyStore(`${payloads.length} path-traversal names are refused, and nothing is stored`, async (t, kind) => {
  assert.ok(payloads.length > 300);
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const { port } = new URL(app.url);
  // The high-water mark is written by itself, some seconds after the first id.
  const files = () =>
    readdirSync(app.environment.TOCSIN_DATA_DIR ?? '')
      .filter((name) => name !== 'high-water.json')
      .toSorted();
  const before = files();
  const send = (method: string, name: string) =>
    rawExchange(
      Number(port),
      `${method} /api/v1/media/${name} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n${method === 'PUT' ? 'Content-Length: 4\r\n\r\ntext' : '\r\n'}`,
    );
  assert.match(await send('PUT', 'siren.wav'), /^HTTP\/1.1 200 /, 'a good name is stored');
  assert.match(await send('DELETE', 'siren.wav'), /^HTTP\/1.1 200 /);
  const statuses = new Map<string, number>();
  for (const name of payloads) {
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const answer = await send(method, name);
      const status = /^HTTP\/1.1 (4\d\d) /.exec(answer)?.[1] ?? '';
      assert.match(status, /^(400|404|405|422)$/, `${method} ${name}: ${answer.slice(0, 300)}`);
      if (status === '422') assert.match(answer, /"errors":\[\{"field":"name"/, `${method} ${name}`);
      assert.doesNotMatch(answer, /root:|\[fonts\]|ENOENT|EACCES|SQLITE/);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  t.diagnostic([...statuses].map(([status, count]) => `${status}: ${count}`).join(', '));
  assert.ok((statuses.get('422') ?? 0) > 300, 'most reach the check of the name');
  const list = await app.request('GET', '/api/v1/media', { token });
  assert.deepEqual(list.body, { items: [], paging: { offset: 0, limit: 1_000, total: 0 } });
  const events = await app.store.read(readEvents, { after: 0, limit: 1_000 });
  assert.equal(events.filter(({ kind: what }) => what.startsWith('media.')).length, 2, 'only the good one');
  assert.deepEqual(files(), before);
});
