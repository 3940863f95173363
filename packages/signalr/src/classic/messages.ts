// What is written to clients: messages with a cursor and hub calls, written once for all who get the same.

import type { Cursor } from '../hub.ts';
import type { Encoding } from '../live-hub.ts';
import { Payload } from '../payload.ts';

/** Something written to a client, ready for each transport. */
export class Message extends Payload {
  #event: Buffer | undefined;

  constructor(text: string) {
    super(Buffer.from(text), false);
  }

  /** JSON has no line feeds outside of its strings and none inside, so one field is enough. */
  override get event(): Buffer {
    this.#event ??= Buffer.concat([eventStart, this.bytes, eventEnd]);
    return this.#event;
  }
}

const eventStart = Buffer.from('data: ');
const eventEnd = Buffer.from('\n\n');

/** A call of a client function. Its bytes are the call alone, which is never sent without a message around it. */
export class HubPush extends Payload {
  readonly text: string;
  #cursor: Cursor | undefined;
  #message: Message | undefined;

  constructor(text: string) {
    super(Buffer.from(text), false);
    this.text = text;
  }

  /** Alone in a message; the last one made is kept, since a broadcast asks for the same again and again. */
  messageAt(cursor: Cursor): Message {
    if (this.#message === undefined || this.#cursor !== cursor) {
      this.#cursor = cursor;
      this.#message = message(cursor, { pushes: [this] });
    }
    return this.#message;
  }
}

/** Writes calls with the name of the hub as it was defined: some clients compare it by case. */
export class HubPushEncoding implements Encoding<HubPush> {
  readonly #hubName: string;

  constructor(hubName: string) {
    this.#hubName = hubName;
  }

  encodeCall(target: string, args: readonly unknown[]): HubPush {
    return new HubPush(JSON.stringify({ H: this.#hubName, M: target, A: args }));
  }
}

type Content = {
  readonly isFirst?: boolean;
  /** Asks the client to come back. */
  readonly isLast?: boolean;
  /** Milliseconds that a client is to wait before it polls again. */
  readonly delay?: number;
  readonly pushes?: readonly HubPush[];
  /** Kept by the client, which brings it along when it comes back. */
  readonly clientState?: string;
  /** Makes the client stop for good. */
  readonly error?: string;
};

/** The list is there even when it is empty: clients look at the rest only then. */
export function message(cursor: Cursor, content: Content): Message {
  const { isFirst, isLast, delay, pushes = [], clientState, error } = content;
  const parts = [`"C":${JSON.stringify(cursor)}`];
  if (isFirst) parts.push('"S":1');
  if (isLast) parts.push('"T":1');
  // To the clients a token of their groups, which nobody but the server looks into.
  if (clientState !== undefined) parts.push(`"G":${JSON.stringify(clientState)}`);
  if (delay !== undefined) parts.push(`"L":${delay}`);
  parts.push(`"M":[${pushes.map(({ text }) => text).join(',')}]`);
  if (error !== undefined) parts.push(`"E":${JSON.stringify(error)}`);
  return new Message(`{${parts.join(',')}}`);
}

export const keepAlive = new Message('{}');

/** Opens a stream of events, before the first message. */
export const initialized = new Message('initialized');
