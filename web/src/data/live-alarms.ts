// The current alarms and calls, kept up to date by the hub. Changes are gathered and shown at most four times a second.

import {
  type Alarm,
  type FeedState,
  getOwnAccess,
  LiveFeed,
  LiveList,
  listAlarms,
  listCalls,
  type OpenCall,
  type PhoneEvent,
  readAfterIds,
  type ServerHealth,
  type SoundEvent,
} from '@tocsin/client';
import { currentLanguage } from '../words/language.ts';
import { ListReader, type Reading } from './lists/list-reader.ts';
import { failureOf, type ListState } from './lists/list-state.ts';
import { type RaiseCounts, stepAt } from './raise-counts.ts';
import { failureReasonOf, hubUrl } from './server.ts';
import { currentSession } from './session.ts';

export type LiveSnapshot = {
  readonly alarms: ReadonlyMap<number, Alarm>;
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** Another number with every change of the calls. */
  readonly callsVersion: number;
  /** What is known of `alarms`: until they were read whole, they are only those that the hub told of. */
  readonly alarmList: ListState;
  /** Likewise of `calls`. */
  readonly callList: ListState;
  /** Whether the calls were read since the link came: those of a gap are not told. */
  readonly areCallsKnown: boolean;
  /** The alarms that came since the calls were read: whether anybody is called for them is not known yet. */
  readonly undecided: ReadonlySet<number>;
  readonly link: FeedState;
  /** What the server says of itself; undefined before it has said anything on this connection. */
  readonly server: ServerHealth | undefined;
  /** The time of the last news before a gap that is being read; undefined while nothing is missing. */
  readonly missedSince: number | undefined;
  /** How many raises this console has seen in the last two hours. */
  readonly raises: RaiseCounts;
};

const drawEveryMs = 250;
const pageSize = 1000;
/** Masks are read together, and at most so many at once, because their ids are in the address. */
const gatherMs = 250;
const masksAtOnce = 200;
/** The hub does not tell of calls that wait for a delay: they are read so long after an alarm that may have one. */
const delayedCallsMs = 5_000;
/** By then the server has decided whether anybody is called for an alarm. */
const decidedMs = 2_000;
/** What is counted of the history is read again so long after an alarm has changed, and not with each alarm of a flood. */
const historyMs = 20_000;
const rateMs = 7_200_000;

export class LiveAlarms {
  readonly #feed: LiveFeed;
  readonly #listeners = new Set<() => void>();
  readonly #phoneListeners = new Set<(event: PhoneEvent) => void>();
  readonly #soundListeners = new Set<(sound: SoundEvent) => void>();
  readonly #gapListeners = new Set<() => void>();
  readonly #historyListeners = new Set<() => void>();
  #historyTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #alarms = new LiveList<number, Alarm>({ idOf: ({ id }) => id, merge: withReadMask });
  readonly #calls = new LiveList<string, OpenCall>({ idOf: callKey });
  #callsVersion = 0;
  #areCallsKnown = false;
  /** When each of them came, monotonic. */
  readonly #undecided = new Map<number, number>();
  readonly #masksDue = new Set<number>();
  #masksTimer: ReturnType<typeof setTimeout> | undefined;
  #callsTimer: ReturnType<typeof setTimeout> | undefined;
  // Alarms do not wait for calls, nor calls for alarms.
  readonly #alarmReader = this.#readerOf((reading) => this.#readAlarms(reading));
  readonly #callReader = this.#readerOf((reading) => this.#readCalls(reading));
  readonly #raises = new Map<number, number>();
  #missedSince: number | undefined;
  #server: ServerHealth | undefined;
  /** Whether the link was there or was lost before: what was read since then may be older than the subscription. */
  #mayHaveMissed = false;
  #snapshot: LiveSnapshot;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;
  /** Monotonic: a clock of the PC that is set back must not stop the drawing. */
  #drawnAt = 0;

  constructor() {
    this.#feed = new LiveFeed({
      url: hubUrl,
      token: () => currentSession()?.token ?? '',
      language: currentLanguage,
      filter: { changes: true, sounds: true, phones: true, calls: true, health: true },
      listener: {
        onAlarm: (alarm) => this.#raised(alarm),
        onAlarmChanged: (alarm) => this.#changed(alarm),
        onAlarmRemoved: (id) => this.#remove(id),
        onCall: (call) => this.#putCall(call),
        onHealth: (health) => {
          this.#server = health;
          this.#drawSoon();
        },
        onPhone: (event) => {
          for (const listener of this.#phoneListeners) listener(event);
        },
        onSound: (sound) => {
          for (const listener of this.#soundListeners) listener(sound);
        },
        onRestart: () => this.#alarmReader.begin(),
        onSubscribed: () => this.#noteSubscribed(),
        onState: (state) => this.#noteLink(state),
      },
    });
    this.#snapshot = this.#newSnapshot();
  }

