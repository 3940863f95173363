// Clients that raise alarms, acknowledge them and call groups, and a hub client, while the server is killed at random. They
// write an append-only history for the checker.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { Chance } from '../chance.ts';
import { adminPassword } from '../site/app.ts';
import type { List, Row } from '../site/site-caller.ts';
import { until } from '../until.ts';
import type { HistoryEntry, Remains, Requested } from './kill-checker.ts';

/** People who are called for one alarm or one call each: by pager once, by text again and again until it is acknowledged. */
type People = {
  readonly paged: number[];
  readonly texted: number[];
  readonly groups: { id: number; userId: number }[];
};

const raisers = 4;
const longestSettleMs = 60_000;
const lookMs = 250;
/** How long an alarm is called for before it is acknowledged: long enough for some texts. */
const beforeAckMs = [200, 2_500] as const;

type Pushed = { readonly id: number; readonly message: string };

export class KillLoad {
  readonly history: HistoryEntry[] = [];
  readonly #url: string;
  readonly #chance: Chance;
  #token = '';
  #people: People = { paged: [], texted: [], groups: [] };
  readonly #calledOnce = new Set<number>();
  readonly #called = new Set<number>();
  /** Alarms that are called for until they are acknowledged. */
  readonly #unacknowledged: { readonly alarmId: number; readonly userId: number; readonly from: number }[] = [];
  #requests = 0;
  #wanted: { left: number; readonly resolve: () => void } | undefined;
  #isEnding = false;
  #clients: Promise<unknown> = Promise.resolve();
  readonly #hub: RecoveringHub;

  constructor(url: string, chance: Chance) {
    this.#url = url;
    this.#chance = chance;
    this.#hub = new RecoveringHub(url, ({ id, message }) => this.#note({ kind: 'push', alarmId: id, text: message }));
  }

