// A client of the alarm hub whose connections are cut at random while alarms are sent, and a check of the alarms it received.

import { setTimeout as pause } from 'node:timers/promises';
import type { TcpProxy } from '../../../packages/signalr/test/harness/tcp-proxy.ts';
import { until } from '../until.ts';

const sentAtOnce = 5;
const longestPauseMs = 60;
/** The pause before a client connects again. */
export const retryMs = 10;
const pathOf = (number: number): string => `cut/${number}`;
/** The numbers of the last alarm and of those sent at the same time. */
const newest = (last: number): number[] => Array.from({ length: sentAtOnce }, (_, index) => last - index);
export const numberOf = (path: string): number => Number(path.split('/')[1]);

/** Sends numbered alarms, a few at the same time and then the next. */
export class AlarmFlow {
  readonly #send: (path: string) => Promise<unknown>;
  #answered = 0;
  #heard = 0;
  #isEnding = false;
  #flowing: Promise<void> = Promise.resolve();

  /** Whether each alarm is also changed once and removed. */
  readonly hasChanges: boolean;

  /** `send` raises an alarm, and changes and removes it if `hasChanges`; no path is used twice. */
  constructor(send: (path: string) => Promise<unknown>, hasChanges = false) {
    this.#send = send;
    this.hasChanges = hasChanges;
  }

  /** Notes that a connected client received this alarm. */
  noteHeard(number: number): void {
    this.#heard = Math.max(this.#heard, number);
  }

  /**
   * The newest alarm that is in the event log for certain. A response to the request is not enough: PostgreSQL numbers the
   * event a moment later.
   */
  get past(): number {
    return Math.floor((this.#heard - 1) / sentAtOnce) * sentAtOnce;
  }

  begin(): void {
    this.#flowing = this.#flow();
  }

  /** Waits until those sent at this moment are answered: the next ones are for everybody who is connected now. */
  async untilNext(): Promise<void> {
    const answered = this.#answered;
    await until(
      () => this.#answered,
      (now) => now > answered,
    );
  }

  /** Stops sending; returns the number of the last alarm. */
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

/** One of the published clients, behind its own proxy. */
export abstract class CutClient {
  abstract readonly kind: string;
  protected readonly proxy: TcpProxy;
  protected cuts = 0;

  constructor(proxy: TcpProxy) {
    this.proxy = proxy;
  }

  /** The numbers of the alarms it received, in the order of arrival. */
  abstract readonly heard: readonly number[];
  /** How many alarms it received between connecting and subscribing when it was cut again in that time. */
  abstract readonly heardUnplaced: number;
  /** Waits until it is connected again and has subscribed. */
  abstract settle(): Promise<void>;
  /** Returns a sentence for each fault; `last` is the number of the last alarm that was sent. */
  abstract faults(last: number): string[];

  /** Cuts its connections `cuts` times, at random times. */
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

  /** Waits until it has received the last alarm and those sent at the same time. */
  async untilHeard(last: number): Promise<void> {
    const isHeard = () => newest(last).every((number) => this.hasHeard(number));
    await until(isHeard, (isSo) => isSo);
  }

  async stop(): Promise<void> {
    await this.leave();
    await this.proxy.stop();
  }

  /** Whether it has received everything about an alarm. */
  protected hasHeard(number: number): boolean {
    return this.heard.includes(number);
  }

  protected async beforeCut(): Promise<void> {}
  protected abstract leave(): Promise<void>;

  protected lost(last: number): string[] {
    const all = Array.from({ length: last }, (_, index) => index + 1);
    return all.filter((number) => !this.heard.includes(number)).map((number) => `not told of ${number}`);
  }

  /** Alarms received twice, except those that the hub had to send again. */
  protected twice(toldAgain: ReadonlySet<number>): string[] {
    const again = this.heard.filter((number, index) => this.heard.indexOf(number) !== index);
    return again.filter((number) => !toldAgain.has(number)).map((number) => `told twice of ${number}`);
  }
}

/** Returns a sentence for each alarm of which a client was not told once. */
export function notOnce(what: string, told: readonly number[], last: number): string[] {
  return Array.from({ length: last }, (_, index) => index + 1).flatMap((number) => {
    const times = told.filter((other) => other === number).length;
    return times === 1 ? [] : [`told ${times} times of ${what} of ${number}`];
  });
}
