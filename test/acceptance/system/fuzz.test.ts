// Whatever peers send, the server goes on: each door gets valid messages with mistakes, through the running server, while an alarm of
// priority 1 is raised. A hundred thousand inputs a door in the soak, some hundred otherwise.

import { test } from 'node:test';
import { chanceOf } from '../../harness/chance.ts';
import { http } from '../../harness/fuzz/doors/http.ts';
import { classicHub, coreHub } from '../../harness/fuzz/doors/hubs.ts';
import { imap, smtp } from '../../harness/fuzz/doors/mail.ts';
import { CuttingRelay, postgres } from '../../harness/fuzz/doors/postgres.ts';
import { rtp, sipOverTcp, sipOverUdp } from '../../harness/fuzz/doors/ring-in.ts';
import { trunkOverTcp, trunkOverUdp } from '../../harness/fuzz/doors/trunk.ts';
import { webhook } from '../../harness/fuzz/doors/webhook.ts';
import { type Door, FuzzSite } from '../../harness/fuzz/fuzz-site.ts';
import { testSeed } from '../../harness/seed.ts';
import { migratedStore } from '../../harness/site/app.ts';
import { isSoak } from '../../harness/soak.ts';

const inputs = isSoak ? 100_000 : 200;
const doors: readonly Door[] = [
  http,
  sipOverUdp,
  sipOverTcp,
  rtp,
  coreHub,
  classicHub,
  smtp,
  imap,
  webhook,
  trunkOverUdp,
  trunkOverTcp,
];

/** One server for all doors, or one for each where that takes long. */
const servers: readonly (readonly Door[])[] = isSoak ? doors.map((door) => [door]) : [doors];

for (const some of servers) {
  const what = isSoak ? `${some[0]?.name}: ` : '';
  test(`${what}mistakes of peers end nothing, and the person is called meanwhile`, async (t) => {
    const seed = testSeed ?? Math.floor(Math.random() * 2 ** 31);
    t.diagnostic(`seed ${seed}`);
    const site = await FuzzSite.open(t, await migratedStore(t, 'sqlite'));
    for (const door of some) await t.test(door.name, () => site.withstands(door, chanceOf(seed), inputs));
  });
}

/** A connection lives for some statements, so that cuts are slower than messages. */
const cuts = isSoak ? 2_000 : 20;

test('a database that is cut off in every phase loses no alarm that was confirmed, and the person is called', {
  skip: process.env.STORES === 'sqlite' && 'without PostgreSQL',
}, async (t) => {
  const environment = await migratedStore(t, 'postgres');
  const relay = await CuttingRelay.start(t, environment.TOCSIN_DATABASE_URL ?? '');
  const site = await FuzzSite.open(t, { ...environment, TOCSIN_DATABASE_URL: relay.url });
  await site.withstands(postgres(relay), chanceOf(testSeed ?? 1), cuts);
});
