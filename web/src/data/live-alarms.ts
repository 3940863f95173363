// The current alarms and calls, kept up to date by the hub. Changes are gathered and shown at most four times a second.

import {
  type Alarm,
  type FeedState,
  getAlarm,
  getOwnAccess,
  LiveFeed,
  listAlarms,
  listCalls,
  type OpenCall,
  type PhoneEvent,
  type SoundEvent,
} from '@tocsin/client';
import { currentLanguage } from '../words/language.ts';
import { ListReader, type Reading } from './lists/list-reader.ts';
import type { ListState } from './lists/list-state.ts';
import { type RaiseCounts, stepAt } from './raise-counts.ts';
import { failureReasonOf, hubUrl } from './server.ts';
import { currentSession } from './session.ts';

export type LiveSnapshot = {
  readonly alarms: ReadonlyMap<number, Alarm>;
  readonly calls: ReadonlyMap<number, OpenCall>;
  /** What is known of `alarms`: until they were read whole, they are only those that the hub told of. */
  readonly alarmList: ListState;
  /** Likewise of `calls`. */
  readonly callList: ListState;
  readonly link: FeedState;
  /** The time of the last news before a gap that is being read; undefined while nothing is missing. */
  readonly missedSince: number | undefined;
  /** How many raises this console has seen in the last two hours. */
  readonly raises: RaiseCounts;
};

const drawEveryMs = 250;
const pageSize = 1000;
/** Pages overlap, because alarms that leave the list while it is read move the others up. */
const overlap = 100;
/** A request that hangs is given up and made again. */
const answerMs = 30_000;
const rateMs = 7_200_000;

export class LiveAlarms {
  readonly #feed: LiveFeed;
  readonly #listeners = new Set<() => void>();
  readonly #phoneListeners = new Set<(event: PhoneEvent) => void>();
  readonly #soundListeners = new Set<(sound: SoundEvent) => void>();
  readonly #alarms = new Map<number, Alarm>();
  readonly #calls = new Map<number, OpenCall>();
  readonly #removed = new Set<number>();
  /** Alarms that events were about since their reading began. */
  readonly #touched = new Set<number>();
  /** Likewise calls. */
  readonly #touchedCalls = new Set<number>();
  // Alarms do not wait for calls, nor calls for alarms.
  readonly #alarmReader = this.#readerOf((reading) => this.#readAlarms(reading));
  readonly #callReader = this.#readerOf((reading) => this.#readCalls(reading));
  readonly #raises = new Map<number, number>();
  #missedSince: number | undefined;
  #snapshot: LiveSnapshot;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;
  #drawnAt = 0;

  constructor() {
    this.#feed = new LiveFeed({
      url: hubUrl,
      token: () => currentSession()?.token ?? '',
      language: currentLanguage,
      filter: { changes: true, sounds: true, phones: true, calls: true },
      listener: {
        onAlarm: (alarm) => this.#raised(alarm),
        onAlarmChanged: (alarm) => this.#changed(alarm),
        onAlarmRemoved: (id) => this.#remove(id),
        onCall: (call) => this.#putCall(call),
        onPhone: (event) => {
          for (const listener of this.#phoneListeners) listener(event);
        },
        onSound: (sound) => {
          for (const listener of this.#soundListeners) listener(sound);
        },
        onRestart: () => {
          this.#alarmReader.begin();
          this.#callReader.begin();
        },
        onState: (state) => this.#noteLink(state),
      },
    });
    this.#snapshot = this.#newSnapshot();
  }

  start(): void {
    this.#feed.start();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#drawTimer);
    this.#alarmReader.stop();
    this.#callReader.stop();
    await this.#feed.stop();
  }

  retryNow(): void {
    this.#feed.retryNow();
  }

