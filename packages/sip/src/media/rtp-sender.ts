// The frames a session sends: the prompt that is played, digits, or silence, each with its number and timestamp.

import { randomBytes } from 'node:crypto';
import { type Codec, encode, silence } from './g711.ts';
import { printRtp } from './rtp.ts';
import { type EventPayload, eventPayloads, type Key, printEvent } from './telephone-events.ts';

export const samplesPerFrame = 160;

/** How a prompt ended: by itself, or because it was stopped or replaced. */
export type PlayEnd = 'ended' | 'interrupted';

type Prompt = { readonly samples: Int16Array; at: number; readonly resolve: (end: PlayEnd) => void };

type Digits = {
  /** One entry per frame; undefined is a pause between two keys. */
  readonly frames: readonly (EventPayload | undefined)[];
  at: number;
  readonly resolve: (end: PlayEnd) => void;
};

/** The payload types of the current agreement. */
export type SendTypes = { readonly codec: Codec; readonly codecType: number; readonly eventType: number | undefined };

const pauseFrames = 5;

export class RtpSender {
  readonly #ssrc = randomBytes(4).readUInt32BE();
  #sequence = randomBytes(2).readUInt16BE();
  #timestamp = randomBytes(4).readUInt32BE();
  #eventTimestamp = 0;
  #isMarkerDue = true;
  #prompt: Prompt | undefined;
  #digits: Digits | undefined;

  /** Plays a prompt from the next frame on, in place of the one that is played. */
  play(samples: Int16Array): Promise<PlayEnd> {
    this.stop();
    return new Promise((resolve) => {
      this.#prompt = { samples, at: 0, resolve };
    });
  }

  /** Sends keys one after another, in place of the sound meanwhile. */
  sendKeys(keys: readonly Key[], durationMs: number): Promise<PlayEnd> {
    this.#digits?.resolve('interrupted');
    const pause = new Array<undefined>(pauseFrames).fill(undefined);
    const frames = keys.flatMap((key) => [...eventPayloads(key, durationMs), ...pause]);
    return new Promise((resolve) => {
      this.#digits = { frames, at: 0, resolve };
    });
  }

  stop(): void {
    this.#prompt?.resolve('interrupted');
    this.#prompt = undefined;
  }

  close(): void {
    this.stop();
    this.#digits?.resolve('interrupted');
    this.#digits = undefined;
  }

  /** The packet of the next frame. */
  next(types: SendTypes): Uint8Array {
    const event = this.#nextEvent(types.eventType);
    const packet = event ?? this.#nextSound(types);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + samplesPerFrame) >>> 0;
    return packet;
  }

  /** A frame in which nothing may be sent, because the call is held: prompts wait, the time goes on. */
  skip(): void {
    this.#timestamp = (this.#timestamp + samplesPerFrame) >>> 0;
    this.#isMarkerDue = true;
  }

  #nextEvent(eventType: number | undefined): Uint8Array | undefined {
    const digits = this.#digits;
    if (digits === undefined) return undefined;
    const before = digits.frames[digits.at - 1];
    const event = digits.frames[digits.at++];
    if (digits.at >= digits.frames.length) this.#endDigits(digits);
    if (event === undefined || eventType === undefined) return undefined;
    const marker = before === undefined;
    if (marker) this.#eventTimestamp = this.#timestamp;
    return printRtp({
      payloadType: eventType,
      marker,
      sequence: this.#sequence,
      timestamp: this.#eventTimestamp,
      ssrc: this.#ssrc,
      payload: printEvent(event),
    });
  }

  #endDigits({ resolve }: Digits): void {
    this.#digits = undefined;
    resolve('ended');
  }

  #nextSound({ codec, codecType }: SendTypes): Uint8Array {
    const marker = this.#isMarkerDue;
    this.#isMarkerDue = false;
    return printRtp({
      payloadType: codecType,
      marker,
      sequence: this.#sequence,
      timestamp: this.#timestamp,
      ssrc: this.#ssrc,
      payload: this.#nextPayload(codec),
    });
  }

  #nextPayload(codec: Codec): Uint8Array {
    const payload = new Uint8Array(samplesPerFrame).fill(silence[codec]);
    const prompt = this.#prompt;
    if (prompt === undefined) return payload;
    payload.set(encode(codec, prompt.samples.subarray(prompt.at, prompt.at + samplesPerFrame)));
    prompt.at += samplesPerFrame;
    if (prompt.at >= prompt.samples.length) {
      this.#prompt = undefined;
      prompt.resolve('ended');
    }
    return payload;
  }
}
