// The suite that every kind of provider passes: through the whole engine, against a peer that does as the test says.
//
// To add a kind, write a `ChannelDriver` and pass it to `testChannel`; `test/conformance/sip-channel.test.ts` is a short
// one. A case that does not apply to a kind is named with its reason: because the kind declares that it cannot (receipts,
// replies, a telephone that rings), or because the driver says why in `cannot`.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ProviderKind } from '../../src/domain/channels/kinds/kind.ts';
import { crashDuringDelivery } from '../harness/channels/crash.ts';
import { startTestApp, type TestApp } from '../harness/site/app.ts';
import { type Site, siteOn } from '../harness/site/site.ts';
import type { Caller, Row } from '../harness/site/site-caller.ts';
import type { Person } from '../harness/site/site-phones.ts';
import { storesUnderTest } from '../harness/stores/stores.ts';
import { tablesOf } from '../harness/stores/table-rows.ts';
import { until } from '../harness/until.ts';

/**
 * What the peer does with a delivery.
 * - `take`: takes it and keeps it; a telephone rings, until the test answers
 * - `hold`: it is under way until the test lets go: a telephone rings, a request has no response
 * - `refuse`: refuses it for good
 * - `later`: refuses it for now
 * - `silent`: never answers
 * - `dead`: the provider itself fails, and is to blame
 */
export type Behaviour = 'take' | 'hold' | 'refuse' | 'later' | 'silent' | 'dead';

/** The far end of one test: a provider for each behaviour that was asked for, and what reached it. */
export type Peers = {
  /** The bodies of `POST /providers` without name and order. */
  readonly providers: readonly object[];
  /** Told of each provider that was made, before the next one is. */
  made?(app: TestApp, index: number, id: number): Promise<void>;
  /** The address of the number of a person; the same each time it is asked for. */
  address(person: number): string;
  /** How many different deliveries have reached the far end. */
  deliveries(caller: Caller, people: readonly Called[]): number | Promise<number>;
  /** The most deliveries that were under way at the same time. */
  mostAtOnce(): number;
  /** Ends what `hold` keeps under way, so that the next delivery can begin. */
  letGo(caller: Caller, people: readonly Called[]): void | Promise<void>;
  /** Asserts that the far end was told to stop because somebody has taken the alarm. */
  assertStopped(caller: Caller, person: Called): void | Promise<void>;
  /** The person takes the alarm. Missing if the kind takes no replies. `copies`: how often each message of theirs arrives. */
  takeAlarm?(caller: Caller, person: Called, copies: number): Promise<void>;
  /** The far end says that the message was delivered, to this node. Missing if the kind has no receipts. */
  sendReceipt?(node: Caller): void | Promise<void>;
  /** Everything that reached the far end, where a secret must not stand. */
  readonly received?: () => string;
};

/** A person who is called. */
type Called = { readonly id: number };

export type ChannelDriver = {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly channel: string;
  /** False, or the program that is missing and the package that has it. */
  readonly skip: string | false;
  start(t: TestContext, behaviours: readonly Behaviour[]): Promise<Peers>;
  /** Whether a failure to reach the far end is a fault of the provider (a trunk) or of the receiver alone (a hook). */
  readonly blames: 'provider' | 'receiver';
  /** After a crash in mid-delivery: the same delivery goes on, or it is made again, once. */
  readonly afterCrash: 'goes on' | 'again';
  /** The value of every secret, which nobody must see. */
  readonly secret: string;
  /** Further settings of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Cases that this kind cannot have, each with the reason. */
  readonly cannot?: Readonly<Partial<Record<CaseName, string>>>;
};

type Started = {
  readonly site: Site;
  readonly peers: Peers;
  readonly people: readonly Person[];
  readonly providerIds: readonly number[];
  readonly group: number;
  /** Raises the alarm. */
  raise(): Promise<number>;
  rows(): Promise<readonly Row[]>;
};

type Setting = { readonly people?: number; readonly lines?: number; readonly store?: 'sqlite' | 'postgres' };