  start(): void {
    this.#feed.start();
  }

  async stop(): Promise<void> {
    for (const timer of [this.#drawTimer, this.#masksTimer, this.#callsTimer, this.#historyTimer]) clearTimeout(timer);
    this.#alarmReader.stop();
    this.#callReader.stop();
    this.#alarms.stop();
    this.#calls.stop();
    await this.#feed.stop();
  }

  retryNow(): void {
    this.#feed.retryNow();
    for (const reader of [this.#alarmReader, this.#callReader])
      if (failureOf(reader.state) !== undefined) reader.begin();
  }

  /** When anything came from the hub; keep-alives change it without a drawing. */
  get lastNews(): number {
    return this.#feed.lastNews;
  }

  /** For how long nothing came from the hub. */
  get quietMs(): number | undefined {
    return this.#feed.quietMs;
  }

  /** Likewise, since the start if nothing ever came. */
  get silentMs(): number {
    return this.#feed.silentMs;
  }

  /** For how long the hub has not answered whether it is there. */
  get unansweredMs(): number {
    return this.#feed.unansweredMs;
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

  /** Calls when the link is back: what was read before, and no event tells of, may have changed. */
  onGap(listener: () => void): () => void {
    this.#gapListeners.add(listener);
    return () => this.#gapListeners.delete(listener);
  }

  /** Calls when the history has become longer or otherwise. */
  onHistory(listener: () => void): () => void {
    this.#historyListeners.add(listener);
    return () => this.#historyListeners.delete(listener);
  }

  /** The hub does not send the calls that were missed. */
  #noteSubscribed(): void {
    this.#callReader.begin();
    if (this.#mayHaveMissed) for (const listener of this.#gapListeners) listener();
    this.#mayHaveMissed = true;
  }

  #noteLink(state: FeedState): void {
    if (state.kind === 'lost') this.#mayHaveMissed = true;
    if (state.kind === 'lost' && this.#feed.lastNews > 0) this.#missedSince ??= this.#feed.lastNews;
    if (state.kind === 'live' && this.#alarmReader.state.kind === 'read') this.#missedSince = undefined;
    // The hub does not say whether the token was refused; a request that is refused ends the session.
    if (state.kind !== 'live') this.#server = undefined;
    if (state.kind === 'lost') this.#areCallsKnown = false;
    if (state.kind === 'lost') void getOwnAccess().catch(() => undefined);
    this.#drawSoon();
  }

  #raised(alarm: Alarm): void {
    // An alarm that is told late, as after a gap or by a demo plant, counts when it was raised.
    const step = stepAt(Math.min(Date.now(), Date.parse(alarm.alarmTime)));
    if (!this.#raises.has(step)) for (const at of this.#raises.keys()) if (at < step - rateMs) this.#raises.delete(at);
    this.#raises.set(step, (this.#raises.get(step) ?? 0) + 1);
    this.#undecided.set(alarm.id, performance.now());
    this.#readCallsSoon();
    this.#changed(alarm);
  }

  #changed(alarm: Alarm): void {
    if (alarm.state === 0 && !alarm.masked) this.#alarms.remove(alarm.id);
    else this.#alarms.put(alarm);
    if (alarm.masked) this.#readMaskSoon(alarm.id);
    this.#tellHistorySoon();
    // What waits for a delay may have ended with the alarm.
    if ([...this.#calls.items.values()].some(isDelayed)) this.#readCallsSoon();
    this.#drawSoon();
  }

  #remove(id: number): void {
    this.#alarms.remove(id);
    this.#drawSoon();
  }

  #tellHistorySoon(): void {
    this.#historyTimer ??= setTimeout(() => {
      this.#historyTimer = undefined;
      for (const listener of this.#historyListeners) listener();
    }, historyMs);
  }

  /** Reads when a mask ends and why it was set, which the hub does not say. */
  #readMaskSoon(id: number): void {
    this.#masksDue.add(id);
    if (this.#masksTimer !== undefined) return;
    this.#masksTimer = setTimeout(() => {
      this.#masksTimer = undefined;
      const ids = [...this.#masksDue];
      this.#masksDue.clear();
      while (ids.length > 0) void this.#readMasks(ids.splice(0, masksAtOnce));
    }, gatherMs);
  }

  async #readMasks(id: number[]): Promise<void> {
    const asked = { id, view: 'full', inactiveMasked: 1, limit: masksAtOnce } as const;
    const page = await listAlarms(asked).catch(() => undefined);
    for (const read of page?.items ?? []) {
      const known = this.#alarms.items.get(read.id);
      // Of an alarm that has changed since, another answer is on its way.
      if (known?.masked && known.lastChange === read.lastChange)
        this.#alarms.complete({ ...read, ...known, ...maskOf(read) });
    }
    this.#drawSoon();
  }

  #putCall(call: OpenCall): void {
    if (call.phase === 'ended') this.#calls.remove(callKey(call));
    else this.#calls.put(call);
    // A call that has begun waits no longer.
    for (const [key, one] of this.#calls.items) if (isDelayed(one) && hasSameTarget(one, call)) this.#calls.remove(key);
    this.#callsVersion++;
    this.#drawSoon();
  }

  #readCallsSoon(): void {
    this.#callsTimer ??= setTimeout(() => {
      this.#callsTimer = undefined;
      this.#callReader.beginAfterThis();
    }, delayedCallsMs);
  }

  #readerOf(read: (reading: Reading) => Promise<void>): ListReader {
    return new ListReader({ read, reasonOf: failureReasonOf, onState: () => this.#drawSoon() });
  }

  async #readCalls({ isCurrent }: Reading): Promise<void> {
    const reading = this.#calls.read();
    const begunAt = performance.now();
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const page = await listCalls({ limit: pageSize, offset });
      if (!isCurrent()) return;
      total = page.paging.total;
      reading.add(page.items);
    }
    reading.end();
    this.#callsVersion++;
    this.#areCallsKnown = true;
    for (const [id, at] of this.#undecided) if (at <= begunAt - decidedMs) this.#undecided.delete(id);
    if (this.#undecided.size > 0) this.#readCallsSoon();
  }

  async #readAlarms({ progress }: Reading): Promise<void> {
    const read = (afterId: number) => listAlarms({ view: 'full', inactiveMasked: 1, limit: pageSize, afterId });
    const reading = this.#alarms.read();
    await readAfterIds(reading, read, progress);
    if (reading.isCurrent()) this.#missedSince = undefined;
  }

  #drawSoon(): void {
    if (this.#drawTimer !== undefined) return;
    const waitMs = Math.max(0, this.#drawnAt + drawEveryMs - performance.now());
    this.#drawTimer = setTimeout(() => {
      this.#drawTimer = undefined;
      this.#drawnAt = performance.now();
      this.#snapshot = this.#newSnapshot();
      for (const listener of this.#listeners) listener();
    }, waitMs);
  }

  #newSnapshot(): LiveSnapshot {
    return {
      alarms: new Map(this.#alarms.items),
      calls: new Map(this.#calls.items),
      callsVersion: this.#callsVersion,
      alarmList: this.#alarmReader.state,
      callList: this.#callReader.state,
      areCallsKnown: this.#areCallsKnown,
      undecided: new Set(this.#undecided.keys()),
      link: this.#feed.state,
      server: this.#server,
      missedSince: this.#missedSince,
      raises: new Map(this.#raises),
    };
  }
}

/** The hub sends fewer fields of an alarm than the list has; of a mask that has ended nothing is kept. */
function withReadMask(read: Alarm, event: Alarm): Alarm {
  if (event.masked) return { ...read, ...event };
  const { maskedUntil: _, maskReason: __, ...kept } = read;
  return { ...kept, ...event };
}

function maskOf({ maskedUntil, maskReason }: Alarm): Pick<Alarm, 'maskedUntil' | 'maskReason'> {
  return { ...(maskedUntil === undefined ? {} : { maskedUntil }), ...(maskReason === undefined ? {} : { maskReason }) };
}

/** Calls that wait for a delay have no id of their own yet. */
function isDelayed({ id }: OpenCall): boolean {
  return id === 0;
}

function callKey(call: OpenCall): string {
  return isDelayed(call) ? `delayed ${call.callGroupId} ${call.userId} ${call.name}` : String(call.id);
}

function hasSameTarget(one: OpenCall, other: OpenCall): boolean {
  return one.callGroupId === other.callGroupId && one.userId === other.userId && one.name === other.name;
}
