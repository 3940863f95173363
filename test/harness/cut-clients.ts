// Clients of the alarm hub whose connections are cut at random while alarms flow, and what they must not have missed.

import { setTimeout as pause } from 'node:timers/promises';
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { startProxy, type TcpProxy } from '../signalr/rig.ts';
import { until } from './until.ts';

/** How a client comes back: on the same connection, as a new one that says where to go on, or as a new one. */
export const cutKinds = ['stateful', 'by position', 'plain'] as const;
export type CutKind = (typeof cutKinds)[number];

const sentAtOnce = 5;
const longestPauseMs = 60;
const retryMs = 10;
const pathOf = (number: number): string => `cut/${number}`;
/** Those that were sent at once with the last one. */
const newest = (last: number): number[] => Array.from({ length: sentAtOnce }, (_, index) => last - index);
const numberOf = (path: string): number => Number(path.split('/')[1]);

/** Sends alarms with rising numbers, a few at once and then the next. */
export class AlarmFlow {
  readonly #send: (path: string) => Promise<unknown>;
  #answered = 0;
  #isEnding = false;
  #flowing: Promise<void> = Promise.resolve();

  /** `send` raises an alarm; no path comes twice. */
  constructor(send: (path: string) => Promise<unknown>) {
    this.#send = send;
  }

  /** The newest that is in the log for sure. */
  get answered(): number {
    return this.#answered;
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
export class CutClient {
  readonly kind: CutKind;
  /** The numbers of the alarms it was told of, in that order. */
  readonly heard: number[] = [];
  /** Those that it was told of although they were in the log before it came. */
  readonly replayed: number[] = [];
  readonly #proxy: TcpProxy;
  readonly #connection: HubConnection;
  #cuts = 0;
  /** How often it came as a new connection. */
  #comings = 0;
  /** The newest alarm that was in the log for sure when it last came. */
  #cameAfter = 0;
  #position: string | undefined;
  #isSubscribed = false;
  /** What it heard since its last position: before it has subscribed nothing says how far it is. */
  #unplaced: number[] = [];
  /** Those of them with which it was cut, hence told again. */
  readonly #heardUnplaced = new Set<number>();

  private constructor(kind: CutKind, proxy: TcpProxy, token: string, flow: AlarmFlow) {
    this.kind = kind;
    this.#proxy = proxy;
    // The token is asked for when a connection is about to be opened, and never while it is open.
    const accessTokenFactory = () => {
      this.#cameAfter = flow.answered;
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
    this.#connection.on('onAlarm', ({ path }) => this.#hear(numberOf(path)));
    this.#connection.on('onPosition', (position) => this.#keepPosition(position));
    this.#connection.onreconnecting(() => {
      this.#isSubscribed = false;
      for (const number of this.#unplaced) this.#heardUnplaced.add(number);
      this.#unplaced = [];
    });
    this.#connection.onreconnected(() => this.#arrive());
  }

  static async start(kind: CutKind, url: string, token: string, flow: AlarmFlow): Promise<CutClient> {
    const client = new CutClient(kind, await startProxy(Number(new URL(url).port)), token, flow);
    await client.#connection.start();
    await client.#arrive();
    return client;
  }

  /** Cuts it so many times, at moments that `random` chooses. */
  async suffer(cuts: number, random: () => number): Promise<void> {
    for (let n = 0; n < cuts; n++) {
      // The published client gives up resuming when it is cut while it does so: then nothing could be promised.
      if (this.kind === 'stateful') await this.#roundTrip();
      await pause(random() * longestPauseMs);
      const { count } = this.#proxy;
      this.#proxy.cut();
      this.#cuts += 1;
      await until(
        () => this.#proxy.count,
        (now) => now > count,
      );
    }
  }

  /** Waits until it is there again, as it should be. */
  async settle(): Promise<void> {
    const isBack = () => this.#connection.state === 'Connected' && (this.kind !== 'by position' || this.#isSubscribed);
    await until(isBack, (isSo) => isSo);
    await this.#roundTrip();
  }

  /** Waits for the last alarm, and those that were sent with it. */
  async untilHeard(last: number): Promise<void> {
    const isHeard = () => newest(last).every((number) => this.heard.includes(number));
    await until(isHeard, (isSo) => isSo);
  }

  /** What went wrong, one sentence each, when `last` was the last alarm that was sent. */
  faults(last: number): string[] {
    const twice = this.heard.filter(
      (number, index) => this.heard.indexOf(number) !== index && !this.#heardUnplaced.has(number),
    );
    const lost = Array.from({ length: last }, (_, index) => index + 1).filter((number) => !this.heard.includes(number));
    const comings = this.kind === 'stateful' ? this.#comings === 1 : this.#comings > 1;
    return [
      ...twice.map((number) => `told twice of ${number}`),
      ...(this.kind === 'plain' ? this.replayed.map((number) => `told of ${number} from before it came`) : []),
      ...(this.kind === 'plain' ? [] : lost.map((number) => `not told of ${number}`)),
      ...(comings ? [] : [`came ${this.#comings} times with ${this.#cuts} cuts`]),
    ];
  }

  async stop(): Promise<void> {
    await this.#connection.stop();
    await this.#proxy.stop();
  }

  /** How many alarms it heard after it had come and before it had subscribed, just when it was cut again. */
  get heardUnplaced(): number {
    return this.#heardUnplaced.size;
  }

  #keepPosition(position: string): void {
    this.#position = position;
    this.#unplaced = [];
  }

  #hear(number: number): void {
    this.heard.push(number);
    if (this.kind === 'by position' && !this.#isSubscribed) this.#unplaced.push(number);
    if (number <= this.#cameAfter) this.replayed.push(number);
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
