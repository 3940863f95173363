// A desk from which a test sends alarms and looks at them, signed in as the administrator.

import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';

export type Row = Readonly<Record<string, unknown>>;
export type List = { readonly items: readonly Row[]; readonly paging: { readonly total: number } };

export async function alarmDesk(app: TestApp) {
  const token = await app.signIn();
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, `/api/v1/alarms${path}`, { token, body });
  /** Sends an alarm that must be taken; answers its id. */
  const send = async (body: object): Promise<number> => {
    const answer = await ask('POST', '', body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as number;
  };
  const alarm = async (id: number) => (await ask('GET', `/${id}`)).body as Row;
  const list = async (path: string) => (await ask('GET', path)).body as List;
  const histories = async () => (await list('/histories')).items;
  return { app, ask, send, alarm, list, histories };
}

/** Acknowledges what Tocsin itself told of, such as actions that name nothing; those alarms are then gone. */
export async function dismissSystemAlarms(app: TestApp, token: string): Promise<readonly Row[]> {
  const page = await app.request('GET', '/api/v1/alarms?search=system&limit=1000', { token });
  const own = (page.body as List).items.filter(({ path }) => String(path).startsWith('system/'));
  for (const { id } of own) {
    const answer = await app.request('POST', `/api/v1/alarms/${id}/acknowledge`, { token });
    assert.equal(answer.status, 200, answer.text);
  }
  return own;
}