  /** When anything came from the hub; keep-alives change it without a drawing. */
  get lastNews(): number {
    return this.#feed.lastNews;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): LiveSnapshot => this.#snapshot;

  onPhone(listener: (event: PhoneEvent) => void): () => void {
    this.#phoneListeners.add(listener);
    return () => this.#phoneListeners.delete(listener);
  }

  onSound(listener: (sound: SoundEvent) => void): () => void {
    this.#soundListeners.add(listener);
    return () => this.#soundListeners.delete(listener);
  }

  #noteLink(state: FeedState): void {
    if (state.kind === 'lost' && this.#feed.lastNews > 0) this.#missedSince ??= this.#feed.lastNews;
    if (state.kind === 'live' && this.#alarmReader.state.kind === 'read') this.#missedSince = undefined;
    // The hub does not say whether the token was refused; a request that is refused ends the session.
    if (state.kind === 'lost') void getOwnAccess().catch(() => undefined);
    this.#drawSoon();
  }

  #raised(alarm: Alarm): void {
    // An alarm that is told late, as after a gap or by a demo plant, counts when it was raised.
    const step = stepAt(Math.min(Date.now(), Date.parse(alarm.alarmTime)));
    if (!this.#raises.has(step)) for (const at of this.#raises.keys()) if (at < step - rateMs) this.#raises.delete(at);
    this.#raises.set(step, (this.#raises.get(step) ?? 0) + 1);
    this.#changed(alarm);
  }

  #changed(alarm: Alarm): void {
    this.#touched.add(alarm.id);
    this.#put(alarm);
    if (alarm.masked) void this.#readMask(alarm.id);
  }

  /** Reads when a mask ends and why it was set, which the hub does not say. */
  async #readMask(id: number): Promise<void> {
    const alarm = await getAlarm(id).catch(() => undefined);
    if (alarm !== undefined) this.#put(alarm);
  }

  /** Stores the alarm unless a newer one is known; the hub sends fewer fields than the list, so both are merged. */
  #put(alarm: Alarm): void {
    const known = this.#alarms.get(alarm.id);
    if (known !== undefined && known.lastChange > alarm.lastChange) return;
    if (alarm.state === 0 && !alarm.masked) this.#alarms.delete(alarm.id);
    else if (!this.#removed.has(alarm.id)) this.#alarms.set(alarm.id, { ...known, ...alarm });
    this.#drawSoon();
  }

  #remove(id: number): void {
    this.#removed.add(id);
    this.#alarms.delete(id);
    this.#drawSoon();
  }

  #putCall(call: OpenCall): void {
    this.#touchedCalls.add(call.id);
    if (call.phase === 'ended') this.#calls.delete(call.id);
    else this.#calls.set(call.id, call);
    this.#drawSoon();
  }

  #readerOf(read: (reading: Reading) => Promise<void>): ListReader {
    return new ListReader({ read, reasonOf: failureReasonOf, onState: () => this.#drawSoon() });
  }

  async #readCalls({ isCurrent }: Reading): Promise<void> {
    this.#touchedCalls.clear();
    const { items } = await listCalls({ limit: pageSize }, withinTime());
    if (!isCurrent()) return;
    for (const id of this.#calls.keys()) if (!this.#touchedCalls.has(id)) this.#calls.delete(id);
    for (const call of items) if (!this.#touchedCalls.has(call.id)) this.#calls.set(call.id, call);
  }

  async #readAlarms({ isCurrent, progress }: Reading): Promise<void> {
    const seen = new Set<number>();
    this.#touched.clear();
    for (let offset = 0, total = 1; offset < total; offset += pageSize - overlap) {
      const page = await listAlarms({ view: 'full', inactiveMasked: 1, limit: pageSize, offset }, withinTime());
      if (!isCurrent()) return;
      total = page.paging.total;
      for (const alarm of page.items) seen.add(alarm.id);
      for (const alarm of page.items) this.#put(alarm);
      progress(seen.size, total);
      if (offset + pageSize >= total) break;
    }
    for (const id of this.#alarms.keys()) if (!seen.has(id) && !this.#touched.has(id)) this.#alarms.delete(id);
    this.#missedSince = undefined;
  }

  #drawSoon(): void {
    if (this.#drawTimer !== undefined) return;
    const waitMs = Math.max(0, this.#drawnAt + drawEveryMs - Date.now());
    this.#drawTimer = setTimeout(() => {
      this.#drawTimer = undefined;
      this.#drawnAt = Date.now();
      this.#snapshot = this.#newSnapshot();
      for (const listener of this.#listeners) listener();
    }, waitMs);
  }

  #newSnapshot(): LiveSnapshot {
    return {
      alarms: new Map(this.#alarms),
      calls: new Map(this.#calls),
      alarmList: this.#alarmReader.state,
      callList: this.#callReader.state,
      link: this.#feed.state,
      missedSince: this.#missedSince,
      raises: new Map(this.#raises),
    };
  }
}

function withinTime(): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(answerMs) };
}
