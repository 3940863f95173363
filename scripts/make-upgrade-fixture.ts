// Makes an upgrade fixture with the code of this checkout: `npm run fixture:upgrade -- 0.2.0-short-subject`.
//
// On each database it fills a site, leaves calls under way, stops the server and keeps what the server stored. Then the same
// code continues from the fixture: the test compares what this version did with what a later version does.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freshStore, startOn, type TestApp } from '../test/harness/site/app.ts';
import { fakeClock } from '../test/harness/site/clock.ts';
import { Site } from '../test/harness/site/site.ts';
import { scriptFolder } from '../test/harness/site/site-scripts.ts';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import type { StoreName } from '../test/harness/stores/stores.ts';
import { dumpPostgres } from '../test/harness/upgrade/postgres-text.ts';
import { callSettings, leaveCallsUnderWay, type UnderWay } from '../test/harness/upgrade/upgrade-calls.ts';
import {
  type Expected,
  everyRow,
  restoreFixture,
  saveFixture,
  unattendedAttempts,
  upgradeFixtures,
  writeExpected,
} from '../test/harness/upgrade/upgrade-fixture.ts';
import { fillSite, siteScripts } from '../test/harness/upgrade/upgrade-site.ts';

const startTime = Date.UTC(2026, 10, 15, 4);

/** Requests whose answers the test compares; readAnswers adds the phones and the timelines. */
const listPaths = [
  '/alarms?limit=1000&view=full&inactiveMasked=1',
  '/alarms?limit=1000&view=full&alarmState=0',
  '/alarms/histories?limit=1000',
  '/alarms/statistics?limit=1000',
  '/alarms/interventions?limit=1000',
  '/alarms/histories?search=valve&limit=1000',
  '/call/histories?limit=1000',
  '/stations',
  '/dataservers',
  '/taggroups',
  '/users',
  '/teams',
  '/callgroups',
  '/callgroupgroupings',
  '/schedules',
  '/scenarios',
  '/media',
  '/media/pump.txt',
  '/auth/keys',
  '/auth/sessions',
  '/oncall',
  '/oncall/readiness',
];

async function makeFixture(t: TestContext, label: string, kind: StoreName): Promise<void> {
  const scripts = await scriptFolder(t, siteScripts);
  const settings = { ...callSettings };
  const environment = { ...(await freshStore(t, kind)), ...settings };
  const app = await startOn(t, { ...environment, ...scripts.settings }, fakeClock(startTime));
  const admin = await app.signIn();
  const site = new Site(t, app, admin);
  const tokens = await fillSite(site);
  const underWay = await leaveCallsUnderWay(site);
  const answers = await readAnswers(app, admin, underWay);
  const clock = app.clock.now();
  await app.stop();
  const rows = Object.fromEntries([...(await everyRow(environment))].map(([table, { length }]) => [table, length]));
  await saveFixture(label, kind, environment);

  const restored = { ...(await restoreFixture(t, label, kind)), ...settings };
  await compareText(environment, restored);
  const again = new Site(t, await startOn(t, restored, fakeClock(clock)), admin);
  again.watchPhones(underWay.people);
  const unattended = await unattendedAttempts(again);
  const due = { ...underWay.due };
  for (const { user, startTime } of unattended) due[user] ??= Date.parse(startTime);
  const expected: Expected = { ...underWay, due, clock, settings, tokens, rows, answers, unattended };
  await writeExpected(label, kind, expected);
}

async function readAnswers(app: TestApp, token: string, { people, alarms }: UnderWay): Promise<Expected['answers']> {
  const phones = Object.values(people).map((id) => `/simulator/phones/${id}`);
  const timelines = Object.values(alarms).map((id) => `/alarms/${id}/timeline`);
  const answers: Record<string, unknown> = {};
  for (const path of [...listPaths, ...phones, ...timelines]) {
    const { status, body, text } = await app.request('GET', `/api/v1${path}`, { token });
    assert.equal(status, 200, `${path}: ${text}`);
    answers[path] = body;
  }
  return answers;
}

/** Checks the SQL text: a dump of the restored database must equal a dump of the original. */
async function compareText(
  { TOCSIN_DATABASE_URL: url }: Readonly<Record<string, string>>,
  { TOCSIN_DATABASE_URL: restored }: Readonly<Record<string, string>>,
): Promise<void> {
  if (url !== undefined && restored !== undefined) assert.equal(await dumpPostgres(restored), await dumpPostgres(url));
}

const label = process.argv[2];
if (label === undefined || !/^\d+\.\d+\.\d+-[a-z0-9-]+$/.test(label)) {
  console.log('Name the fixture by version and subject: npm run fixture:upgrade -- 0.2.0-short-subject');
  process.exitCode = 1;
} else if ((await upgradeFixtures()).includes(label)) {
  console.log(`The fixture ${label} exists. It shows what its version stored: keep it, and choose another name.`);
  process.exitCode = 1;
} else {
  const postgres = await startPostgres();
  process.env.TOCSIN_TEST_POSTGRES_URL = postgres.url;
  // The harness cleans up through the context of a test.
  for (const kind of ['sqlite', 'postgres'] as const)
    await test(`${label}, ${kind}`, (t) => makeFixture(t, label, kind));
  await postgres.stop();
}
