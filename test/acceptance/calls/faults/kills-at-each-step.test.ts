// kill -9 of the server at each step of a delivery, three times within ten minutes: everybody else is called after each, and after the
// third the person is passed over with the reason and the next one is called, unless the step had ended the call.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { missing } from '../../../../packages/sip/test/harness/programs.ts';
import { callerOn } from '../../../harness/channels/crash.ts';
import { WebhookReceiver } from '../../../harness/channels/webhook-receiver.ts';
import { groupOn, personOn } from '../../../harness/fuzz/fuzz-site.ts';
import { startServer } from '../../../harness/server/server-process.ts';
import { migratedStore } from '../../../harness/site/app.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { isSoak } from '../../../harness/soak.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { until } from '../../../harness/until.ts';

const skip = missing('espeak-ng', 'espeak-ng');
const ends = 3;

/** Whom a server calls for an alarm: ana, then bo as her relief; and eve for others. */
async function startCalling(t: TestContext, provider: object, number: object) {
  const environment = await migratedStore(t, 'sqlite');
  let server = await startServer(environment);
  t.after(() => server.end('SIGKILL'));
  let caller = await callerOn(server);
  await caller.create('/providers', { name: 'Provider', ...provider });
  const ana = await personOn(caller, 'ana', number);
  const bo = await personOn(caller, 'bo', { channel: 'simulator', address: '+33300000001' });
  const members = [
    { userId: ana, relief: false },
    { userId: bo, relief: true },
  ];
  const team = await caller.create('/teams', { name: 'Pumps', members });
  const pumps = await caller.create('/callgroups', { name: 'Pumps', stationId: 1, teamIds: [team] });
  const alarm = await caller.alarms.raise(pumps, { path: 'Pump', alarmMessage: 'Pump is hot', priority: 1 });
  const attemptsOf = async (userId: number): Promise<readonly Row[]> =>
    (await caller.list(`/call/histories?userId=${userId}&limit=100`)).items;
  let others = 0;
  return {
    attemptsOfAna: () => attemptsOf(ana),
    /** Whether the relief was rung, or the call is over because somebody took the alarm. */
    async isNextCalled(): Promise<boolean> {
      const rows = await attemptsOf(bo);
      return rows.some(({ ringTime }) => ringTime !== undefined);
    },
    async isTaken(): Promise<boolean> {
      return (await caller.alarms.get(alarm)).ackUser === 'ana';
    },
    /** Whether the server has an attempt in hand, as the file of the work in hand says. */
    async isInHand(): Promise<boolean> {
      const text = await readFile(join(environment.TOCSIN_DATA_DIR ?? '', 'work-in-hand'), 'utf8').catch(() => '');
      const last = text.match(/^[+-]\d+$/gm)?.at(-1);
      return last?.startsWith('+') ?? false;
    },
    async killAndStart(): Promise<void> {
      await server.end('SIGKILL');
      server = await startServer(environment);
      caller = await callerOn(server);
    },
    /** Somebody new each time, whose telephone had no call before. */
    async callsAnother(): Promise<void> {
      const name = `Other ${++others}`;
      const eve = await personOn(caller, name, { channel: 'simulator', address: `+3330000010${others}` });
      await caller.alarms.raise(await groupOn(caller, name, [eve]), { path: name, priority: 1 });
      await until(
        () => attemptsOf(eve),
        (rows) => rows.some(({ ringTime }) => ringTime !== undefined),
      );
    },
  };
}

type Calling = Awaited<ReturnType<typeof startCalling>>;

/** Looks whether the delivery is at a step, and does what leads there; `time` counts the calls from 1. */
type Step = (calling: Calling, time: number) => boolean | Promise<boolean>;

/** Kills the server each time the delivery is at the step, until it goes no further; returns how often. */
async function killAt(calling: Calling, step: Step): Promise<number> {
  const isOver = async (): Promise<boolean> => (await calling.isNextCalled()) || (await calling.isTaken());
  for (let kills = 0; kills < ends; kills += 1) {
    const look = async () => ((await step(calling, kills + 1)) ? 'there' : (await isOver()) ? 'over' : undefined);
    if ((await until(look, (found) => found !== undefined)) === 'over') return kills;
    await calling.killAndStart();
    await calling.callsAnother();
  }
  return ends;
}

/** The delivery was under way at each kill: it is given up at the third, and the next person is called. */
async function expectPassedOver(calling: Calling): Promise<void> {
  await until(() => calling.isNextCalled(), Boolean);
  const [given, ...others] = await calling.attemptsOfAna();
  assert.deepEqual([given?.outcome, others.length], ['failed', 0]);
  assert.match(String(given?.detail), /ended unexpectedly/);
}

/** A telephone that is picked up when a step asks for it, and what it heard and was told in each call. */
class Telephone {
  readonly peer: SipPeer;
  #heardIn = 0;

  constructor(peer: SipPeer) {
    this.peer = peer;
    void this.#listen();
  }

