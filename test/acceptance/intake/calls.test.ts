// Calls by request are made with what can be used: unknown people answer `false`, and what cannot be played is text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

testOnAnyStore('a call is refused for an empty list only; no known id at all is `false`', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [path, empty, unknown] of [
    ['/call/users', { userIds: [] }, { userIds: [999] }],
    ['/call/groups', { callGroupIds: [], groupingIds: [] }, { callGroupIds: [999], groupingIds: [998] }],
  ] as const) {
    assert.equal((await site.request('POST', path, { ...empty, msgText: 'Come' })).status, 422);
    assert.equal(await site.ask('POST', path, { ...unknown, msgText: 'Come' }), false);
  }
  const { items } = await site.list('/call/histories');
  assert.deepEqual(
    items.map(({ userId, status, detail }) => [userId, status, detail]),
    [[999, 4, 'does not exist']],
    'an unknown user leaves a failed row',
  );
});

testOnAnyStore('what cannot be played is named in Tocsin-Warnings and replaced by the text', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const answer = await site.request('POST', '/call/users', {
    userIds: [ana.id],
    msgText: 'Come',
    msgAudio: 'no base64 at all',
    msgFile: 'missing.wav',
  });
  assert.equal(answer.text, 'true');
  assert.equal(
    answer.headers.get('tocsin-warnings'),
    'msgAudio: is no WAV or MP3 as base64 of at most 2 MiB, so the text is used; msgFile: the media file "missing.wav" does not exist, so the text is used',
  );
  await ana.isCalled(/Come/);
  await ana.hears();
  // Her number rests after a ring, whatever it was for.
  await site.advance('2m');
  const wav = Buffer.concat([
    Buffer.from('RIFF'),
    Buffer.from([36, 0, 0, 0]),
    Buffer.from('WAVEfmt '),
    Buffer.alloc(24),
  ]);
  const address = `data:audio/wav;base64,${wav.toString('base64')}`;
  const played = await site.request('POST', '/call/users', { userIds: [ana.id], msgText: 'Come', msgAudio: address });
  assert.deepEqual([played.text, played.headers.get('tocsin-warnings')], ['true', null]);
  await ana.isCalled();
  await ana.hears();
});

testOnAnyStore('the status of call histories is checked like alarmState', async (t, kind) => {
  const site = await startSite(t, kind);
  for (let status = 0; status <= 6; status++) await site.list(`/call/histories?status=${status}`);
  assert.equal((await site.request('GET', '/call/histories?status=7')).status, 400);
});

test('a recording of a million signs of padding is no recording, and the call is made at once', async (t) => {
  const site = await startSite(t, 'sqlite');
  const ana = await site.person('ana');
  const ask = async (msgAudio: string) => {
    const since = performance.now();
    const { body, headers } = await site.request('POST', '/call/users', {
      userIds: [ana.id],
      msgText: 'Come to the gate',
      msgAudio,
    });
    assert.equal(body, true);
    assert.match(headers.get('tocsin-warnings') ?? '', /msgAudio: is no WAV or MP3/);
    return performance.now() - since;
  };
  const megabyte = 1_000_000;
  const harmless = await ask('y'.repeat(megabyte));
  const hostile = await ask(`${'='.repeat(megabyte)}x`);
  // Work that grows with the square of the length takes more than an hour.
  assert.ok(hostile < harmless * 100, `${hostile} ms instead of ${harmless} ms`);
  await ana.isCalled();
});
