// Media files: store, list, read, replace, remove, size limits, station bounds, and backup.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { Client } from 'pg';
import { largestMediaFile, largestMediaStore } from '../../../src/domain/media.ts';
import { schema } from '../../../src/migrations/schema.ts';
import { readEvents } from '../../../src/store/event-log.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { testThreads } from '../../harness/server/built-server.ts';
import { runTocsin } from '../../harness/server/server-process.ts';
import { freshStore, startOn, type TestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { type StoreName, storesUnderTest } from '../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { knownMedia } from '../../harness/stores/test-operations.ts';
import { refused, samples, wavOf } from '../../harness/telephone/media-files.ts';
import { until } from '../../harness/until.ts';

type Problem = { readonly code: string; readonly detail: string; readonly errors?: readonly { field: string }[] };
type File = { readonly name: string; readonly type: string; readonly size: number; readonly lastChange: string };
type List = { readonly items: readonly File[]; readonly paging: object };
type Answer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer; readonly body: unknown };

function mediaOf(app: TestApp, token: string) {
  const send = async (method: string, path: string, body?: Buffer, headers = {}): Promise<Answer> => {
    const answer = await fetch(`${app.url}/api/v1/media${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: body === undefined ? null : new Uint8Array(body),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: answer.headers,
      bytes,
      body: isJson ? JSON.parse(String(bytes)) : undefined,
    };
  };
  const put = (name: string, body: Buffer, headers = {}) => send('PUT', `/${name}`, body, headers);
  const keep = async (name: string, body: Buffer): Promise<File> => {
    const answer = await put(name, body);
    assert.equal(answer.status, 200, String(answer.bytes));
    return answer.body as File;
  };
  const list = async (query = '') => (await send('GET', query)).body as List;
  const names = async (query = '') => (await list(query)).items.map(({ name }) => name);
  return { send, put, keep, list, names };
}

async function startWithMedia(t: TestContext, kind: StoreName) {
  const { app, token } = await startSite(t, kind);
  return { app, token, ...mediaOf(app, token) };
}

/** The media events of the event log, oldest first. */
async function told(app: TestApp, atLeast = 0) {
  const isOurs = ({ kind }: { kind: string }) => kind.startsWith('media.');
  const events = await until(
    async () => (await app.store.read(readEvents, { after: 0, limit: 1_000 })).filter(isOurs),
    (found) => found.length >= atLeast,
  );
  return events.map(({ kind, actor, data }) => [kind, actor, data]);
}

testOnAnyStore('a sound is stored, listed, read back byte for byte, replaced and removed', async (t, kind) => {
  const { app, send, keep, list } = await startWithMedia(t, kind);
  const [quiet, loud] = [wavOf(88_244), wavOf(300_000, 100)];
  const lastChange = '2026-11-15T12:00:00.000';
  const file = { name: 'Siren-1.wav', type: 'audio/wav', size: 88_244, lastChange };
  assert.deepEqual(await keep('Siren-1.wav', quiet), file);
  assert.deepEqual(await list(), { items: [file], paging: { offset: 0, limit: 1_000, total: 1 } });
  const read = await send('GET', '/Siren-1.wav');
  assert.ok(read.bytes.equals(quiet));
  const headers = ['content-type', 'content-length', 'content-disposition', 'x-content-type-options', 'cache-control'];
  assert.deepEqual(
    headers.map((name) => read.headers.get(name)),
    ['audio/wav', '88244', 'attachment; filename="Siren-1.wav"', 'nosniff', 'no-store'],
  );
  const head = await send('HEAD', '/Siren-1.wav');
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, '88244', 0]);
  assert.equal((await send('GET', '/siren-1.wav')).status, 404, 'names are matched exactly');
  app.clock.advance(1_500);
  const replaced = await keep('Siren-1.wav', loud);
  assert.deepEqual([replaced.size, replaced.lastChange], [300_000, '2026-11-15T12:00:01.500']);
  assert.deepEqual((await list()).items, [replaced]);
  assert.ok((await send('GET', '/Siren-1.wav')).bytes.equals(loud));
  await keep('Siren-1.wav', quiet);
  assert.ok((await send('GET', '/Siren-1.wav')).bytes.equals(quiet), 'nothing of the longer one is left');
  assert.equal((await send('DELETE', '/Siren-1.wav')).body, true);
  for (const method of ['GET', 'DELETE']) {
    const gone = await send(method, '/Siren-1.wav');
    assert.deepEqual([gone.status, (gone.body as Problem).code], [404, 'not-found'], method);
  }
  const stored = { name: 'Siren-1.wav', type: 'audio/wav' };
  assert.deepEqual(await told(app, 4), [
    ['media.stored', 'user:1', { ...stored, size: 88_244 }],
    ['media.stored', 'user:1', { ...stored, size: 300_000 }],
    ['media.stored', 'user:1', { ...stored, size: 88_244 }],
    ['media.removed', 'user:1', { name: 'Siren-1.wav' }],
  ]);
});

testOnAnyStore('the type is detected from the content, whatever Content-Type the client sends', async (t, kind) => {
  const { app, token, send, put, list } = await startWithMedia(t, kind);
  const claims = [
    'text/html',
    'application/json',
    'image/svg+xml',
    'multipart/form-data; boundary=x',
    'audio/wav; a=b',
  ];
  for (const [index, [what, type, bytes]] of samples.entries()) {
    const stored = await put(`f${index}.html`, bytes, { 'content-type': claims[index % claims.length] });
    assert.deepEqual([stored.status, (stored.body as File).type], [200, type], what);
    const read = await send('GET', `/f${index}.html`);
    assert.ok(read.bytes.equals(bytes), what);
    const expected = type === 'text/plain' ? 'text/plain; charset=utf-8' : type;
    assert.equal(read.headers.get('content-type'), expected, what);
    assert.match(read.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  }
  const streamed = await fetch(`${app.url}/api/v1/media/streamed`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: new Blob(['without a type, ', 'in chunks']).stream(),
    duplex: 'half',
  });
  assert.equal(streamed.status, 200, 'a body without a content type');
  assert.equal((await list()).items.length, samples.length + 1);
});

testOnAnyStore('content of an unsupported type is refused and not stored', async (t, kind) => {
  const { app, send, put, list } = await startWithMedia(t, kind);
  for (const [what, bytes] of refused) {
    const answer = await put('f.wav', bytes, { 'content-type': 'audio/wav' });
    const { code, detail } = answer.body as Problem;
    assert.deepEqual([answer.status, code], [415, 'unsupported-media-type'], what);
    assert.match(detail, /WAV, MP3, OGG, FLAC, PNG, JPEG, GIF, WebP, PDF, or plain text/);
  }
  for (const headers of [{}, { 'content-type': 'audio/wav' }]) {
    const empty = await put('f.wav', Buffer.alloc(0), headers);
    assert.deepEqual([empty.status, (empty.body as Problem).errors?.[0]?.field], [400, 'body']);
  }
  assert.equal((await send('PUT', '/f.wav')).status, 400);
  assert.equal((await put('f.wav', wavOf(100), { 'content-encoding': 'gzip' })).status, 400);
  assert.deepEqual((await list()).items, []);
  assert.deepEqual(await told(app), []);
});

testOnAnyStore(
  'files around the part size and of the maximum size are stored; one byte more than 4 MiB is refused',
  async (t, kind) => {
    const { put, send, keep, names } = await startWithMedia(t, kind);
    const part = 96 * 1_024;
    for (const size of [45, 46, 47, part - 1, part, part + 1, 2 * part, 2 * part + 1, largestMediaFile]) {
      const bytes = wavOf(size);
      assert.equal((await keep(`${size}`, bytes)).size, size);
      assert.ok((await send('GET', `/${size}`)).bytes.equals(bytes), `${size}`);
    }
    const tooLarge = await put('large', wavOf(largestMediaFile + 1));
    assert.deepEqual([tooLarge.status, (tooLarge.body as Problem).code], [413, 'body-too-large']);
    assert.ok(!(await names()).includes('large'));
  },
);

testOnAnyStore('the list is paged, sorted by name and searched', async (t, kind) => {
  const { send, keep, list, names } = await startWithMedia(t, kind);
  for (const name of ['pump_7-hot.wav', 'B.txt', 'a.txt', '_x', 'Pump-7.pdf', '10.txt', '9.txt']) {
    await keep(name, Buffer.from(name));
  }
  const sorted = ['10.txt', '9.txt', 'B.txt', 'Pump-7.pdf', '_x', 'a.txt', 'pump_7-hot.wav'];
  assert.deepEqual(await names(), sorted);
  for (const sort of ['%2Bname', '+name', 'name']) assert.deepEqual(await names(`?sort=${sort}`), sorted, sort);
  assert.deepEqual(await names('?sort=-name&limit=2&offset=1'), ['a.txt', '_x']);
  assert.deepEqual(await list('?limit=0'), { items: [], paging: { offset: 0, limit: 0, total: 7 } });
  assert.deepEqual((await list('?search=txt&limit=1')).paging, { offset: 0, limit: 1, total: 4 });
  assert.deepEqual(await names('?search=PUMP%207'), ['Pump-7.pdf', 'pump_7-hot.wav']);
  assert.deepEqual(await names('?search=7%20ho'), ['pump_7-hot.wav']);
  assert.deepEqual(await names('?search=%25'), sorted);
  for (const [query, field] of [
    ['sort=%2Bid', 'sort'],
    ['limit=-1', 'limit'],
    ['offset=1&offset=2', 'offset'],
  ]) {
    const answer = await send('GET', `?${query}`);
    assert.deepEqual([answer.status, (answer.body as Problem).errors?.[0]?.field], [400, field], query);
  }
});

testOnAnyStore('a caller bound to stations can read media but not change them', async (t, kind) => {
  const { app, token, keep } = await startWithMedia(t, kind);
  const sound = wavOf(1_000);
  await keep('siren.wav', sound);
  const scopes = ['directory:read', 'directory:write'];
  const key = { name: 'bound', scopes, stationIds: [1], expiryTime: '2030-01-01' };
  const made = await app.request('POST', '/api/v1/auth/keys', { token, body: key });
  const bound = mediaOf(app, (made.body as { token: string }).token);
  assert.deepEqual(await bound.names(), ['siren.wav']);
  assert.ok((await bound.send('GET', '/siren.wav')).bytes.equals(sound));
  for (const answer of [
    await bound.put('siren.wav', wavOf(2_000)),
    await bound.put('other.wav', sound),
    await bound.send('DELETE', '/siren.wav'),
  ]) {
    assert.deepEqual([answer.status, (answer.body as Problem).code], [422, 'unprocessable']);
    assert.match((answer.body as Problem).detail, /bound/);
  }
  assert.deepEqual(await bound.names(), ['siren.wav']);
  assert.ok((await bound.send('GET', '/siren.wav')).bytes.equals(sound));
});

testOnAnyStore('a full media store refuses a file that does not fit and accepts one that does', async (t, kind) => {
  const { app, put, keep, send } = await startWithMedia(t, kind);
  await keep('siren.wav', wavOf(600));
  // A row that only claims that size; real files of that size would take minutes.
  await run(
    app,
    `INSERT INTO media (name, words, type, size, last_change)
    VALUES ('film', ' film ', 'audio/ogg', ${largestMediaStore - 1_000}, 0)`,
  );
  const full = await put('more.wav', wavOf(401));
  assert.deepEqual([full.status, (full.body as Problem).code], [422, 'unprocessable']);
  assert.match((full.body as Problem).detail, /full.*1073741824.*1073741424.*401.*Remove/);
  await keep('more.wav', wavOf(400));
  await keep('more.wav', wavOf(399));
  await keep('siren.wav', wavOf(601));
  assert.equal((await put('siren.wav', wavOf(602))).status, 422, 'a replacement counts as the difference');
  await send('DELETE', '/film');
  await keep('siren.wav', wavOf(100_000));
});

testOnAnyStore('concurrent uploads to one name leave one of the files, complete', async (t, kind) => {
  const { send, put, list } = await startWithMedia(t, kind);
  const sounds = Array.from({ length: 12 }, (_, n) => wavOf(250_000 + n * 1_000, n));
  const answers = await Promise.all(sounds.map((sound) => put('siren.wav', sound)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const [file] = (await list()).items;
  const winner = sounds.find(({ length }) => length === file?.size);
  assert.ok(winner !== undefined && (await send('GET', '/siren.wav')).bytes.equals(winner));
});

testOnAnyStore('one query returns which of the given names exist', async (t, kind) => {
  const { app, keep } = await startWithMedia(t, kind);
  for (const name of ['a.wav', 'B.wav', 'c.wav']) await keep(name, wavOf(100));
  const store = await openBeside(t, app, kind);
  const strange = ['A.wav', '', '../a.wav', '"', "'; DROP TABLE media --", '\u{1f600}', 'x'.repeat(10_000)];
  const names = ['c.wav', 'a.wav', 'a.wav', ...strange];
  assert.deepEqual(await store.read(knownMedia, { names }), ['a.wav', 'c.wav']);
  assert.deepEqual(await store.read(knownMedia, { names: strange }), []);
  assert.deepEqual(await store.read(knownMedia, { names: [] }), []);
});

for (const to of storesUnderTest()) {
  testOnAnyStore(`a backup restored into ${to} contains the media files`, async (t, kind) => {
    const { app, keep, list } = await startWithMedia(t, kind);
    const contents = new Map([
      ['noise.wav', Buffer.concat([wavOf(100), randomBytes(largestMediaFile - 100)])],
      ['note.txt', Buffer.from('Zoë: "close\\valve"\n')],
    ]);
    for (const [name, bytes] of contents) await keep(name, bytes);
    const before = await list();
    const file = join(app.environment.TOCSIN_DATA_DIR ?? '', 'all.backup');
    assert.equal((await runTocsin(app.environment, ['backup', file])).code, 0);
    const target = await freshStore(t, to);
    const ended = await runTocsin(target, ['restore', file]);
    assert.equal(ended.code, 0, ended.output);
    const other = await startOn(t, target);
    const restored = mediaOf(other, await other.signIn());
    assert.deepEqual(await restored.list(), before);
    for (const [name, bytes] of contents) {
      assert.ok((await restored.send('GET', `/${name}`)).bytes.equals(bytes), name);
    }
  });
}

async function run({ environment }: TestApp, sql: string): Promise<void> {
  const url = environment.TOCSIN_DATABASE_URL;
  if (url === undefined) {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { timeout: 5_000 });
    db.exec(sql);
    db.close();
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Opens a second store on the same database whose worker threads know the queries of the tests. */
async function openBeside(t: TestContext, { environment, clock }: TestApp, kind: StoreName) {
  const folder = environment.TOCSIN_DATA_DIR ?? '';
  const url = environment.TOCSIN_DATABASE_URL ?? '';
  const store =
    kind === 'sqlite'
      ? await openSqliteStore({
          folder,
          schema,
          startWorker: testThreads,
          now: clock.now,
          onBroken: () => {},
          exclusive: false,
          schemaChange: 'none',
        })
      : await openPostgresStore({
          url,
          schema,
          startWorker: testThreads,
          now: clock.now,
          schemaChange: 'none',
          onTrouble: () => {},
        });
  t.after(() => store.close());
  return store;
}
