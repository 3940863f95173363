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
import { type RaiseCounts, stepAt } from './raise-counts.ts';
import { hubUrl } from './server.ts';
import { currentSession } from './session.ts';

export type LiveSnapshot = {
  readonly alarms: ReadonlyMap<number, Alarm>;
  readonly calls: ReadonlyMap<number, OpenCall>;
  /** Progress of reading all alarms, with a total of 0 before it is known; undefined when everything was read. */
  readonly reading: { readonly read: number; readonly total: number } | undefined;
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
const rateMs = 7_200_000;

export class LiveAlarms {
  readonly #feed: LiveFeed;
  readonly #listeners = new Set<() => void>();
  readonly #phoneListeners = new Set<(event: PhoneEvent) => void>();
  readonly #soundListeners = new Set<(sound: SoundEvent) => void>();
  readonly #alarms = new Map<number, Alarm>();
  readonly #calls = new Map<number, OpenCall>();
  readonly #removed = new Set<number>();
  /** Alarms that events were about since the reading began. */
  readonly #touched = new Set<number>();
  readonly #raises = new Map<number, number>();
  #reading: LiveSnapshot['reading'] = { read: 0, total: 0 };
  #missedSince: number | undefined;
  /** The reading under way; a newer one makes an older one stop. */
  #readingNumber = 0;
  #snapshot: LiveSnapshot;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;
  #drawnAt = 0;

  constructor() {
    this.#feed = new LiveFeed({
      url: hubUrl,
      token: () => currentSession()?.token ?? '',
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
        onRestart: () => void this.#readAll(),
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
    if (state.kind === 'live' && this.#reading === undefined) this.#missedSince = undefined;
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
    if (call.phase === 'ended') this.#calls.delete(call.id);
    else this.#calls.set(call.id, call);
    this.#drawSoon();
  }

  async #readAll(): Promise<void> {
    const reading = ++this.#readingNumber;
    const isStale = (): boolean => reading !== this.#readingNumber;
    const seen = new Set<number>();
    this.#touched.clear();
    this.#reading = { read: 0, total: this.#alarms.size };
    try {
      const calls = await listCalls({ limit: pageSize });
      if (isStale()) return;
      this.#calls.clear();
      for (const call of calls.items) this.#calls.set(call.id, call);
      for (let offset = 0, total = 1; offset < total; offset += pageSize - overlap) {
        const page = await listAlarms({ view: 'full', inactiveMasked: 1, limit: pageSize, offset });
        if (isStale()) return;
        total = page.paging.total;
        for (const alarm of page.items) seen.add(alarm.id);
        for (const alarm of page.items) this.#put(alarm);
        this.#reading = { read: seen.size, total };
        this.#drawSoon();
        if (offset + pageSize >= total) break;
      }
      for (const id of this.#alarms.keys()) if (!seen.has(id) && !this.#touched.has(id)) this.#alarms.delete(id);
      this.#reading = undefined;
      this.#missedSince = undefined;
      this.#drawSoon();
    } catch {
      if (!isStale()) setTimeout(() => void this.#readAll(), 2_000);
    }
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
      reading: this.#reading,
      link: this.#feed.state,
      missedSince: this.#missedSince,
      raises: new Map(this.#raises),
    };
  }
}
