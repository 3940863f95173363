// The server that is sent mistakes: a process with a person whom an alarm of priority 1 calls, asked after each door whether it is
// whole: alive, its memory bounded, the person called, and no error in its log that is not named.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { TestContext } from 'node:test';
import type { Chance } from '../chance.ts';
import { callerOn } from '../channels/crash.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import type { Caller } from '../site/site-caller.ts';
import { until } from '../until.ts';

/** What more the process may hold after the second half of the inputs of a door than after the first: a kilobyte lost with each shows. */
const mostGrowthMb = 100;

/** Where a door stands. */
export type DoorSite = Pick<FuzzSite, 't' | 'caller' | 'url' | 'port'>;

/** One kind of peer, and what it sends. */
export type Door = {
  readonly name: string;
  /** Sends at least so many inputs if nothing stops it; returns how many it sent. */
  run(site: DoorSite, chance: Chance, count: number): Promise<number>;
};

/** Errors that mistakes of peers may cause, with the reason why they are no faults of the server. */
export const namedErrors: readonly { readonly text: RegExp; readonly why: string }[] = [];

/** Somebody to be called, by a group of their own. */
type Prompt = { readonly name: string; readonly person: number; readonly group: number };

export class FuzzSite {
  readonly t: TestContext;
  readonly caller: Caller;
  readonly #server: ServerProcess;
  #raised = 0;
  /** How much of the log was judged. */
  #judged = 0;

  private constructor(t: TestContext, server: ServerProcess, caller: Caller) {
    this.t = t;
    this.#server = server;
    this.caller = caller;
  }

  static async open(t: TestContext, environment: Readonly<Record<string, string>>): Promise<FuzzSite> {
    const server = await startServer(environment);
    t.after(() => server.end('SIGKILL'));
    const caller = await callerOn(server);
    const site = new FuzzSite(t, server, caller);
    await site.#callsThePerson(await site.#newPerson());
    return site;
  }

  get url(): string {
    return this.#server.url;
  }

  get port(): number {
    return Number(new URL(this.#server.url).port);
  }

  /** Runs a door with an alarm in its midst and another one after it. */
  async withstands(door: Door, chance: Chance, count: number): Promise<void> {
    const [during, after] = [await this.#newPerson(), await this.#newPerson()];
    const half = Math.ceil(count / 2);
    const running = door.run(this, chance, half);
    running.catch(() => {});
    await this.#callsThePerson(during);
    const first = await running;
    const before = await this.#memoryMb();
    const sent = first + (await door.run(this, chance, half));
    await this.#callsThePerson(after);
    const memory = await this.#memoryMb();
    this.t.diagnostic(
      `${door.name}: ${sent} inputs; ${before.toFixed(0)} MB after half, ${memory.toFixed(0)} at the end`,
    );
    assert.ok(sent >= count, `${door.name} sent ${sent} of ${count}`);
    assert.ok(memory < before + mostGrowthMb, `${door.name}: ${memory} MB`);
    this.#assertNoError(door.name);
  }

  #assertNoError(name: string): void {
    const lines = this.#server.output().slice(this.#judged).split('\n');
    this.#judged = this.#server.output().length;
    const errors = lines.filter((line) => /"level":[56]0/.test(line));
    const unnamed = errors.filter((line) => !namedErrors.some(({ text }) => text.test(line)));
    assert.deepEqual(unnamed.slice(0, 5), [], `${name}: errors in the log`);
  }

  /** Every alarm that was confirmed is there. */
  async expectAlarms(ids: ReadonlySet<number>): Promise<void> {
    for (const id of ids) {
      const status = async (): Promise<number> => (await this.caller.request('GET', `/alarms/${id}`)).status;
      // Connections that were cut are made anew.
      assert.equal(await until(status, (found) => found !== 503), 200, `alarm ${id} was confirmed`);
    }
    this.t.diagnostic(`${ids.size} alarms were confirmed, and all are there`);
  }

  /** Somebody who was not called yet: the telephone of one who was has a rest first. */
  async #newPerson(): Promise<Prompt> {
    const name = `Prompt ${++this.#raised}`;
    const person = await personOn(this.caller, name, { channel: 'simulator', address: `+331000${this.#raised}` });
    return { name, person, group: await groupOn(this.caller, name, [person]) };
  }

  /** Raises an alarm, again while it is refused as by a client, and waits until the telephone rings. */
  async #callsThePerson({ name, person, group }: Prompt): Promise<void> {
    const alarmActions = [{ type: 'CallGroup', id: group }];
    const alarm = { path: name, alarmMessage: name, priority: 1, alarmActions };
    const raise = () => this.caller.request('POST', '/alarms', alarm);
    const { body: id } = await until(raise, ({ status }) => status === 200);
    const phone = () => this.caller.request('GET', `/simulator/phones/${person}`);
    await until(phone, ({ status, text }) => status === 200 && text.includes(name));
    const acknowledge = () => this.caller.request('POST', `/alarms/${id}/acknowledge`);
    await until(acknowledge, ({ status }) => status === 200);
  }

  async #memoryMb(): Promise<number> {
    const status = await readFile(`/proc/${this.#server.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }
}

export function personOn(caller: Caller, name: string, number: object): Promise<number> {
  return caller.create('/users', { name, firstName: name, role: 'operator', numbers: [{ countTry: 1, ...number }] });
}

export async function groupOn(caller: Caller, name: string, people: readonly number[]): Promise<number> {
  const team = await caller.create('/teams', { name, members: people.map((userId) => ({ userId, relief: false })) });
  return caller.create('/callgroups', { name, stationId: 1, teamIds: [team] });
}

/** Works until so many inputs were sent, some at a time; `sent` counts them. What is still under way then is not waited for. */
export async function untilSent(
  count: number,
  atOnce: number,
  sent: () => number,
  work: () => Promise<unknown>,
): Promise<number> {
  let isOver = false;
  const worker = async (): Promise<void> => {
    while (!isOver) {
      await work();
      if (sent() >= count) return;
    }
  };
  try {
    await Promise.race(Array.from({ length: atOnce }, worker));
  } finally {
    isOver = true;
  }
  return sent();
}
