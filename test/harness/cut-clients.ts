// Clients of the alarm hub whose connections are cut at random while alarms flow, and what they must not have missed.

import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { startProxy, type TcpProxy } from '../../packages/signalr/test/harness/tcp-proxy.ts';
import { type ClassicClient, classicClient } from './classic-page.ts';
import { until } from './until.ts';

/** How a client comes back: on the same connection, as a new one that says where to go on, or as a new one. */
type CoreKind = 'stateful' | 'by position' | 'plain';
/** Those come back on the same connection, with the id of the last message they got. */
const classicTransports = {
  classic: 'webSockets',
  'classic by events': 'serverSentEvents',
  'classic by polls': 'longPolling',
} as const;
type ClassicKind = keyof typeof classicTransports;
type CutKind = CoreKind | ClassicKind;

/** So many clients of each kind, connected through proxies of their own. */
export function startCutClients(
  counts: Readonly<Record<CutKind, number>>,
  url: string,
  token: string,
  flow: AlarmFlow,
): Promise<CutClient[]> {
  const kinds = (Object.keys(counts) as CutKind[]).flatMap((kind) => Array<CutKind>(counts[kind]).fill(kind));
  return Promise.all(
    kinds.map((kind) =>
      isClassic(kind) ? ClassicCutClient.start(kind, url, token) : CoreCutClient.start(kind, url, token, flow),
    ),
  );
}

function isClassic(kind: CutKind): kind is ClassicKind {
  return kind in classicTransports;
}

const sentAtOnce = 5;
const longestPauseMs = 60;
const retryMs = 10;
/** The state of a classic client that is connected. */
const connectedState = 1;
const pathOf = (number: number): string => `cut/${number}`;
/** Those that were sent at once with the last one. */
const newest = (last: number): number[] => Array.from({ length: sentAtOnce }, (_, index) => last - index);
const numberOf = (path: string): number => Number(path.split('/')[1]);

/** Sends alarms with rising numbers, a few at once and then the next. */
export class AlarmFlow {
  readonly #send: (path: string) => Promise<unknown>;
  #answered = 0;
  #heard = 0;
  #isEnding = false;
  #flowing: Promise<void> = Promise.resolve();

  /** `send` raises an alarm; no path comes twice. */
  constructor(send: (path: string) => Promise<unknown>) {
    this.#send = send;
  }

  /** A client was told of this one as it happened. */
  noteHeard(number: number): void {
    this.#heard = Math.max(this.#heard, number);
  }

