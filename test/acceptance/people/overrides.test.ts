// Overrides of a schedule: a resource of their own, kept by changes of an old copy, and made and removed in pairs by swaps.

import assert from 'node:assert/strict';
import type { Answer } from '../../harness/site/app.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { listed, type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A has the duty by day, B by night. */
async function dayAndNight(site: Site) {
  const [a, b] = [await site.create('/teams', { name: 'A' }), await site.create('/teams', { name: 'B' })];
  const body = {
    name: 'Pumps',
    timeZone: 'UTC',
    weekly: [
      { teamId: a, days: allDays, from: '08:00', to: '20:00' },
      { teamId: b, days: allDays, from: '20:00', to: '08:00' },
    ],
  };
  return { a, b, body, id: await site.create('/schedules', body) };
}

function send(site: Site, method: string, path: string, ifMatch: string, body?: object): Promise<Answer> {
  const headers = { 'if-match': ifMatch };
  return site.app.request(method, `/api/v1${path}`, { token: site.token, headers, body });
}

const overridesOf = async (site: Site, id: number): Promise<readonly Row[]> =>
  listed(await site.request('GET', `/schedules/${id}/overrides`));

const period = { from: '2026-11-20T08:00', to: '2026-11-20T20:00' };

testOnAnyStore('a PUT of an old copy of a schedule drops no override that was made since', async (t, kind) => {
  const site = await startSite(t, kind);
  const { body, id } = await dayAndNight(site);
  const old = await site.request('GET', `/schedules/${id}`);
  await site.ask('POST', `/schedules/${id}/take`, { to: '2026-11-15T18:00', reason: 'Ana is ill' });
  const [taken] = await overridesOf(site, id);
  const renamed = await site.request('PUT', `/schedules/${id}`, { ...(old.body as Row), name: 'Pumps 2' });
  assert.equal(renamed.status, 200, renamed.text);
  assert.match(renamed.headers.get('tocsin-warnings') ?? '', /^overrides stay as they are/);
  assert.deepEqual((renamed.body as Row).overrides, [taken]);
  const stale = await send(site, 'PUT', `/schedules/${id}`, old.headers.get('etag') ?? '', { ...body, overrides: [] });
  assert.equal(stale.status, 412);
  assert.deepEqual(await overridesOf(site, id), [taken]);
  // Without the field nothing is meant about overrides.
  const newest = renamed.headers.get('etag') ?? '';
  const silent = await send(site, 'PUT', `/schedules/${id}`, newest, body);
  assert.deepEqual((silent.body as Row).overrides, [taken]);
});

testOnStores('a PUT with If-Match replaces the overrides, and those it names keep their ids', async (t, kind) => {
  const site = await startSite(t, kind);
  const { a, body, id } = await dayAndNight(site);
  const one = await site.create(`/schedules/${id}/overrides`, { userId: 1, ...period, reason: 'one' });
  const two = await site.create(`/schedules/${id}/overrides`, { teamId: a, ...period, reason: 'two' });
  const read = await site.request('GET', `/schedules/${id}`);
  const overrides = [
    { id: two, teamId: a, ...period, reason: 'now first' },
    { id: 4_242, lock: true, ...period, reason: 'new' },
    { id: one, userId: 1, ...period },
  ];
  const changed = await send(site, 'PUT', `/schedules/${id}`, read.headers.get('etag') ?? '', { ...body, overrides });
  assert.equal(changed.status, 200, changed.text);
  assert.doesNotMatch(changed.headers.get('tocsin-warnings') ?? '', /stay as they are/);
  const found = (changed.body as Row).overrides as readonly Row[];
  const added = Number(found[1]?.id);
  assert.ok(added > two && added !== 4_242, String(added));
  const shape = { ...period, swapId: null };
  assert.deepEqual(found, [
    { id: two, teamId: a, userId: null, reason: 'now first', lock: false, ...shape },
    { id: added, teamId: null, userId: null, reason: 'new', lock: true, ...shape },
    { id: one, teamId: null, userId: 1, reason: '', lock: false, ...shape },
  ]);
  const none = await send(site, 'PUT', `/schedules/${id}`, '*', { ...body, overrides: [] });
  assert.deepEqual((none.body as Row).overrides, []);
});

