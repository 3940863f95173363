// Serializes messages and hub calls for classic clients, once for all connections that get the same.

import type { Cursor } from '../hub.ts';
import type { Encoding } from '../live/shared-call.ts';
import { Payload } from '../sending/payload.ts';

/** A message to a client, framed for each transport. */
export class Message extends Payload {
  #event: Buffer | undefined;

  constructor(text: string) {
    super(Buffer.from(text), false);
  }

  /** JSON.stringify emits no line feeds, so one field is enough. */
  override get event(): Buffer {
    this.#event ??= Buffer.concat([eventStart, this.bytes, eventEnd]);
    return this.#event;
  }
}

const eventStart = Buffer.from('data: ');
const eventEnd = Buffer.from('\n\n');

/** A call of a client function. Its bytes are the call alone, which is always sent inside a message. */
export class HubPush extends Payload {
  readonly text: string;
  #cursor: Cursor | undefined;
  #message: Message | undefined;

  constructor(text: string) {
    super(Buffer.from(text), false);
    this.text = text;
  }

  /**
   * Returns a message with this call alone. Caches the last one, since a broadcast asks for the same again and again.
   */
  messageAt(cursor: Cursor): Message {
    if (this.#message === undefined || this.#cursor !== cursor) {
      this.#cursor = cursor;
      this.#message = message(cursor, { pushes: [this] });
    }
    return this.#message;
  }
}

/** Serializes calls with the hub's name as defined: some clients compare it case-sensitively. */
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
  /** Asks the client to reconnect. */
  readonly isLast?: boolean;
  /** Milliseconds that the client waits before its next poll. */
  readonly delay?: number;
  readonly pushes?: readonly HubPush[];
  /** Stored by the client, which sends it back when it reconnects. */
  readonly clientState?: string;
  /** Makes the client stop for good. */
  readonly error?: string;
};

/** Always writes the list of calls, also when it is empty: clients read the other fields only if it is there. */
export function message(cursor: Cursor, content: Content): Message {
  const { isFirst, isLast, delay, pushes = [], clientState, error } = content;
  const parts = [`"C":${JSON.stringify(cursor)}`];
  if (isFirst) parts.push('"S":1');
  if (isLast) parts.push('"T":1');
  // Clients take it for the token of their groups and send it back unread.
  if (clientState !== undefined) parts.push(`"G":${JSON.stringify(clientState)}`);
  if (delay !== undefined) parts.push(`"L":${delay}`);
  parts.push(`"M":[${pushes.map(({ text }) => text).join(',')}]`);
  if (error !== undefined) parts.push(`"E":${JSON.stringify(error)}`);
  return new Message(`{${parts.join(',')}}`);
}

/** A message of its own for each use: what waits is counted by each server. */
export const keepAlive = (): Message => new Message('{}');

/** Opens an event stream, before the first message. */
export const initialized = (): Message => new Message('initialized');
