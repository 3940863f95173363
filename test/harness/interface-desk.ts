// A desk at the whole interface, signed in as the administrator: asks, makes, sends and lists, and fails when refused.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Row } from './alarm-desk.ts';
import { startTestApp } from './app.ts';
import type { StoreName } from './stores.ts';

export type Listed = { readonly items: readonly Row[]; readonly paging: Readonly<Record<string, number>> };

export async function interfaceDesk(t: TestContext, kind: StoreName) {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const ask = (method: string, path: string, body?: unknown, as = token) =>
    app.request(method, `/api/v1/${path}`, { token: as, body });
  /** Answers the id of what was made. */
  const make = async (path: string, body: object): Promise<number> => {
    const answer = await ask('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as number;
  };
  const send = (body: object) => make('alarms', body);
  const list = async (path: string) => {
    const answer = await ask('GET', path);
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.body as Listed;
  };
  return { app, token, ask, make, send, list };
}
