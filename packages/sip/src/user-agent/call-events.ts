// The events of a call, as both the caller's and the callee's side report them.

import type { SipMessage } from '../message/message.ts';
import { isQuoted, parseWhole, splitOutside, unquote } from '../message/tokens.ts';

export type Ringing = { readonly status: number; readonly description?: string };

export type Answered = { readonly description?: string };

export type Digit = { readonly digit: string; readonly durationMs?: number };

/** Why a call ended: the code that programs decide by; `reason` is its sentence, for people. */
export type EndCause =
  /** After it was answered, by one of both. */
  | 'hung-up'
  /** By the caller, before it was answered. */
  | 'cancelled'
  /** It rang, or was on its way, and nobody answered in time. */
  | 'unanswered'
  /** The peer said nothing, or no ACK came from it. */
  | 'no-response'
  /** The peer no longer knows the call, or did not renew it. */
  | 'lost'
  /** There is no way to the peer, or the connection was lost. */
  | 'transport'
  /** Refused with 486 or 600. */
  | 'busy'
  /** Refused with another status. */
  | 'rejected'
  /** The agent was closed. */
  | 'closed'
  /** An error in a handler of the call, on this side. */
  | 'fault';

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
  readonly cause: EndCause;
  readonly reason: string;
  readonly retryAfterS?: number;
  /** The Q.850 cause of the Reason header. */
  readonly q850?: number;
};

/** Who ended a call, and why. */
export type Ending = Pick<Ended, 'by' | 'cause' | 'reason'>;

/** The ends that this side decides on, or has to conclude. */
export const endings = {
  fault: { by: 'fault', cause: 'fault', reason: 'internal fault' },
  cancelled: { by: 'local', cause: 'cancelled', reason: 'cancelled' },
  closed: { by: 'local', cause: 'closed', reason: 'closed' },
  unanswered: { by: 'timeout', cause: 'unanswered', reason: 'not answered in time' },
  silent: { by: 'timeout', cause: 'no-response', reason: 'no response' },
  unconfirmed: { by: 'timeout', cause: 'no-response', reason: 'no ACK came' },
  hungUp: (reason = 'hung up'): Ending => ({ by: 'local', cause: 'hung-up', reason }),
  lost: (reason: string): Ending => ({ by: 'timeout', cause: 'lost', reason }),
  unreached: (error?: Error): Ending => ({
    by: 'transport',
    cause: 'transport',
    reason: error?.message ?? 'no connection',
  }),
} as const;

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

/** Returns what a message which ends a call gives beside its status. */
export function endingOf(message: SipMessage): Pick<Ended, 'retryAfterS' | 'q850'> {
  const retryAfterS = parseWhole(/^\d+/.exec(message.headers.get('Retry-After') ?? '')?.[0]);
  const q850 = q850Of(message);
  return { ...(retryAfterS !== undefined && { retryAfterS }), ...(q850 !== undefined && { q850 }) };
}

function q850Of(message: SipMessage): number | undefined {
  const values = message.headers.getAll('Reason').flatMap((value) => splitOutside(value, ',') ?? []);
  const named = values.find((value) => /^Q\.850\b/i.test(value));
  return parseWhole(/;\s*cause\s*=\s*(\d+)/i.exec(named ?? '')?.[1], 127);
}

/** The cause of a call that the peer refused. */
export function refusalCause(status: number): EndCause {
  return status === 486 || status === 600 ? 'busy' : 'rejected';
}

/** The text of the first Reason header, else the phrase. */
export function reasonOf(message: SipMessage, phrase: string): string {
  const parts = splitOutside(message.headers.get('Reason') ?? '', ';') ?? [];
  const text = parts.find((part) => /^text\s*=/i.test(part))?.replace(/^text\s*=\s*/i, '');
  return text === undefined || !isQuoted(text) ? phrase : unquote(text);
}
