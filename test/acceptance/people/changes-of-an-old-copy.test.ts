// Changes of an old copy: every object has a tag of its version, and a change that names another version is refused.

import assert from 'node:assert/strict';
import type { Answer } from '../../harness/site/app.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Problem, Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

/** What can be changed by PUT at once, by its path: the body that makes it, and what another caller changes meanwhile. */
const objects: Readonly<Record<string, Row>> = {
  users: { name: 'ana' },
  teams: { name: 'Night' },
  callgroups: { name: 'Pumps' },
  callgroupgroupings: { name: 'All' },
  schedules: { name: 'Nights' },
  scenarios: { name: 'Fire' },
  stations: { name: 'North' },
  dataservers: { name: 'OPC' },
  taggroups: { name: 'Fans' },
};

function send(site: Site, method: string, path: string, ifMatch?: string, body?: object): Promise<Answer> {
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return site.app.request(method, `/api/v1${path}`, { token: site.token, headers, body });
}

const codeOf = ({ status, body }: Answer): unknown[] => [status, (body as Problem).code];

testOnStores('a change that names an old version is refused, one that names the newest is made', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [path, body] of Object.entries(objects)) {
    const own = `/${path}/${await site.create(`/${path}`, body)}`;
    const old = (await send(site, 'GET', own)).headers.get('etag') ?? '';
    assert.match(old, /^"[\w-]{22}"$/, path);
    assert.equal((await send(site, 'GET', own)).headers.get('etag'), old, `${path} is the same when read again`);
    // A clock that stands still: the tag must differ even if the time of the change does not.
    const changed = await send(site, 'PUT', own, old, { name: `${body.name} 2` });
    assert.equal(changed.status, 200, changed.text);
    const newest = changed.headers.get('etag') ?? '';
    assert.notEqual(newest, old, path);
    assert.equal((await send(site, 'GET', own)).headers.get('etag'), newest, path);
    const stale = { name: `${body.name} of an old copy` };
    assert.deepEqual(codeOf(await send(site, 'PUT', own, old, stale)), [412, 'precondition-failed'], path);
    assert.deepEqual(codeOf(await send(site, 'DELETE', own, old)), [412, 'precondition-failed'], path);
    assert.deepEqual(codeOf(await send(site, 'PUT', own, '', stale)), [412, 'precondition-failed'], path);
    assert.equal((await site.ask('GET', own)).name, `${body.name} 2`);
    // A proxy that compresses responses makes the tag weak; `*` is any version.
    for (const ifMatch of [`W/${newest}`, `"other", ${newest}`, '*'])
      assert.equal((await send(site, 'PUT', own, ifMatch, { name: `${body.name} 2` })).status, 200, ifMatch);
    assert.equal((await send(site, 'DELETE', own, '*')).status, 200, path);
    assert.deepEqual(codeOf(await send(site, 'DELETE', own, '*')), [404, 'not-found'], path);
  }
});

testOnStores('a media file has the tag of its content', async (t, kind) => {
  const site = await startSite(t, kind);
  const store = async (text: string, ifMatch?: string) => {
    const headers = {
      authorization: `Bearer ${site.token}`,
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    };
    return fetch(`${site.app.url}/api/v1/media/note.txt`, { method: 'PUT', headers, body: text });
  };
  assert.equal((await store('nothing to replace', '*')).status, 412);
  const old = (await store('close the valve')).headers.get('etag') ?? '';
  const read = await fetch(`${site.app.url}/api/v1/media/note.txt`, {
    headers: { authorization: `Bearer ${site.token}` },
  });
  assert.deepEqual([await read.text(), read.headers.get('etag')], ['close the valve', old]);
  assert.equal((await store('open the valve', old)).status, 200);
  assert.equal((await store('close the valve again', old)).status, 412);
  assert.equal((await send(site, 'DELETE', '/media/note.txt', old)).status, 412);
  assert.equal((await send(site, 'DELETE', '/media/note.txt', '*')).status, 200);
});

testOnAnyStore(
  'an alarm and its scenarios have versions: those of an old copy are neither removed nor replaced',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const own = `/alarms/${await site.alarms.send({ path: 'Pump' })}`;
    const tagOf = async (path: string) => (await send(site, 'GET', path)).headers.get('etag') ?? '';
    const old = await tagOf(own);
    assert.match(old, /^"[\w-]{22}"$/);
    assert.equal(await tagOf(own), old);
    await site.ask('POST', `${own}/comments`, { comment: 'seen to' });
    assert.deepEqual(codeOf(await send(site, 'DELETE', own, old)), [412, 'precondition-failed']);

    const [fire, flood] = [
      await site.create('/scenarios', { name: 'Fire' }),
      await site.create('/scenarios', { name: 'Flood' }),
    ];
    const empty = await tagOf(`${own}/scenarios`);
    const put = (ifMatch: string, id: number) => send(site, 'PUT', `${own}/scenarios`, ifMatch, { scenarioIds: [id] });
    const attached = await put(empty, fire);
    assert.equal(attached.status, 200, attached.text);
    assert.deepEqual(codeOf(await put(empty, flood)), [412, 'precondition-failed']);
    assert.deepEqual((await send(site, 'GET', `${own}/scenarios`)).body, { scenarioIds: [fire] });
    assert.equal(await tagOf(`${own}/scenarios`), attached.headers.get('etag'));
    await site.ask('POST', `${own}/acknowledge`);
    assert.equal((await send(site, 'DELETE', own, await tagOf(own))).status, 200);
  },
);
