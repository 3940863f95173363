// A plant with something to show on every screen of the console, whose time passes only as a test says.

import type { TestContext } from 'node:test';
import { LiveFeed } from '@tocsin/client';
import { startTestApp } from '../../site/app.ts';
import { fakeClock } from '../../site/clock.ts';
import { until } from '../../until.ts';
import { type Plant, plantAt } from '../plant.ts';

export type FiguresPlant = Plant & {
  /** By the clock of the server. */
  now(): number;
  /** Time passes, and what was due is done. */
  pass(ms: number): Promise<void>;
  /** An alarm is commented on, and one of priority 1 that calls people is raised, whose id is returned. */
  change(): Promise<number>;
  /** An alarm is acknowledged and over. */
  end(id: number): Promise<void>;
  /** An alarm is removed. */
  remove(): Promise<void>;
  /** A text comes to a simulated phone. */
  text(): Promise<void>;
};

export async function startFiguresPlant(t: TestContext): Promise<FiguresPlant> {
  const clock = fakeClock(Math.floor(Date.now() / 60_000) * 60_000);
  const { url, poll, signIn } = await startTestApp(t, 'sqlite', { clock });
  const plant = await plantAt(url);
  const isTold = await listen(t, url, await signIn());
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    // What is begun at first may have ended at the second look.
    await poll();
    await poll();
  };
  const { change, text, ...rest } = await fill(plant);
  await pass(0);
  return {
    ...plant,
    ...rest,
    now: () => clock.now(),
    pass,
    async change() {
      const id = await change();
      await pass(0);
      await until(() => isTold(id), Boolean);
      return id;
    },
    async text() {
      await text();
      await pass(0);
    },
  };
}

/** Returns whether the hub has told of an alarm, so that no page waits for it while its time passes. */
async function listen(t: TestContext, url: string, token: string): Promise<(id: number) => boolean> {
  const told = new Set<number>();
  const listener = { onAlarm: ({ id }: { readonly id: number }) => void told.add(id) };
  const feed = new LiveFeed({ url: `${url}/alarmHub`, token: () => token, listener });
  t.after(() => feed.stop());
  feed.start();
  await until(
    () => feed.state.kind,
    (kind) => kind === 'live',
  );
  return (id) => told.has(id);
}

type Deeds = Pick<FiguresPlant, 'change' | 'end' | 'remove' | 'text'>;

async function fill({ call }: Plant): Promise<Deeds> {
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await call<number>('POST', 'users', { name: 'ana', firstName: 'Ana', numbers });
  const bo = await call<number>('POST', 'users', { name: 'bo', firstName: 'Bo', numbers: [] });
  // A number rests for a while after a text.
  const texted = await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const numbers = [{ channel: 'sms', address: `+331234567${10 + index}` }];
      return call<number>('POST', 'users', { name: `cy${index}`, firstName: `Cy ${index}`, numbers });
    }),
  );
  const team = await call<number>('POST', 'teams', { name: 'Crew', members: [{ userId: ana }, { userId: bo }] });
  const group = await call<number>('POST', 'callgroups', { name: 'Pumps', teamIds: [team] });
  const calling = { alarmActions: [{ type: 'CallGroup', id: group }] };
  const raise = (path: string, priority: number, more: object = {}): Promise<number> =>
    call('POST', 'alarms', { path, alarmMessage: path, priority, raised: true, ...more });
  const raiseTaken = async (path: string, priority: number): Promise<number> => {
    const id = await raise(path, priority);
    await call('POST', `alarms/${id}/acknowledge`, {});
    return id;
  };
  await raise('Pump 7 is hot', 2, calling);
  await raise('Filter clogged', 2);
  const taken = await raiseTaken('Feeder tripped', 3);
  const masked = await raise('Sensor drifts', 4);
  await call('POST', `alarms/${masked}/mask`, { minutes: 240, reason: 'Sensor faulty' });
  let changes = 0;
  const spares = await Promise.all([1, 2, 3].map((number) => raiseTaken(`Spare ${number}`, 4)));
  return {
    async change() {
      changes++;
      await call('POST', `alarms/${taken}/comments`, { comment: `Comment ${changes}` });
      return raise(`Leak ${changes}`, 1, calling);
    },
    async end(id) {
      await call('POST', `alarms/${id}/acknowledge`, {});
      await raise(`Leak ${changes}`, 1, { raised: false });
    },
    async remove() {
      const spare = spares.shift();
      await call('DELETE', `alarms/${spare}`);
      spares.push(await raiseTaken(`Further spare ${spare}`, 4));
    },
    async text() {
      const [next = 0] = texted;
      texted.push(...texted.splice(0, 1));
      await call('POST', 'call/test', { userIds: [next] });
    },
  };
}
