// Calls that were under way at two unexpected ends of the server are begun after the others, however many they are, and use no line
// while they wait.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lapseLeases } from '../../../../src/operations/calls/delivery/leases.ts';
import { takeAttempts } from '../../../../src/operations/calls/delivery/take-attempts.ts';
import { listQuarantined, noteUnplannedEnd } from '../../../../src/operations/quarantine/unplanned-end.ts';
import { startTestApp } from '../../../harness/site/app.ts';
import { type Site, siteOn } from '../../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const mostAtOnce = 100;

function worksOf(attemptIds: readonly number[]) {
  return attemptIds.map((id) => ({ kind: 'attempt' as const, id }));
}

/** Ends twice with the calls under way, and returns what the server that is started again begins first, by person. */
async function begunAfterTwoEnds(site: Site, attemptIds: readonly number[]): Promise<readonly number[]> {
  const { store } = site.app;
  for (let end = 0; end < 2; end += 1)
    await store.write(noteUnplannedEnd, { works: worksOf(attemptIds), node: 'node', mark: `end ${end}` });
  const replyCodes = Array.from({ length: mostAtOnce }, () => '1234');
  const taking = { node: 'next', nodeName: 'node', leaseMs: 10_000, replyCodes, heldAttemptIds: [] };
  const [, messages] = await Promise.all([
    store.write(lapseLeases, { ofNodes: '' }),
    store.write(takeAttempts, taking),
  ]);
  return messages.map(({ userId }) => userId);
}

type Ringing = { readonly id: number; readonly userId: number };

async function untilRing(site: Site, count: number): Promise<readonly Ringing[]> {
  const { items } = await until(
    () => site.list('/call/histories?limit=1000'),
    ({ items: rows }) => rows.filter(({ ringTime }) => ringTime !== undefined).length === count,
  );
  return items.filter(({ ringTime }) => ringTime !== undefined) as readonly unknown[] as readonly Ringing[];
}

testOnStores('a call that is no suspect is begun before hundreds that are', async (t, kind) => {
  const site = await siteOn(t, await startTestApp(t, kind));
  const many = 120;
  const people = [];
  for (let index = 0; index < many; index += 1) people.push(await site.person(`person ${index}`));
  await site.alarms.raise(await site.group('Many', [await site.team('All', people)]), { path: 'Many', priority: 2 });
  const suspects = await untilRing(site, many);
  const cy = await site.person('cy');
  await site.alarms.raise(await site.group('Fire', [await site.team('Fire', [cy])]), { path: 'Fire', priority: 1 });
  await untilRing(site, many + 1);
  const begun = await begunAfterTwoEnds(
    site,
    suspects.map(({ id }) => id),
  );
  assert.ok(begun.includes(cy.id), 'the call that is no suspect');
  assert.equal(begun.length, 1 + many / 3, 'a third of the suspects');
});

testOnAnyStore('an end that the next start notes twice, because it ended as well, counts once', async (t, kind) => {
  const site = await siteOn(t, await startTestApp(t, kind));
  const ana = await site.person('ana');
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { path: 'Pumps' });
  const attemptIds = (await untilRing(site, 1)).map(({ id }) => id);
  const note = (mark: string) =>
    site.app.store.write(noteUnplannedEnd, { works: worksOf(attemptIds), node: 'node', mark });
  const states = async () =>
    (await site.app.store.read(listQuarantined, { now: site.app.clock.now() })).map(({ state }) => state);
  for (let time = 0; time < 2; time += 1) await note('first');
  assert.deepEqual(await states(), []);
  await note('second');
  assert.deepEqual(await states(), ['suspect']);
});

/** Stops the server, and starts it again as after an end without a stop. */
async function endAndStart(site: Site, attemptIds: readonly number[]): Promise<void> {
  await site.app.stop();
  const folder = site.app.environment.TOCSIN_DATA_DIR ?? '';
  await writeFile(join(folder, 'work-in-hand'), attemptIds.map((id) => `+${id}\n`).join(''));
  await site.restart();
}

testOnStores('a suspect that waits for its turn uses no line', async (t, kind) => {
  const site = await siteOn(t, await startTestApp(t, kind));
  const [ana, bo, cy] = [await site.person('ana'), await site.person('bo'), await site.person('cy')];
  await site.alarms.raise(await site.group('Pumps', [await site.team('Both', [ana, bo])]), { path: 'Pumps' });
  const suspects = (await untilRing(site, 2)).map(({ id }) => id);
  const [provider] = (await site.list('/providers')).items;
  await site.ask('PUT', `/providers/${provider?.id}`, { ...provider, secrets: undefined, lines: 2 });
  for (let end = 0; end < 2; end += 1) await endAndStart(site, suspects);
  await site.alarms.raise(await site.group('Fire', [await site.team('Fire', [cy])]), { path: 'Fire', priority: 1 });
  const { items } = await until(
    () => site.list(`/call/histories?userId=${cy.id}`),
    ({ items: rows }) => rows.some(({ ringTime }) => ringTime !== undefined),
  );
  assert.equal(items.length, 1);
  const { quarantine } = await site.ask<{ readonly quarantine: readonly object[] }>('GET', '/system');
  assert.equal(quarantine.length, 2, 'one of them waits still');
});
