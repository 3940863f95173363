// The console in a real browser: why somebody is not called is said in the language of the console, without a word of English.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { type Plant, type PlantInProcess, startPlant } from '../../harness/browser/plant.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

const skip = withoutBrowser();
const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const always = { days: allDays, from: '00:00', to: '24:00' };

/** Pumps calls Ana and not Cem, who is off duty; of Process nobody is on duty. An alarm calls Pumps. */
async function somebodyOffDuty(plant: Plant): Promise<void> {
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await plant.call<number>('POST', 'users', { name: 'ana', numbers });
  const cem = await plant.call<number>('POST', 'users', { name: 'cem', numbers, onDuty: false });
  const groupOf = async (name: string, userIds: readonly number[]) => {
    const teamId = await plant.call<number>('POST', 'teams', { name, members: userIds.map((userId) => ({ userId })) });
    const weekly = [{ teamId, ...always }];
    const scheduleId = await plant.call<number>('POST', 'schedules', { name, timeZone: 'UTC', weekly });
    return plant.call<number>('POST', 'callgroups', { name, teamIds: [teamId], scheduleId });
  };
  const pumps = await groupOf('Pumps', [ana, cem]);
  await groupOf('Process', [cem]);
  const alarmActions = [{ type: 'CallGroup', id: pumps }];
  await plant.call('POST', 'alarms', { path: 'Pump1', alarmMessage: 'Pumpe 1', priority: 2, alarmActions });
}

for (const { locale, notCalled, nobody } of [
  { locale: 'de-DE', notCalled: /Nicht gerufen: cem: nicht im Dienst/, nobody: /Benutzer \d+ „cem“: nicht im Dienst/ },
  {
    locale: 'fr-FR',
    notCalled: /Ne sont pas appelés ?: cem: pas de service/,
    nobody: /utilisateur \d+ « cem » : pas de service/,
  },
])
  test(`M9: ${locale}: the panel says why somebody is not called, and the plan why nobody is on duty`, {
    skip,
  }, async (t) => {
    const plant = await startPlant(t);
    await somebodyOffDuty(plant);
    const { page, complaints } = await openConsole(t, plant, { locale });
    await rowOf(page, 'Pumpe 1').click();
    await page.getByText(notCalled).waitFor();
    assert.equal(await page.getByText(/off duty/).count(), 0);

    await page.goto(`${plant.url}/oncall`);
    const block = page.getByRole('row').filter({ hasText: 'Process' }).locator('[data-block]').first();
    // Focused and pressed in one step: the plan may be read anew in between.
    await block.press('Enter');
    await page.getByText(nobody).first().waitFor();
    assert.equal(await page.getByText(/off duty/).count(), 0);
    assert.deepEqual(complaints, []);
  });

/** Words of English that none of the names and texts of this night has. */
const english =
  /(?<!\p{L})(the|is|are|has|by|and|nobody|called|calls|answered|number|not|until|while|this|relief|last resort|reached|duty|busy|error|unavailable|failed|verified|usable|simulated|phone)(?!\p{L})/iu;

/** Names that are stored: of Tocsin's own tags, and of the provider that is there from the beginning. */
const own = /^system\/|^Simulated phones$/;

type Night = { readonly alarmId: number; readonly occurrence: number };
type Rows = { readonly items: readonly { readonly id: number }[] };

/** Ana lets it ring, Bo's exchange has an error, Cem is off duty, Dora has no number that can be used, and so has nobody the last resort. */
async function nightWithoutAnybody(t: TestContext, plant: PlantInProcess, language: string): Promise<Night> {
  const post = <T>(path: string, body: object) => plant.call<T>('POST', path, body);
  const exchange = await SipPeer.start(t, { kind: 'respond', status: 500, phrase: 'Server Internal Error' });
  const settings = { host: '127.0.0.1', port: exchange.port, user: 'tocsin' };
  await post('providers', { name: 'SIP', channel: 'voice', kind: 'sip', settings });
  const person = (name: string, channel: string, address: string, more: object = {}) =>
    post<number>('users', { name, language, numbers: [{ channel, address, countTry: 1 }], ...more });
  const people = [
    await person('ana', 'simulator', '+33123450001'),
    await person('bo', 'voice', '+33123450002'),
    await person('cem', 'simulator', '+33123450003', { onDuty: false }),
    await post<number>('users', { name: 'dora', language }),
  ];
  const teamId = await post<number>('teams', { name: 'Team 1', members: people.map((userId) => ({ userId })) });
  const group = await post<number>('callgroups', { name: 'Pompes', teamIds: [teamId], callMode: 'turn' });
  const text = 'Pumpe 1 / pompe 1';
  const alarmId = await post<number>('alarms', {
    ...{ path: 'Pumpe1', alarmMessage: text, priority: 1 },
    alarmActions: [{ type: 'CallGroup', id: group }],
  });
  await until(
    async () => {
      plant.advance(20_000);
      return plant.call<readonly { readonly event: string }[]>('GET', `alarms/${alarmId}/timeline`);
    },
    (events) => events.some(({ event }) => event === 'call.exhausted'),
  );
  const [entry] = (await plant.call<Rows>('GET', `alarms/histories?alarmId=${alarmId}`)).items;
  return { alarmId, occurrence: entry?.id ?? 0 };
}

for (const locale of ['fr-FR', 'de-DE'])
  test(`M9: ${locale}: of a night in which nobody came panel, calls and occurrence say why, without a word of English`, {
    skip,
  }, async (t) => {
    const plant = await startPlant(t);
    const { alarmId, occurrence } = await nightWithoutAnybody(t, plant, locale.slice(0, 2));
    const { page, complaints } = await openConsole(t, plant, { locale });
    const found: string[] = [];
    const look = async (name: string, path: string, part: string): Promise<void> => {
      await page.goto(`${plant.url}${path}`);
      await page.locator(part).first().waitFor();
      await page.waitForLoadState('networkidle');
      if (process.env.SHOTS !== undefined)
        await page.screenshot({ path: `${process.env.SHOTS}/night-${name}-${locale}.png` });
      const lines = (await page.locator(part).allInnerTexts()).flatMap((text) => text.split('\n'));
      assert.ok(lines.length > 5, name);
      found.push(...lines.filter((line) => english.test(line) && !own.test(line)).map((line) => `${name}: ${line}`));
    };
    await look('panel', `/alarms?id=${alarmId}`, 'aside ol li');
    await look('calls', '/calls?since=7d', 'main section, main tr');
    await look('occurrence', `/occurrence?id=${occurrence}`, 'main section');
    await look('list', '/alarms', 'main [role=row]');
    await look('system', '/system', 'main section, main li');
    assert.deepEqual(found, []);
    assert.deepEqual(complaints, []);
  });