/** A site with a provider per behaviour and people of one group, each with one number that is tried twice. */
async function start(
  t: TestContext,
  driver: ChannelDriver,
  behaviours: readonly Behaviour[],
  { people: count = 1, lines, store = storesUnderTest()[0] ?? 'sqlite' }: Setting = {},
): Promise<Started> {
  const peers = await driver.start(t, behaviours);
  const site = await siteOn(
    t,
    await startTestApp(t, store, { overrides: { TOCSIN_SECRETS_KEY: 'the key of all nodes', ...driver.environment } }),
  );
  const providerIds: number[] = [];
  for (const [order, provider] of peers.providers.entries()) {
    const body = { name: `Provider ${order}`, order, ...(lines && { lines }), ...provider };
    const id = await site.create('/providers', body);
    providerIds.push(id);
    await peers.made?.(site.app, order, id);
  }
  const people: Person[] = [];
  for (let n = 1; n <= count; n++) {
    const number = { channel: driver.channel, address: peers.address(n), countTry: 2, timeToRetry: 60, timeToAck: 600 };
    people.push(await site.person(`p${n}`, { numbers: [number] }));
  }
  const group = await site.group('Pumps', [await site.team('Night', people)]);
  let alarm = 0;
  return {
    site,
    peers,
    people,
    providerIds,
    group,
    raise: async () => (alarm = await site.alarms.raise(group, { priority: 3 })),
    rows: async () =>
      (await site.list(`/call/histories?limit=100&alarmId=${alarm}`)).items.filter(isOf(driver.channel)),
  };
}

const isOf =
  (channel: string) =>
  (row: Row): boolean =>
    row.channel === channel;

/** Waits for a row that is as wished while the server's clock goes on by half a second at each look, for `mostMs` in all. */
function untilLater<T>(
  site: Site,
  look: () => T | Promise<T>,
  isWished: (value: T) => boolean,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  const end = site.app.clock.now() + mostMs;
  const laterLook = () => {
    site.app.clock.advance(Math.min(500, end - site.app.clock.now()));
    void site.app.poll();
    return look();
  };
  return until(laterLook, isWished);
}

async function untilDelivered({ site, peers, people }: Started, expected: number): Promise<void> {
  await until(
    () => peers.deliveries(site, people),
    (count) => count === expected,
  );
}

const hasEnded = ([row]: readonly Row[]): boolean => row?.endTime !== undefined;

type Case = {
  /** Why it does not apply to what the kind declares; undefined if it does. */
  readonly lacks?: (driver: ChannelDriver, spoken: boolean) => string | undefined;
  readonly run: (t: TestContext, driver: ChannelDriver) => Promise<void>;
};

const needsBell = (_driver: ChannelDriver, spoken: boolean) =>
  spoken ? undefined : 'declared: it is not spoken, and does not ring';
const needsReceipts = ({ kind }: ChannelDriver) =>
  kind.capabilities.hasReceipts ? undefined : 'declared: it has no receipts';
const needsReplies = ({ kind }: ChannelDriver) =>
  kind.capabilities.takesReplies ? undefined : 'declared: it takes no replies';

