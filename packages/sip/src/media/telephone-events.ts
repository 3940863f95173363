// Digits as telephone events (RFC 4733): the payload, the receiver that makes one digit of many packets, and the sender.

import { timestampDistance } from './rtp.ts';

export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '*' | '#' | 'A' | 'B' | 'C' | 'D';

/** In the order of their event codes. */
const keys: readonly Key[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#', 'A', 'B', 'C', 'D'];

export function isKey(text: string): text is Key {
  return (keys as readonly string[]).includes(text);
}

/** A key that was pressed, and once more when it was released: `durationMs` is then how long it was held. */
export type KeyEvent =
  | { readonly kind: 'pressed'; readonly key: Key }
  | { readonly kind: 'released'; readonly key: Key; readonly durationMs: number };

export type EventPayload = {
  readonly key: Key;
  readonly isEnd: boolean;
  /** From the timestamp of its packet, in samples of 8 kHz; 16 bits. */
  readonly duration: number;
};

const samplesPerMs = 8;
const longestDuration = 0xffff;
const volume = 10;

/** Undefined for events that are no key, such as a hook flash, and for what is no event. */
export function parseEvent(payload: Uint8Array): EventPayload | undefined {
  const [code = 255, flags = 0, high = 0, low = 0] = payload;
  const key = keys[code];
  if (payload.length < 4 || key === undefined) return undefined;
  return { key, isEnd: (flags & 0x80) !== 0, duration: (high << 8) | low };
}

export function printEvent({ key, isEnd, duration }: EventPayload): Uint8Array {
  return Uint8Array.of(keys.indexOf(key), (isEnd ? 0x80 : 0) | volume, duration >> 8, duration & 0xff);
}

/** How long a key counts as held after the last packet about it: the end may be lost. */
const releasedAfterMs = 200;

type Current = {
  readonly key: Key;
  timestamp: number;
  /** Samples of the segments before the current one. */
  before: number;
  duration: number;
  lastSeen: number;
  isHeld: boolean;
};

/** Makes key events of the packets of one stream, which are in the order of their sequence numbers. */
export class EventReceiver {
  #current: Current | undefined;

  push(timestamp: number, isMarked: boolean, payload: Uint8Array, now: number): KeyEvent[] {
    const event = parseEvent(payload);
    if (event === undefined) return [];
    const current = this.#current;
    const distance = current === undefined ? 1 : timestampDistance(timestamp, current.timestamp);
    if (distance < 0) return [];
    if (current !== undefined && (distance === 0 || continues(current, distance, isMarked, event)))
      return this.#goOn(current, timestamp, event, now);
    const released = this.#release();
    this.#current = { key: event.key, timestamp, before: 0, duration: event.duration, lastSeen: now, isHeld: true };
    const pressed: KeyEvent = { kind: 'pressed', key: event.key };
    return [...released, pressed, ...(event.isEnd ? this.#release() : [])];
  }

  /** Releases a key whose end was lost; called once in a while. */
  expire(now: number): KeyEvent[] {
    return this.#current !== undefined && now - this.#current.lastSeen > releasedAfterMs ? this.#release() : [];
  }

  /** Forgets the timestamps: those of another stream follow. */
  restart(): KeyEvent[] {
    const released = this.#release();
    this.#current = undefined;
    return released;
  }

  /** Repeated ends, and packets after a release that was only assumed, are of the same press. */
  #goOn(current: Current, timestamp: number, event: EventPayload, now: number): KeyEvent[] {
    if (event.key !== current.key) return [];
    if (timestamp !== current.timestamp) {
      current.before += current.duration;
      current.timestamp = timestamp;
      current.duration = 0;
    }
    current.duration = Math.max(current.duration, event.duration);
    current.lastSeen = now;
    return event.isEnd ? this.#release() : [];
  }

  #release(): KeyEvent[] {
    const current = this.#current;
    if (current === undefined || !current.isHeld) return [];
    current.isHeld = false;
    const durationMs = (current.before + current.duration) / samplesPerMs;
    return [{ kind: 'released', key: current.key, durationMs }];
  }
}

/** A key held for longer than 16 bits can say goes on in a segment that begins where the last one ended, without a marker. */
function continues(current: Current, distance: number, isMarked: boolean, event: EventPayload): boolean {
  const isNearEnd = current.isHeld && Math.abs(distance - longestDuration) <= 1600;
  return isNearEnd && !isMarked && event.key === current.key;
}

/** The payloads of one key, one per frame of 20 ms: growing durations, then the end three times, because it must arrive. */
export function eventPayloads(key: Key, durationMs: number): EventPayload[] {
  const perFrame = 20 * samplesPerMs;
  const frames = Math.min(Math.max(1, Math.round(durationMs / 20)), Math.floor(longestDuration / perFrame));
  const payloads: EventPayload[] = [];
  for (let frame = 1; frame < frames; frame++) payloads.push({ key, isEnd: false, duration: frame * perFrame });
  const end = { key, isEnd: true, duration: frames * perFrame };
  return [...payloads, end, end, end];
}
