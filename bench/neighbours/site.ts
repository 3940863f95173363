// Fills a measured server with people, a large calendar and alarms that share a word.

import { type Subject, startTocsin } from '../server.ts';

export type Site = {
  readonly subject: Subject;
  readonly groupIds: readonly number[];
  readonly userId: number;
  readonly scheduleId: number;
};

const groups = 200;
const alarms = 20_000;

export async function ask<T>(
  { url, token }: Pick<Subject, 'url' | 'token'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** A schedule with as many entries as the interface accepts. */
export function largeSchedule(teamIds: readonly number[]): object {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const team = (n: number): number => teamIds[n % teamIds.length] ?? 0;
  return {
    name: 'a large calendar',
    timeZone: 'Europe/Paris',
    holidays: {
      dates: Array.from({ length: 300 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + 3 * n)).toISOString().slice(0, 10)),
    },
    weekly: Array.from({ length: 100 }, (_, n) => ({
      teamId: team(n),
      days,
      from: `${String(n % 24).padStart(2, '0')}:${n < 50 ? '00' : '30'}`,
      to: '24:00',
    })),
    rotations: Array.from({ length: 20 }, (_, n) => ({
      teamIds: [team(n), team(n + 1)],
      every: '1d',
      handOver: `${String(n).padStart(2, '0')}:00`,
      start: '2026-01-05',
    })),
    overrides: Array.from({ length: 1_000 }, (_, n) => ({
      teamId: team(n),
      from: new Date(Date.UTC(2026, 10, 1, 6 * n)).toISOString().slice(0, 16),
      to: new Date(Date.UTC(2026, 10, 1, 6 * n + 3)).toISOString().slice(0, 16),
      reason: 'swap',
    })),
  };
}

/** Starts a server and fills it. */
export async function openSite(name: string, folder: string, databaseUrl?: string): Promise<Site> {
  const subject = await startTocsin(name, folder, databaseUrl);
  const groupIds: number[] = [];
  const teamIds: number[] = [];
  let userId = 0;
  for (let n = 0; n < groups; n++) {
    const numbers = [{ channel: 'pager', address: `pager ${n}` }];
    userId = await ask<number>(subject, 'POST', '/users', { name: `person ${n}`, role: 'operator', numbers });
    const members = [{ userId, relief: false }];
    teamIds.push(await ask<number>(subject, 'POST', '/teams', { name: `team ${n}`, members }));
  }
  const scheduleId = await ask<number>(subject, 'POST', '/schedules', largeSchedule(teamIds.slice(0, 20)));
  for (let n = 0; n < groups; n++)
    groupIds.push(
      await ask<number>(subject, 'POST', '/callgroups', {
        name: `group ${n}`,
        teamIds: [teamIds[n]],
        ...(n < 20 ? { scheduleId } : {}),
      }),
    );
  for (let from = 0; from < alarms; from += 500) {
    const batch = Array.from({ length: 500 }, (_, n) => ({
      path: `Plant/Pump${from + n}`,
      alarmMessage: `Pump ${from + n} is too hot, look at its bearing`,
      eventCondition: { transitory: true },
    }));
    await ask(subject, 'POST', '/alarms/batch', batch);
  }
  return { subject, groupIds, userId, scheduleId };
}
