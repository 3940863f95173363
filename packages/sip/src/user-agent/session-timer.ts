// Session timers of RFC 4028: who renews the session and when it counts as dead.

import { HeaderFields } from '../message/header-fields.ts';
import type { SipMessage } from '../message/message.ts';
import { parseWhole } from '../message/tokens.ts';
import type { Cancel, Timers } from '../transaction/timers.ts';

/** The shortest interval that is accepted, in seconds; the RFC allows nothing below. */
export const shortestInterval = 90;

export type SessionInterval = { readonly seconds: number; readonly refresher: 'uac' | 'uas' | undefined };

export function sessionIntervalOf(message: SipMessage): SessionInterval | undefined {
  const [first = '', ...parameters] = (message.headers.get('Session-Expires') ?? '').split(';');
  const seconds = parseWhole(first.trim(), 0x7fff_ffff);
  const refresher = /^\s*refresher\s*=\s*(uac|uas)\s*$/i.exec(
    parameters.find((each) => /refresher/i.test(each)) ?? '',
  )?.[1];
  if (seconds === undefined) return undefined;
  return { seconds, refresher: refresher?.toLowerCase() as 'uac' | 'uas' | undefined };
}

/** Returns the session timer that the answering side grants; a caller without support has us renew. */
export function agreedInterval(request: SipMessage): SessionInterval | undefined {
  const asked = sessionIntervalOf(request);
  if (asked === undefined) return undefined;
  const canRenew = request.headers.tokens('Supported').includes('timer');
  return { seconds: asked.seconds, refresher: canRenew ? (asked.refresher ?? 'uac') : 'uas' };
}

export function sessionTimerHeaders(interval: SessionInterval | undefined): HeaderFields {
  if (interval === undefined) return new HeaderFields();
  const { seconds, refresher } = interval;
  return HeaderFields.of({
    'Session-Expires': `${seconds}${refresher === undefined ? '' : `;refresher=${refresher}`}`,
    ...(refresher === 'uac' && { Require: 'timer' }),
  });
}

/** Runs the timer of one session; each agreement starts it anew. */
export class SessionTimer {
  readonly #timers: Timers;
  readonly #actions: { refresh(): void; expire(): void };
  #cancel: Cancel = () => {};
  #agreedMs = 0;

  constructor(timers: Timers, actions: { refresh(): void; expire(): void }) {
    this.#timers = timers;
    this.#actions = actions;
  }

  agree(interval: SessionInterval | undefined, weRefresh: boolean): void {
    this.stop();
    if (interval === undefined) return;
    const ms = interval.seconds * 1_000;
    this.#agreedMs = ms;
    this.#cancel = weRefresh
      ? this.#timers.after(ms / 2, () => this.#actions.refresh())
      : this.#timers.after(ms - earlyMs(ms), () => this.#actions.expire());
  }

  /** Tries again soon what the peer could not do now. */
  refreshIn(ms: number): void {
    this.stop();
    this.#cancel = this.#timers.after(ms, () => this.#actions.refresh());
  }

  /** Ends the session when the time that was agreed on is over, of which half has passed. */
  runOut(): void {
    this.stop();
    this.#cancel = this.#timers.after(this.#agreedMs / 2 - earlyMs(this.#agreedMs), () => this.#actions.expire());
  }

  stop(): void {
    this.#cancel();
  }
}

/** How long before its expiry this side ends a session that the peer did not renew, so that the BYE still finds the peer. */
function earlyMs(ms: number): number {
  return Math.min(32_000, ms / 3);
}
