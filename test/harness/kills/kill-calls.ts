// Kills servers at random times while calls are due, counts the calls that were missed, made twice or made late, and has the checkers of
// the calling engine judge what the interface then shows.

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { type Admin, signInAsAdmin } from './admin.ts';
import { makeCrew, raiseForCrew, takeSome } from './crew.ts';
import { judgeShown, readTimelines, type ShownAttempt } from './shown-day.ts';

export type KillPlan = {
  /** The settings of each node; several share one database. */
  readonly environments: readonly Readonly<Record<string, string>>[];
  readonly calls: number;
  /** Groups of people who answer nothing, with alarms that are judged by the checkers of the calling engine. */
  readonly crews: number;
  readonly kills: number;
  /** The shortest and the longest time between a start and the next kill. */
  readonly restMs: readonly [least: number, most: number];
};

export type KillCounts = {
  readonly calls: number;
  readonly kills: number;
  readonly missed: number;
  /** Attempts beyond one per call, and messages that reached a phone twice. */
  readonly extraAttempts: number;
  readonly extraMessages: number;
  /** The longest time from when a call fell due until its message was delivered, including the time without a server. */
  readonly latestMs: number;
  /** The longest time from when a call fell due, or a server was started again, until its message was delivered. */
  readonly longestWaitMs: number;
  /** Alarms of the crews, attempts for them, and what the checkers found. */
  readonly crewAlarms: number;
  readonly crewAttempts: number;
  readonly violations: readonly string[];
};

const perRequest = 500;
/** Nobody waits longer for what a killed node did. */
const slackMs = 15_000;
/** The approximate time that a kill and a start take. */
const startMs = 1_000;
const longestMs = 120_000;

/** Creates people with a pager each and raises an alarm for each, delayed so that the calls fall due during the kills. */
export async function killDuringCalls({ environments, calls, crews, kills, restMs }: KillPlan): Promise<KillCounts> {
  const servers: ServerProcess[] = [];
  for (const environment of environments) servers.push(await startServer(environment));
  const admin = await signInAsAdmin(() => servers.map(({ url }) => url));
  const seconds = Math.ceil((kills * (restMs[1] + startMs)) / 1000);
  const userIds = await makePeople(admin, calls);
  const crew = await makeCrew(admin, crews);
  const dueAt = await raiseFor(admin, userIds, seconds);
  const crewAlarms = await raiseForCrew(admin, crew, seconds / 2);
  const taken = takeSome(admin, crewAlarms, seconds);
  const returns: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await pause(randomInt(...restMs));
    const victim = randomInt(servers.length);
    await servers[victim]?.end('SIGKILL');
    servers[victim] = await startServer(environments[victim] ?? {});
    returns.push(Date.now());
  }
  // The last resort is called as well, for alarms that their pagers have only shown.
  const called = new Set(userIds);
  const rows = (await allMade(admin, calls)).filter(({ userId }) => called.has(userId));
  await taken;
  const end = Date.now();
  const attempts = (await readHistory(admin)).filter(({ userId }) => crew.snapshot.people.has(userId));
  const timelines = await readTimelines(admin, crewAlarms);
  const messages = await countMessages(admin, userIds);
  for (const server of servers) await server.end('SIGTERM');
  const made = Map.groupBy(rows, ({ userId }) => userId);
  const deliveries = rows.map(({ userId, endTime }) => ({
    at: Date.parse(endTime ?? ''),
    due: dueAt.get(userId) ?? 0,
  }));
  const waits = deliveries.map(({ at, due }) => at - Math.max(due, ...returns.filter((back) => back <= at)));
  return {
    calls,
    kills,
    missed: userIds.filter((id) => !made.has(id)).length,
    extraAttempts: rows.length - made.size,
    extraMessages: messages - made.size,
    latestMs: Math.max(...deliveries.map(({ at, due }) => at - due)),
    longestWaitMs: Math.max(...waits),
    crewAlarms: crewAlarms.length,
    crewAttempts: attempts.length,
    violations: judgeShown({ crew, alarms: crewAlarms, attempts, timelines, end, slackMs }),
  };
}

/** `statuses`: those that are taken for an answer. */
async function makePeople(admin: Admin, count: number): Promise<readonly number[]> {
  const pager = (n: number) => [{ channel: 'pager', address: `pager ${n}`, ackAutoDefault: 1, countTry: 3 }];
  const ids: number[] = [];
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, (_, n) => from + n);
    const made = some.map((n) =>
      admin.ask<number>('POST', '/users', { name: `person ${n}`, role: 'operator', numbers: pager(n) }),
    );
    ids.push(...(await Promise.all(made)));
  }
  return ids;
}

/** Raises alarms whose calls fall due at random times while servers are killed; returns the due times by user. */
async function raiseFor(
  admin: Admin,
  userIds: readonly number[],
  seconds: number,
): Promise<ReadonlyMap<number, number>> {
  const dueAt = new Map<number, number>();
  for (let from = 0; from < userIds.length; from += perRequest) {
    const sentAt = Date.now();
    const bodies = userIds.slice(from, from + perRequest).map((id) => {
      const delay = randomInt(1, seconds);
      dueAt.set(id, sentAt + delay * 1000);
      const alarmActions = [{ type: 'CallUser', id, parameter: String(delay) }];
      return { path: `Line ${id}`, alarmMessage: `Line ${id} has stopped`, alarmActions };
    });
    await admin.ask('POST', '/alarms/batch', bodies);
  }
  return dueAt;
}

/** Waits until every pager has its call; returns the rows of the call history. */
async function allMade(admin: Admin, calls: number): Promise<readonly ShownAttempt[]> {
  for (const deadline = Date.now() + longestMs; ; ) {
    const { paging } = await admin.ask<{ paging: { total: number } }>('GET', '/call/histories?status=5&limit=0');
    if (paging.total >= calls || Date.now() > deadline) break;
    await pause(250);
  }
  return readHistory(admin);
}

async function readHistory(admin: Admin): Promise<readonly ShownAttempt[]> {
  const rows: ShownAttempt[] = [];
  for (let offset = 0; ; offset += 1000) {
    const page = await admin.ask<{ items: ShownAttempt[] }>('GET', `/call/histories?limit=1000&offset=${offset}`);
    rows.push(...page.items);
    if (page.items.length < 1000) return rows;
  }
}

async function countMessages(admin: Admin, userIds: readonly number[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < userIds.length; from += 50) {
    const phones = userIds
      .slice(from, from + 50)
      .map((id) => admin.ask<readonly unknown[]>('GET', `/simulator/phones/${id}`));
    for (const messages of await Promise.all(phones)) count += messages.length;
  }
  return count;
}