  /** Makes the people to call and connects to the hub; `size` is how many of each kind. */
  async prepare(size: number): Promise<void> {
    const login = { grant_type: 'password', username: 'admin', password: adminPassword };
    const signedIn = await this.#ask<{ access_token: string }>('POST', '/auth/login', login);
    this.#token = signedIn.access_token;
    const pager = { channel: 'pager', address: 'pager', ackAutoDefault: 1, countTry: 3 };
    const text = { channel: 'sms', address: '+33 6000', timeToAck: 1, countAck: 100 };
    const person = (name: string, number: object) =>
      this.#ask<number>('POST', '/users', { name, role: 'operator', numbers: [number] });
    const addressed = (number: { address: string }, n: number) => ({ ...number, address: `${number.address} ${n}` });
    for (let n = 0; n < size; n++) {
      this.#people.paged.push(await person(`paged ${n}`, addressed(pager, n)));
      if (n % 3 !== 0) continue;
      this.#people.texted.push(await person(`texted ${n}`, addressed(text, n)));
      const userId = await person(`member ${n}`, addressed(pager, size + n));
      const teamId = await this.#ask<number>('POST', '/teams', { name: `team ${n}`, members: [{ userId }] });
      const id = await this.#ask<number>('POST', '/callgroups', { name: `group ${n}`, teamIds: [teamId] });
      this.#people.groups.push({ id, userId });
    }
    for (const id of [...this.#people.paged, ...this.#people.groups.map(({ userId }) => userId)])
      this.#calledOnce.add(id);
    await this.#hub.begin(this.#token);
  }

  /** Waits until this many more requests are answered. */
  untilAnswered(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wanted = { left: count, resolve };
    return promise;
  }

  begin(): void {
    const clients = Array.from({ length: raisers }, (_, client) => this.#raise(client));
    this.#clients = Promise.all([...clients, this.#acknowledge(), this.#callGroups()]);
  }

  noteKill(): void {
    this.#note({ kind: 'kill' });
  }

  /** Stops the clients, waits until everything that was answered is called and pushed, and returns what is left. */
  async end(): Promise<Remains> {
    this.#isEnding = true;
    await this.#clients;
    for (let waitedMs = 0; waitedMs < longestSettleMs && !(await this.#isSettled()); waitedMs += lookMs)
      await pause(lookMs);
    const remains = await this.#read();
    await this.#hub.end();
    return remains;
  }

  /** Whether everybody who must be called was called, and the hub has sent every alarm. */
  async #isSettled(): Promise<boolean> {
    const [alarms, attempts] = [await this.#alarms(), await this.#attempts()];
    const reached = new Set(attempts.filter(({ endedAt }) => endedAt !== undefined).map(({ userId }) => userId));
    return [...this.#called].every((id) => reached.has(id)) && alarms.every(({ id }) => this.#hub.received.has(id));
  }

  #note(entry: Unstamped): void {
    this.history.push({ at: Date.now(), ...entry });
  }

  /** Sends a request and notes how it ended; returns the body if the server carried it out. */
  async #request(requested: Requested, path: string, body: unknown): Promise<unknown> {
    const request = ++this.#requests;
    this.#note({ kind: 'invoke', request, requested });
    const answer = await this.#send('POST', path, body).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer === undefined || text === undefined) {
      this.#note({ kind: 'info', request });
      await this.#untilServed();
      return undefined;
    }
    if (!answer.ok) {
      this.#note({ kind: 'fail', request, status: answer.status });
      return undefined;
    }
    const result: unknown = JSON.parse(text);
    if (this.#wanted !== undefined && --this.#wanted.left === 0) this.#wanted.resolve();
    this.#note({ kind: 'ok', request, ...(typeof result === 'number' ? { id: result } : {}) });
    if (requested.what === 'acknowledge') this.#called.delete(requested.userId);
    else if (requested.userId !== undefined) this.#called.add(requested.userId);
    return result;
  }

  #send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#send(method, path, body);
    assert.equal(answer.status, 200, `${method} ${path}`);
    return (await answer.json()) as T;
  }

  async #untilServed(): Promise<void> {
    const isServed = () =>
      fetch(`${this.#url}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isServed, (isSo) => isSo, longestSettleMs);
  }

  async #raise(client: number): Promise<void> {
    for (let n = 0; !this.#isEnding; n++) {
      const text = `raised ${client}/${n}`;
      const kind = this.#chance.percent(30) ? (this.#chance.percent(70) ? 'paged' : 'texted') : undefined;
      const userId = kind && this.#people[kind].pop();
      // Some calls fall due after a delay, perhaps while no server runs.
      const parameter = String(kind === 'paged' ? this.#chance.int(0, 4) : 0);
      const alarmActions = userId === undefined ? [] : [{ type: 'CallUser', id: userId, parameter }];
      const requested = { what: 'raise', client, text, ...(userId === undefined ? {} : { userId }) } as const;
      const body = { path: text, alarmMessage: text, priority: 1, alarmActions };
      const id = await this.#request(requested, '/alarms', body);
      if (kind === 'texted' && userId !== undefined && typeof id === 'number')
        this.#unacknowledged.push({ alarmId: id, userId, from: Date.now() + this.#chance.int(...beforeAckMs) });
      await pause(this.#chance.int(0, 10));
    }
  }

  /** Acknowledges alarms that are being called for, also those that are left when the others end. */
  async #acknowledge(): Promise<void> {
    while (!this.#isEnding || this.#unacknowledged.length > 0) {
      await pause(this.#chance.int(20, 100));
      const next = this.#unacknowledged.shift();
      if (next !== undefined && next.from > Date.now()) this.#unacknowledged.push(next);
      if (next === undefined || next.from > Date.now()) continue;
      const before = this.history.length;
      const { alarmId, userId } = next;
      await this.#request({ what: 'acknowledge', alarmId, userId }, `/alarms/${alarmId}/acknowledge`, {});
      // Nobody knows whether it was carried out, so it is sent again.
      if (this.history.slice(before).some(({ kind }) => kind === 'info')) this.#unacknowledged.push(next);
    }
  }

  async #callGroups(): Promise<void> {
    while (!this.#isEnding) {
      await pause(this.#chance.int(50, 300));
      const group = this.#people.groups.pop();
      if (group === undefined) return;
      const text = `group ${group.id} is called`;
      const body = { callGroupIds: [group.id], msgText: text };
      await this.#request({ what: 'call-group', text, userId: group.userId }, '/call/groups', body);
    }
  }

  async #all(path: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let total = 1; rows.length < total; ) {
      const page = await this.#ask<List>('GET', `${path}?limit=1000&offset=${rows.length}`);
      total = page.paging.total;
      rows.push(...page.items);
    }
    return rows;
  }

  async #alarms(): Promise<Remains['alarms']> {
    const alarms = (await this.#all('/alarms')).filter(({ path }) => !String(path).startsWith('system/'));
    return alarms.map(({ id, message, state }) => ({
      id: Number(id),
      text: String(message),
      isAcknowledged: (Number(state) & 2) === 0,
    }));
  }

  async #attempts(): Promise<Remains['attempts']> {
    return (await this.#all('/call/histories')).map(({ id, userId, startTime, endTime }) => ({
      id: Number(id),
      userId: Number(userId),
      startedAt: Date.parse(String(startTime)),
      endedAt: endTime === undefined ? undefined : Date.parse(String(endTime)),
    }));
  }

  async #read(): Promise<Remains> {
    const attempts = await this.#attempts();
    const messages: { attemptId: number }[] = [];
    for (const userId of new Set(attempts.map((row) => row.userId))) {
      const phone = await this.#ask<readonly Row[]>('GET', `/simulator/phones/${userId}`);
      messages.push(...phone.map(({ callId }) => ({ attemptId: Number(callId) })));
    }
    return { alarms: await this.#alarms(), attempts, messages, calledOnce: this.#calledOnce };
  }
}

type Unstamped = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'at'> : never) : never;

/**
 * A hub client that connects again whenever its connection ends, and goes on from its last position. Alarms count as
 * received once the subscription is made: a client that is cut off before does not know where it was.
 */
class RecoveringHub {
  /** The ids of the alarms it received. */
  readonly received = new Set<number>();
  readonly #url: string;
  readonly #onAlarm: (alarm: Pushed) => void;
  #token = '';
  #position: string | undefined;
  #connection: HubConnection | undefined;
  #isEnding = false;
  #reconnecting: Promise<void> = Promise.resolve();

  constructor(url: string, onAlarm: (alarm: Pushed) => void) {
    this.#url = url;
    this.#onAlarm = onAlarm;
  }

  async begin(token: string): Promise<void> {
    this.#token = token;
    await this.#connect();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#reconnecting;
    await this.#connection?.stop();
  }

  async #connect(): Promise<void> {
    const settings = { accessTokenFactory: () => this.#token, transport: HttpTransportType.WebSockets };
    const builder = new HubConnectionBuilder().withUrl(`${this.#url}/alarmHub`, settings);
    const connection = builder.configureLogging(LogLevel.None).build();
    this.#connection = connection;
    /** What came before the subscription; undefined once it is made. */
    let early: (() => void)[] | undefined = [];
    const take = (change: () => void): void => void (early === undefined ? change() : early.push(change));
    connection.on('onAlarm', (alarm: Pushed) => take(() => this.#receive(alarm)));
    connection.on('onPosition', (position: string) => take(() => this.#moveTo(position)));
    connection.onclose(() => {
      // A connection that ends before the subscription is made fails below, and is tried again there.
      if (early === undefined && !this.#isEnding) this.#reconnecting = this.#reconnect();
    });
    await connection.start();
    const { position, recovered } = await connection.invoke('subscribe', { since: this.#position });
    assert.ok(
      recovered || this.#position === undefined,
      'the hub knows the last position of a client that was cut off',
    );
    for (const change of early) change();
    early = undefined;
    this.#moveTo(position);
  }

  #receive(alarm: Pushed): void {
    if (String((alarm as Pushed & Row).path).startsWith('system/')) return;
    this.received.add(alarm.id);
    this.#onAlarm(alarm);
  }

  #moveTo(position: string): void {
    this.#position = position;
  }

  async #reconnect(): Promise<void> {
    for (;;) {
      try {
        await pause(20);
        if (this.#isEnding) return;
        await this.#connect();
        return;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        await this.#connection?.stop().catch(() => undefined);
      }
    }
  }
}