const cases = {
  accepted: {
    async run(t, driver) {
      const started = await start(t, driver, ['take']);
      await started.raise();
      const { site } = started;
      await untilDelivered(started, 1);
      const tables = await tablesOf(site.app.environment);
      t.after(() => tables.close());
      const accepted = async () =>
        (await tables.all('call_attempts')).filter(({ channel }) => channel === driver.channel);
      const [attempt] = await until(accepted, ([one]) => one?.accepted_at != null);
      assert.ok(attempt?.provider_ref, 'the reference of the provider is kept');
      assert.equal((await started.rows())[0]?.provider, 'Provider 0');
    },
  },
  ringing: {
    lacks: needsBell,
    async run(t, driver) {
      const started = await start(t, driver, ['hold']);
      await started.raise();
      const [row] = await until(started.rows, ([one]) => one?.ringTime !== undefined);
      assert.deepEqual([row?.answerTime, row?.outcome], [undefined, undefined]);
    },
  },
  answered: {
    lacks: needsReplies,
    async run(t, driver) {
      const started = await start(t, driver, ['take']);
      const alarm = await started.raise();
      const { site, peers, people } = started;
      await untilDelivered(started, 1);
      assert.equal((await site.alarms.get(alarm)).ackUser ?? '', '', 'a delivery acknowledges nothing');
      await peers.takeAlarm?.(started.site, people[0] as Person, 1);
      const taken = () => site.alarms.get(alarm);
      assert.equal((await until(taken, ({ ackUser }) => Boolean(ackUser))).ackUser, 'p1');
      const [row] = await until(started.rows, ([one]) => one?.ackTime !== undefined && one.endTime !== undefined);
      assert.equal(row?.outcome, 'answered');
    },
  },
  'receipt late': {
    lacks: needsReceipts,
    async run(t, driver) {
      const started = await start(t, driver, ['take']);
      await started.raise();
      const { site, peers, rows } = started;
      const [before] = await until(rows, hasEnded);
      assert.deepEqual([before?.deliveredTime, before?.status], [undefined, 3]);
      site.app.clock.advance(120_000);
      await peers.sendReceipt?.(started.site);
      const [row] = await untilLater(site, rows, ([one]) => one?.deliveredTime !== undefined);
      assert.ok(String(row?.deliveredTime) > String(row?.endTime), 'the time is when it came');
      assert.equal(row?.status, 3, 'a receipt is no answer');
    },
  },
  'receipt to another node': {
    lacks: needsReceipts,
    async run(t, driver) {
      if (!storesUnderTest().includes('postgres')) return t.skip('two nodes need PostgreSQL');
      const started = await start(t, driver, ['take'], { store: 'postgres' });
      await started.raise();
      await until(started.rows, hasEnded);
      const other = await started.site.startNode();
      await started.peers.sendReceipt?.(other);
      const [row] = await until(started.rows, ([one]) => one?.deliveredTime !== undefined);
      assert.equal(row?.outcome, undefined);
    },
  },
  'refused for good': {
    async run(t, driver) {
      const started = await start(t, driver, ['refuse']);
      await started.raise();
      const [row] = await until(started.rows, hasEnded);
      assert.match(String(row?.outcome), /^(badNumber|undeliverable)$/);
      started.site.app.clock.advance(120_000);
      const failed = async () => (await started.rows())[0]?.status;
      await untilLater(started.site, failed, (status) => status === 4);
      assert.equal((await started.rows()).filter(({ attempt }) => attempt === 2).length, 0, 'not tried again');
    },
  },
  'refused for now': {
    async run(t, driver) {
      const started = await start(t, driver, ['later']);
      await started.raise();
      const [row] = await until(started.rows, hasEnded);
      assert.notEqual(row?.outcome, 'answered');
      await untilLater(started.site, started.rows, (rows) =>
        rows.some(({ attempt, endTime }) => attempt === 2 && endTime),
      );
      const { health } = await started.site.ask<ShownProvider>('GET', `/providers/${started.providerIds[0]}`);
      assert.equal(health.state, 'up', 'a person who cannot be reached now is no fault of the provider');
    },
  },
  'time-out': {
    async run(t, driver) {
      const started = await start(t, driver, ['silent']);
      await started.raise();
      // A request to a receiver has a time-out of the network, which is real time. To others it is the server's, and 15 s are enough.
      const [row] = await (driver.blames === 'provider'
        ? untilLater(started.site, started.rows, hasEnded, 15_000)
        : until(started.rows, hasEnded));
      assert.equal(row?.outcome, driver.blames === 'provider' ? 'providerDown' : 'undeliverable');
    },
  },
  'abort with its reason': {
    async run(t, driver) {
      const started = await start(t, driver, ['hold']);
      const alarm = await started.raise();
      const { site, peers, people, rows } = started;
      await untilDelivered(started, 1);
      await until(rows, ([row]) => row?.startTime !== undefined);
      await site.alarms.acknowledge(alarm);
      const [row] = await until(rows, hasEnded);
      assert.deepEqual([row?.outcome, row?.endedBy], ['cancelled', 'user:1']);
      await peers.assertStopped(started.site, people[0] as Person);
    },
  },
  capacity: {
    async run(t, driver) {
      const started = await start(t, driver, ['hold'], { people: 3, lines: 1 });
      await started.raise();
      const { site, peers, people } = started;
      for (const expected of [1, 2, 3]) {
        await untilDelivered(started, expected);
        await peers.letGo(started.site, people);
        await site.app.poll();
      }
      assert.equal(peers.mostAtOnce(), 1);
    },
  },
  'breaker and failover within 15 s': {
    async run(t, driver) {
      const started = await start(t, driver, ['dead', 'take'], { people: 5 });
      await started.raise();
      const { site, peers, people, rows, providerIds } = started;
      // Fails after ten seconds; the server's clock stands still, so nothing waits for a pause of the engine.
      await until(
        () => peers.deliveries(started.site, people),
        (count) => count === 5,
      );
      const byProvider = (await rows()).map(({ attempt, provider }) => [attempt, provider]);
      assert.deepEqual(
        byProvider,
        people.map(() => [1, 'Provider 1']),
        'no try of the person is used up',
      );
      const { health } = await site.ask<ShownProvider>('GET', `/providers/${providerIds[0]}`);
      assert.equal(health.state, 'down');
    },
  },
  'ask after a crash': {
    async run(t, driver) {
      const peers = await driver.start(t, ['hold']);
      const expected = driver.afterCrash === 'again' ? 2 : 1;
      const { attempts, deliveries } = await crashDuringDelivery(t, driver.channel, peers, expected);
      assert.deepEqual([attempts, deliveries], [1, expected], 'a crash uses up no try');
    },
  },
  'duplicate inbound': {
    lacks: needsReplies,
    async run(t, driver) {
      const started = await start(t, driver, ['take']);
      await started.raise();
      const { site, peers, people } = started;
      await untilDelivered(started, 1);
      await peers.takeAlarm?.(started.site, people[0] as Person, 3);
      await until(started.rows, ([row]) => row?.ackTime !== undefined && row.endTime !== undefined);
      const { items } = await site.list('/journal?limit=1000');
      assert.equal(items.filter(({ kind }) => kind === 'alarm.acknowledged').length, 1);
      assert.equal((await started.rows()).length, 1);
    },
  },
  'secret never in an error, log or answer': {
    lacks: ({ kind }) => (kind.secrets.length === 0 ? 'declared: it has no secrets' : undefined),
    async run(t, driver) {
      const started = await start(t, driver, ['refuse']);
      await started.raise();
      const { site, rows, providerIds, peers } = started;
      await until(rows, hasEnded);
      const seen = [
        await site.request('POST', `/providers/${providerIds[0]}/test`),
        await site.request('GET', '/providers'),
        await site.request('GET', '/journal?limit=1000'),
        await site.request('GET', '/alarms?search=system'),
        await rows(),
        site.app.logLines,
        peers.received?.() ?? '',
      ];
      const shown = await site.ask<ShownProvider>('GET', `/providers/${providerIds[0]}`);
      assert.ok(shown.secrets.length > 0, 'the provider has a secret');
      assert.ok(!JSON.stringify(seen).includes(driver.secret));
    },
  },
} satisfies Record<string, Case>;

export type CaseName = keyof typeof cases;
type ShownProvider = { readonly secrets: readonly string[]; readonly health: { readonly state: string } };

/** Declares the suite for one kind of provider. */
export function testChannel(driver: ChannelDriver, isSpoken: boolean): void {
  describe(`channel conformance of ${driver.name}`, { skip: driver.skip, concurrency: 4 }, () => {
    it('its peer can do what the kind declares, and nothing else', async (t) => {
      const { capabilities } = driver.kind;
      const peers = await driver.start(t as TestContext, ['take']);
      const inapplicable = Object.keys(driver.cannot ?? {});
      assert.equal(peers.takeAlarm !== undefined, capabilities.takesReplies);
      assert.equal(peers.sendReceipt !== undefined || inapplicable.includes('receipt late'), capabilities.hasReceipts);
    });
    for (const [name, { lacks, run }] of Object.entries(cases) as [CaseName, Case][]) {
      const reason = lacks?.(driver, isSpoken) ?? driver.cannot?.[name];
      it(name, { skip: reason ?? false }, (t) => run(t as TestContext, driver));
    }
  });
}
