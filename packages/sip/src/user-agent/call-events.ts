// The events of a call, as both the caller's and the callee's side report them.

import type { SipMessage } from '../message/message.ts';
import { isQuoted, parseWhole, splitOutside, unquote } from '../message/tokens.ts';

export type Ringing = { readonly status: number; readonly description?: string };

export type Answered = { readonly description?: string };

export type Digit = { readonly digit: string; readonly durationMs?: number };

export type Ended = {
  /**
   * `local`: hung up, cancelled or rejected here; `timeout`: nobody answered in time; `transport`: no way to the peer;
   * `fault`: an error in a handler of the call, on this side.
   */
  readonly by: 'local' | 'remote' | 'timeout' | 'transport' | 'fault';
  /** Whether the call was answered before. */
  readonly wasAnswered: boolean;
  /** How far a call that was placed got: a 100 is `trying`, any other 1xx `ringing`. */
  readonly progress?: 'trying' | 'ringing';
  /** The final status of the INVITE, when the call was not answered and there was one. */
  readonly status?: number;
  readonly reason: string;
  readonly retryAfterS?: number;
  /** The Q.850 cause of the Reason header. */
  readonly cause?: number;
};

/** The end of a call in whose handlers an error happened. */
export const faultEnd = { by: 'fault', reason: 'internal fault' } as const;

export type CallEvents = {
  /** The peer has taken the request, and says nothing else yet. */
  trying: [];
  ringing: [Ringing];
  answered: [Answered];
  digit: [Digit];
  /** The peer has asked for an offer in mid-call, and this is its answer to the one that `onOffer` made. */
  renegotiated: [Answered];
  ended: [Ended];
};

/** Returns the reason and the cause that a message which ends a call gives beside its status. */
export function endingOf(message: SipMessage): Pick<Ended, 'retryAfterS' | 'cause'> {
  const retryAfterS = parseWhole(/^\d+/.exec(message.headers.get('Retry-After') ?? '')?.[0]);
  const cause = causeOf(message);
  return { ...(retryAfterS !== undefined && { retryAfterS }), ...(cause !== undefined && { cause }) };
}

function causeOf(message: SipMessage): number | undefined {
  const values = message.headers.getAll('Reason').flatMap((value) => splitOutside(value, ',') ?? []);
  const q850 = values.find((value) => /^Q\.850\b/i.test(value));
  return parseWhole(/;\s*cause\s*=\s*(\d+)/i.exec(q850 ?? '')?.[1], 127);
}

/** The text of the first Reason header, else the phrase. */
export function reasonOf(message: SipMessage, phrase: string): string {
  const parts = splitOutside(message.headers.get('Reason') ?? '', ';') ?? [];
  const text = parts.find((part) => /^text\s*=/i.test(part))?.replace(/^text\s*=\s*/i, '');
  return text === undefined || !isQuoted(text) ? phrase : unquote(text);
}