  async #listen(): Promise<void> {
    for (;;) {
      await this.peer.nextSound();
      this.#heardIn = this.peer.calls;
    }
  }

  rang(time: number): boolean {
    return this.peer.calls >= time;
  }

  isConfirmed(time: number): boolean {
    if (this.rang(time)) this.peer.pickUp();
    return this.#count(/^ACK /) >= time;
  }

  hears(time: number): boolean {
    return this.isConfirmed(time) && this.#heardIn >= time;
  }

  #pressedIn = 0;

  /** Presses a key once in each call; whether the server has said that it came. */
  hasPressed(time: number): boolean {
    if (this.hears(time) && this.#pressedIn < time) {
      this.#pressedIn = time;
      this.peer.press('1');
    }
    return this.#count(/^SIP\/2\.0 200 [\s\S]*^CSeq: \d+ INFO/m) >= time;
  }

  #pressing: NodeJS.Timeout | undefined;

  /** Presses a key again and again, not so fast that it counts as one that bounces. */
  keepPressing(): void {
    this.#pressing ??= setInterval(() => this.peer.press('1'), 1_200).unref();
  }

  #hungUpIn = 0;

  /** Hangs up once in each call; whether the server has said that it is over. */
  hasHungUp(time: number): boolean {
    if (this.hears(time) && this.#hungUpIn < time) {
      this.#hungUpIn = time;
      this.peer.hangUp();
    }
    return this.#count(/^SIP\/2\.0 200 [\s\S]*^CSeq: \d+ BYE/m) >= time;
  }

  #count(what: RegExp): number {
    return this.peer.received.filter((text) => what.test(text)).length;
  }
}

async function startTelephone(t: TestContext) {
  const telephone = new Telephone(await SipPeer.start(t, { kind: 'ring' }));
  const settings = { host: '127.0.0.1', port: telephone.peer.port, user: 'tocsin' };
  const calling = await startCalling(t, { channel: 'voice', kind: 'sip', settings }, voice('+33100000001'));
  return { telephone, calling };
}

type Steps = Readonly<Record<string, (telephone: Telephone) => Step>>;

/** At these the delivery is under way. */
const underWay: Steps = {
  taken: () => (calling) => calling.isInHand(),
  connecting: (telephone) => (_calling, time) => telephone.rang(time),
  ringing: (telephone) => async (calling, time) => {
    const [attempt] = await calling.attemptsOfAna();
    return telephone.rang(time) && attempt?.ringTime !== undefined;
  },
  answered: (telephone) => (_calling, time) => telephone.isConfirmed(time),
  spoken: (telephone) => (_calling, time) => telephone.hears(time),
  'key pressed': (telephone) => (_calling, time) => telephone.hasPressed(time),
};

/** At these it is over, or about to be. */
const atTheEnd: Steps = {
  ended: (telephone) => (_calling, time) => telephone.hasHungUp(time),
  written: (telephone) => async (calling, time) => {
    telephone.hasHungUp(time);
    return (await calling.attemptsOfAna()).filter(({ endTime }) => endTime !== undefined).length >= time;
  },
  'taken by a key': (telephone) => async (calling, time) => {
    if (telephone.hears(time)) telephone.keepPressing();
    return calling.isTaken();
  },
};

for (const [name, stepOf] of Object.entries(underWay)) {
  test(`kills while a call is ${name}: the third passes the person over, and everybody else is called`, {
    skip: skip || (!isSoak && name !== 'ringing' && 'in the soak'),
  }, async (t) => {
    const { telephone, calling } = await startTelephone(t);
    assert.equal(await killAt(calling, stepOf(telephone)), ends);
    await expectPassedOver(calling);
    const sent = (wanted: string) => telephone.peer.requests.filter(({ method }) => method === wanted).length;
    if (name !== 'ringing') return;
    await until(
      () => sent('CANCEL'),
      (cancelled) => cancelled === ends,
    );
    assert.equal(sent('INVITE'), ends, 'it is not made again');
  });
}

for (const [name, stepOf] of Object.entries(atTheEnd)) {
  test(`kills when a call is ${name}: the alarm was taken, or the next person is called`, {
    skip: skip || (!isSoak && 'in the soak'),
  }, async (t) => {
    const { telephone, calling } = await startTelephone(t);
    t.diagnostic(`${await killAt(calling, stepOf(telephone))} kills`);
    await until(async () => (await calling.isTaken()) || (await calling.isNextCalled()), Boolean);
    if (name === 'taken by a key') assert.ok(await calling.isTaken(), 'what she took stays taken');
  });
}

test('kills while a program has a webhook: the third passes the person over, and everybody else is called', {
  skip: !isSoak && 'in the soak',
}, async (t) => {
  const hooks = await WebhookReceiver.start(t, 'hold');
  const calling = await startCalling(t, hooks.provider(), { channel: 'webhook', address: hooks.url('ana') });
  assert.equal(await killAt(calling, (_calling, time) => hooks.messages.length >= time), ends);
  await expectPassedOver(calling);
});