  /** Whoever comes now comes after this one. That it was answered is not enough: PostgreSQL numbers it a moment later. */
  get past(): number {
    return Math.floor((this.#heard - 1) / sentAtOnce) * sentAtOnce;
  }

  begin(): void {
    this.#flowing = this.#flow();
  }

  /** The number of the last alarm. */
  async end(): Promise<number> {
    this.#isEnding = true;
    await this.#flowing;
    return this.#answered;
  }

  async #flow(): Promise<void> {
    while (!this.#isEnding) {
      await Promise.all(newest(this.#answered + sentAtOnce).map((number) => this.#send(pathOf(number))));
      this.#answered += sentAtOnce;
    }
  }
}

/** One of the published clients, behind a proxy of its own. */
export abstract class CutClient {
  abstract readonly kind: CutKind;
  protected readonly proxy: TcpProxy;
  protected cuts = 0;

  constructor(proxy: TcpProxy) {
    this.proxy = proxy;
  }

  /** The numbers of the alarms it was told of, in that order. */
  abstract readonly heard: readonly number[];
  /** How many alarms it heard after it had come and before it had subscribed, just when it was cut again. */
  abstract readonly heardUnplaced: number;
  /** Waits until it is there again, as it should be. */
  abstract settle(): Promise<void>;
  /** What went wrong, one sentence each, when `last` was the last alarm that was sent. */
  abstract faults(last: number): string[];

  /** Cuts it so many times, at moments that `random` chooses. */
  async suffer(cuts: number, random: () => number): Promise<void> {
    for (let n = 0; n < cuts; n++) {
      await this.beforeCut();
      await pause(random() * longestPauseMs);
      const { count } = this.proxy;
      this.proxy.cut();
      this.cuts += 1;
      await until(
        () => this.proxy.count,
        (now) => now > count,
      );
    }
  }

  /** Waits for the last alarm, and those that were sent with it. */
  async untilHeard(last: number): Promise<void> {
    const isHeard = () => newest(last).every((number) => this.heard.includes(number));
    await until(isHeard, (isSo) => isSo);
  }

  async stop(): Promise<void> {
    await this.leave();
    await this.proxy.stop();
  }

  protected async beforeCut(): Promise<void> {}
  protected abstract leave(): Promise<void>;

  protected lost(last: number): string[] {
    const all = Array.from({ length: last }, (_, index) => index + 1);
    return all.filter((number) => !this.heard.includes(number)).map((number) => `not told of ${number}`);
  }

  /** But for those that it had to be told again. */
  protected twice(toldAgain: ReadonlySet<number>): string[] {
    const again = this.heard.filter((number, index) => this.heard.indexOf(number) !== index);
    return again.filter((number) => !toldAgain.has(number)).map((number) => `told twice of ${number}`);
  }
}

class CoreCutClient extends CutClient {
  readonly kind: CoreKind;
  readonly heard: number[] = [];
  /** Those that it was told of although they were in the log before it came. */
  readonly #replayed: number[] = [];
  readonly #connection: HubConnection;
  /** How often it came as a new connection. */
  #comings = 0;
  /** The newest alarm that was past for sure when it last came. */
  #cameAfter = 0;
  #position: string | undefined;
  #isSubscribed = false;
  /** What it heard since its last position: before it has subscribed nothing says how far it is. */
  #unplaced: number[] = [];
  /** Those of them with which it was cut, hence told again. */
  readonly #heardUnplaced = new Set<number>();

  private constructor(kind: CoreKind, proxy: TcpProxy, token: string, flow: AlarmFlow) {
    super(proxy);
    this.kind = kind;
    // The token is asked for when a connection is about to be opened, and never while it is open.
    const accessTokenFactory = () => {
      this.#cameAfter = flow.past;
      return token;
    };
    const builder = new HubConnectionBuilder()
      .withUrl(`http://127.0.0.1:${proxy.port}/alarmHub`, {
        accessTokenFactory,
        transport: HttpTransportType.WebSockets,
      })
      .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => retryMs })
      .configureLogging(LogLevel.None);
    if (kind === 'stateful') builder.withStatefulReconnect();
    this.#connection = builder.build();
    this.#connection.on('onAlarm', ({ path }) => {
      this.#hear(numberOf(path));
      // By position some come from the log, perhaps before they are told to others.
      if (kind !== 'by position') flow.noteHeard(numberOf(path));
    });
    this.#connection.on('onPosition', (position) => this.#keepPosition(position));
    this.#connection.onreconnecting(() => {
      this.#isSubscribed = false;
      for (const number of this.#unplaced) this.#heardUnplaced.add(number);
      this.#unplaced = [];
    });
    this.#connection.onreconnected(() => this.#arrive());
  }

  static async start(kind: CoreKind, url: string, token: string, flow: AlarmFlow): Promise<CutClient> {
    const client = new CoreCutClient(kind, await startProxy(Number(new URL(url).port)), token, flow);
    await client.#connection.start();
    await client.#arrive();
    return client;
  }

  async settle(): Promise<void> {
    const isBack = () => this.#connection.state === 'Connected' && (this.kind !== 'by position' || this.#isSubscribed);
    await until(isBack, (isSo) => isSo);
    await this.#roundTrip();
  }

  faults(last: number): string[] {
    const comings = this.kind === 'stateful' ? this.#comings === 1 : this.#comings > 1;
    return [
      ...this.twice(this.#heardUnplaced),
      ...(this.kind === 'plain'
        ? this.#replayed.map((number) => `told of ${number} from before it came`)
        : this.lost(last)),
      ...(comings ? [] : [`came ${this.#comings} times with ${this.cuts} cuts`]),
    ];
  }

  get heardUnplaced(): number {
    return this.#heardUnplaced.size;
  }

  protected leave(): Promise<void> {
    return this.#connection.stop();
  }

  protected override async beforeCut(): Promise<void> {
    // The published client gives up resuming when it is cut while it does so: then nothing could be promised.
    if (this.kind === 'stateful') await this.#roundTrip();
  }

  #keepPosition(position: string): void {
    this.#position = position;
    this.#unplaced = [];
  }

  #hear(number: number): void {
    this.heard.push(number);
    if (this.kind === 'by position' && !this.#isSubscribed) this.#unplaced.push(number);
    if (number <= this.#cameAfter) this.#replayed.push(number);
  }

  async #arrive(): Promise<void> {
    this.#comings += 1;
    if (this.kind !== 'by position') return;
    const filter = this.#position === undefined ? {} : { since: this.#position };
    try {
      const answer = await this.#connection.invoke('subscribe', filter);
      if (this.#position !== undefined && !answer.recovered) throw new Error('The position was not taken.');
      this.#keepPosition(answer.position);
      this.#isSubscribed = true;
    } catch (error) {
      // Cut again meanwhile: the next arrival asks anew.
      if (this.#connection.state === 'Connected') throw error;
    }
  }

  /** Asks for what the hub does not have: the refusal shows that both directions are open. */
  async #roundTrip(): Promise<void> {
    await this.#connection.invoke('areYouThere').catch(() => {});
  }
}

/** Comes back by itself: it is only listened to. */
class ClassicCutClient extends CutClient {
  readonly kind: ClassicKind;
  readonly heardUnplaced = 0;
  readonly #client: ClassicClient;
  readonly #close: () => void;
  #returns = 0;

  private constructor(kind: ClassicKind, proxy: TcpProxy, client: ClassicClient, close: () => void) {
    super(proxy);
    this.kind = kind;
    this.#client = client;
    this.#close = close;
    client.hub.reconnectDelay = retryMs;
    client.hub.reconnected(() => {
      this.#returns += 1;
    });
  }

  static async start(kind: ClassicKind, url: string, token: string): Promise<CutClient> {
    const proxy = await startProxy(Number(new URL(url).port));
    const endings: (() => void)[] = [];
    // The page ends with this client, be there a test around it or not.
    const life: Pick<TestContext, 'after'> = { after: (end) => void endings.push(end as () => void) };
    const page = `http://127.0.0.1:${proxy.port}`;
    const client = await classicClient(life as TestContext, page, token, classicTransports[kind]);
    return new ClassicCutClient(kind, proxy, client, () => {
      for (const end of endings) end();
    });
  }

  get heard(): readonly number[] {
    return this.#client.alarms.map(({ path }) => numberOf(String(path)));
  }

  async settle(): Promise<void> {
    await until(
      () => this.#client.hub.state,
      (state) => state === connectedState,
    );
  }

  faults(last: number): string[] {
    const isBack = this.#returns > 0 && this.#client.hub.state === connectedState;
    return [
      ...this.twice(new Set()),
      ...this.lost(last),
      ...(isBack ? [] : [`came back ${this.#returns} times with ${this.cuts} cuts`]),
    ];
  }

  protected async leave(): Promise<void> {
    this.#close();
  }
}