testOnStores('an override is made, read, changed and removed by its id', async (t, kind) => {
  const site = await startSite(t, kind);
  const { a, id } = await dayAndNight(site);
  const own = `/schedules/${id}/overrides`;
  const one = await site.create(own, { teamId: a, ...period, reason: 'fair' });
  const read = await site.request('GET', `${own}/${one}`);
  const shape = { id: one, teamId: a, userId: null, ...period, reason: 'fair', lock: false, swapId: null };
  assert.deepEqual(read.body, shape);
  assert.deepEqual(await overridesOf(site, id), [shape]);
  const old = read.headers.get('etag') ?? '';
  const changed = await send(site, 'PUT', `${own}/${one}`, old, { userId: 1, ...period });
  assert.deepEqual(changed.body, { ...shape, teamId: null, userId: 1, reason: '' });
  assert.equal((await send(site, 'PUT', `${own}/${one}`, old, { lock: true, ...period })).status, 412);
  assert.equal((await send(site, 'DELETE', `${own}/${one}`, old)).status, 412);
  assert.equal((await site.request('GET', `${own}/${one}`)).headers.get('etag'), changed.headers.get('etag'));
  const other = await site.create('/schedules', { name: 'Other' });
  for (const [method, path, body] of [
    ['GET', `/schedules/${other}/overrides/${one}`, undefined],
    ['PUT', `/schedules/${other}/overrides/${one}`, { userId: 1, ...period }],
    ['DELETE', `/schedules/${other}/overrides/${one}`, undefined],
    ['GET', '/schedules/77/overrides', undefined],
    ['POST', '/schedules/77/overrides', { userId: 1, ...period }],
  ] as const)
    assert.equal((await site.request(method, path, body)).status, 404, `${method} ${path}`);
  for (const [body, field] of [
    [{ ...period }, 'teamId'],
    [{ userId: 77, ...period }, 'userId'],
    [{ userId: 1, ...period, to: period.from }, 'to'],
  ] as const) {
    assert.deepEqual(refusal(await site.request('POST', own, body)), [422, field]);
    assert.deepEqual(refusal(await site.request('PUT', `${own}/${one}`, body)), [422, field]);
  }
  await site.ask('DELETE', `${own}/${one}`);
  assert.deepEqual(await overridesOf(site, id), []);
  assert.ok((await site.create(own, { userId: 1, ...period })) > one, 'no id is given out twice');
});

testOnAnyStore('a swap trades two periods of duty, and one request undoes it', async (t, kind) => {
  const site = await startSite(t, kind);
  const { a, b, id } = await dayAndNight(site);
  const group = await site.create('/callgroups', { name: 'Pumps', scheduleId: id });
  const holderAt = async (at: string): Promise<unknown> => {
    const [slot] = (
      await site.ask<{ slots: readonly Row[] }>('POST', '/schedules/preview', {
        schedule: await site.ask('GET', `/schedules/${id}`),
        from: `${at}:00Z`,
        to: `${at}:01Z`,
      })
    ).slots;
    return slot?.teamId;
  };
  const [day, night] = ['2026-11-20T12:00', '2026-11-21T23:00'];
  const inReturn = { returnFrom: '2026-11-21T20:00', returnTo: '2026-11-22T08:00' };
  const before = await overridesOf(site, id);
  const swapped = await site.ask('POST', `/schedules/${id}/swap`, { ...period, ...inReturn, reason: 'fair' });
  const overrides = swapped.overrides as readonly Row[];
  const [swapId] = overrides.map((override) => Number(override.id));
  const shape = { userId: null, reason: 'fair', lock: false, swapId };
  assert.deepEqual(
    overrides.map(({ id: _, ...rest }) => rest),
    [
      { teamId: b, ...period, ...shape },
      { teamId: a, from: inReturn.returnFrom, to: inReturn.returnTo, ...shape },
    ],
  );
  assert.deepEqual([await holderAt(day), await holderAt(night)], [b, a]);
  const later = await site.create(`/schedules/${id}/overrides`, {
    userId: 1,
    from: '2026-12-01T08:00',
    to: '2026-12-02T08:00',
  });
  await site.ask('DELETE', `/schedules/${id}/swaps/${swapId}`);
  assert.deepEqual(
    (await overridesOf(site, id)).map((override) => override.id),
    [...before, later],
  );
  assert.deepEqual([await holderAt(day), await holderAt(night)], [a, b]);
  assert.equal((await site.request('DELETE', `/schedules/${id}/swaps/${swapId}`)).status, 404);
  assert.equal((await site.request('DELETE', `/schedules/${id}/swaps/0`)).status, 404, 'what is no swap is not undone');
  assert.ok(group > 0);
});

testOnAnyStore(
  'a swap is refused when a period has no single holder, and names who takes it otherwise',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { a, b, id } = await dayAndNight(site);
    const swap = (fields: object) => site.request('POST', `/schedules/${id}/swap`, { ...period, ...fields });
    const inReturn = { returnFrom: '2026-11-21T20:00', returnTo: '2026-11-22T08:00' };
    for (const [fields, status, field] of [
      [{ returnFrom: inReturn.returnFrom }, 400, 'returnTo'],
      [{ returnTo: inReturn.returnTo }, 400, 'returnFrom'],
      [{ ...inReturn, to: '2026-11-20T21:00' }, 422, 'from'],
      [{ ...inReturn, returnTo: '2026-11-22T09:00' }, 422, 'returnFrom'],
      [{ returnFrom: '2026-11-21T08:00', returnTo: '2026-11-21T20:00' }, 422, 'returnFrom'],
      [{ returnFrom: '2026-11-20T10:00', returnTo: '2026-11-20T11:00' }, 422, 'returnFrom'],
      [{ ...inReturn, returnTo: inReturn.returnFrom }, 422, 'returnTo'],
      [{ ...inReturn, to: '2027-11-20T21:00' }, 422, 'to'],
      [{ ...inReturn, userId: 77 }, 422, 'userId'],
    ] as const) {
      const answer = await swap(fields);
      assert.deepEqual(refusal(answer), [status, field], answer.text);
    }
    assert.deepEqual(await overridesOf(site, id), []);
    // A person of B takes the day, and A has the night of B in return.
    const { overrides } = (await swap({ ...inReturn, userId: 1 })).body as { overrides: readonly Row[] };
    assert.deepEqual(
      overrides.map(({ teamId, userId }) => [teamId, userId]),
      [
        [null, 1],
        [a, null],
      ],
    );
    assert.notEqual(a, b);
  },
);
