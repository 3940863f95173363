// The requests of one caller to a site, and the alarms as that caller sends and sees them.

import assert from 'node:assert/strict';
import type { Answer, TestApp } from './app.ts';

export type Row = Readonly<Record<string, unknown>>;
export type List = {
  readonly items: readonly Row[];
  readonly paging: Readonly<Record<string, number>> & { readonly total: number };
};
export type Problem = {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
};

/** The server of a site; a restart replaces `app`. */
export type Running = { app: TestApp };

const keyLifeMs = 30 * 86_400_000;
/** Numbers the keys of this process, so that no two have the same name. */
let keyCount = 0;

/** Sends requests with one token. Paths are those of the interface below `/api/v1`, such as `/users/7`. */
export class Caller {
  readonly alarms: Alarms;
  protected readonly running: Running;
  #token: string;

  constructor(running: Running, token: string) {
    this.running = running;
    this.#token = token;
    this.alarms = new Alarms(this);
  }

  get app(): TestApp {
    return this.running.app;
  }

  get token(): string {
    return this.#token;
  }

  /** Replaces the token of the administrator; sessions end when a test moves the clock by years. */
  async signInAgain(): Promise<void> {
    this.#token = await this.app.signIn();
  }

  /** Sends a request that may be refused. */
  request(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.app.request(method, `/api/v1${path}`, { token: this.token, body });
  }

  /** Sends a request that must succeed; returns the body of the response. */
  async ask<T = Row>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.request(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.body as T;
  }

  /** Returns the id of the created object. */
  create(path: string, body: object): Promise<number> {
    return this.ask<number>('POST', path, body);
  }

  /** Sends the form of a page outside of the interface, which has no token. */
  sendForm(path: string): ReturnType<TestApp['request']> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.running.app.request('POST', path, { headers });
  }

  list(path: string): Promise<List> {
    return this.ask<List>('GET', path);
  }

  /** The same requests with another token. */
  as(token: string): Caller {
    return new Caller(this.running, token);
  }

  /** Creates an API key; returns its token. Without station ids the key is not bound to stations. */
  async keyFor(scopes: readonly string[], stationIds: readonly number[] = []): Promise<string> {
    const expiryTime = new Date(this.app.clock.now() + keyLifeMs).toISOString();
    const body = { name: `key ${++keyCount}`, scopes, stationIds, expiryTime };
    return (await this.ask<{ token: string }>('POST', '/auth/keys', body)).token;
  }
}

class Alarms {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Sends an alarm; returns its id. */
  async send(body: object): Promise<number> {
    return (await this.report(body)).id;
  }

  /** Sends an alarm; returns its id and the warnings about actions that cannot be carried out. */
  async report(body: object): Promise<{ readonly id: number; readonly warnings: string | null }> {
    const answer = await this.#caller.request('POST', '/alarms', body);
    assert.equal(answer.status, 200, answer.text);
    return { id: answer.body as number, warnings: answer.headers.get('tocsin-warnings') };
  }

  /** Sends an alarm of priority 1 that calls the group; returns its id. */
  raise(groupId: number, more: object = {}): Promise<number> {
    const alarmActions = [{ type: 'CallGroup', id: groupId }];
    return this.send({
      path: 'Plant/Pump1',
      alarmMessage: 'Pump1 is too hot',
      priority: 1,
      alarmActions,
      ...more,
    });
  }

  /** Sends the return to normal of an alarm. */
  async returnsToNormal(path = 'Plant/Pump1'): Promise<void> {
    await this.send({ path, raised: false });
  }

  get(id: number): Promise<Row> {
    return this.#caller.ask('GET', `/alarms/${id}`);
  }

  async acknowledge(id: number): Promise<void> {
    await this.#caller.ask('POST', `/alarms/${id}/acknowledge`);
  }

  /** The current alarms; `query` begins with a question mark. */
  list(query = ''): Promise<List> {
    return this.#caller.list(`/alarms${query}`);
  }

  histories(query = ''): Promise<List> {
    return this.#caller.list(`/alarms/histories${query}`);
  }

  timeline(id: number): Promise<readonly { readonly event: string; readonly data: Row }[]> {
    return this.#caller.ask('GET', `/alarms/${id}/timeline`);
  }

  /** The current alarms that Tocsin itself raised, such as those about actions that cannot be carried out. */
  async fromTocsin(): Promise<readonly Row[]> {
    const { items } = await this.list('?search=system&limit=1000');
    return items.filter(({ path }) => String(path).startsWith('system/'));
  }

  /** Acknowledges Tocsin's own alarms, which removes them from the list of current alarms; returns them. */
  async dismissThoseFromTocsin(): Promise<readonly Row[]> {
    const own = await this.fromTocsin();
    for (const { id } of own) await this.acknowledge(Number(id));
    return own;
  }
}

export const listed = (answer: Answer): readonly Row[] => (answer.body as List).items;
export const names = (answer: Answer): unknown[] => listed(answer).map(({ name }) => name);

/** The status of a refusal and the first field it names. */
export function refusal(answer: Answer): [status: number, field: string | undefined] {
  return [answer.status, (answer.body as Problem).errors?.[0]?.field];
}

export const detail = (answer: Answer): string => (answer.body as Problem).detail;
