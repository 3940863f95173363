// A desk from which a test keeps the directory of calling, as the administrator and as others.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Answer, startTestApp, type TestApp } from './app.ts';
import type { StoreName } from './stores.ts';

export type Row = Readonly<Record<string, unknown>>;
export type List = { readonly items: readonly Row[]; readonly paging: { readonly total: number } };
export type Problem = {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;
export type CallingDesk = Awaited<ReturnType<typeof callingDesk>>;

export async function callingDesk(t: TestContext, kind: StoreName) {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const ask = askAs(app, token);
  /** Makes something that must be taken; answers its id. */
  const make = async (path: string, body: object): Promise<number> => {
    const answer = await ask('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as number;
  };
  const get = async (path: string) => (await ask('GET', path)).body as Row;
  /** What a key that is bound to a station may ask. */
  const bound = async (stationId: number, scopes = ['directory:read', 'directory:write', 'alarms:ack']) => {
    const body = { name: `key ${stationId}`, scopes, stationIds: [stationId], expiryTime: '2030-01-01' };
    const answer = await ask('POST', 'auth/keys', body);
    assert.equal(answer.status, 200, answer.text);
    return askAs(app, (answer.body as { token: string }).token);
  };
  return { app, token, ask, make, get, bound };
}

export function askAs(app: TestApp, token: string): Ask {
  return (method, path, body) => app.request(method, `/api/v1/${path}`, { token, body });
}

export const listed = (answer: Answer): readonly Row[] => (answer.body as List).items;
export const names = (answer: Answer): unknown[] => listed(answer).map(({ name }) => name);

/** The status of a refusal and the first field it names. */
export function refusal(answer: Answer): [status: number, field: string | undefined] {
  return [answer.status, (answer.body as Problem).errors?.[0]?.field];
}

export const detail = (answer: Answer): string => (answer.body as Problem).detail;
