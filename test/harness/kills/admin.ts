// The administrator of servers that are killed and started again: asks one after the other until one of them responds.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { adminPassword } from '../site/app.ts';

export type Admin = {
  ask<T>(method: string, path: string, body?: unknown, statuses?: readonly number[]): Promise<T>;
};

/** Signs in as the administrator; each request is sent to one server after the other until one of them responds. */
export async function signInAsAdmin(urls: () => readonly string[]): Promise<Admin> {
  const login = new URLSearchParams({ grant_type: 'password', username: 'admin', password: adminPassword });
  const signedIn = await fetch(`${urls()[0]}/api/v1/auth/login`, { method: 'POST', body: login });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  return {
    async ask<T>(method: string, path: string, body?: unknown, statuses: readonly number[] = [200]): Promise<T> {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      for (let n = 0; ; n++) {
        try {
          const url = urls()[n % urls().length];
          const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
          const answer = await fetch(`${url}/api/v1${path}`, init);
          assert.ok(statuses.includes(answer.status), `${answer.status} ${await answer.clone().text()}`);
          return (await answer.json()) as T;
        } catch (error) {
          if (error instanceof assert.AssertionError || n > 100) throw error;
          await pause(100);
        }
      }
    },
  };
}
