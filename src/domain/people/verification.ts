// The rules for verifying a number: how long a code is valid, how often it may be guessed, and how often one is sent. Pure.

const minuteMs = 60_000;

/** How long a code can be given back. */
export const codeLifeMs = 15 * minuteMs;
/** Then another code is needed. */
const mostWrongCodes = 5;
/** Codes are sent to addresses that nobody vouches for, so their number is bounded, for each person. */
const mostSends = 5;
export const sendWindowMs = 60 * minuteMs;

/** A code that was sent. `sends` counts those sent since `sendsSince`. */
export type SentCode = {
  readonly channel: string;
  readonly address: string;
  readonly codeHash: string;
  readonly sentAt: number;
  readonly wrongCodes: number;
  readonly sends: number;
  readonly sendsSince: number;
};

/** Why a code is not accepted; undefined: it is. */
export type CodeFault = 'none-sent' | 'expired' | 'wrong';

/** A code counts only for the address that it was sent to. */
export function codeFaultOf(
  sent: SentCode | undefined,
  number: { readonly channel: string; readonly address: string },
  codeHash: string,
  now: number,
): CodeFault | undefined {
  if (sent === undefined || sent.channel !== number.channel || sent.address !== number.address) return 'none-sent';
  if (now - sent.sentAt >= codeLifeMs || sent.wrongCodes >= mostWrongCodes) return 'expired';
  return sent.codeHash === codeHash ? undefined : 'wrong';
}

/** Returns when the person may be sent another code; undefined: now. `sent` are the codes of all their numbers. */
export function nextSendAt(sent: readonly SentCode[], now: number): number | undefined {
  const recent = sent.filter(({ sendsSince }) => now - sendsSince < sendWindowMs);
  const count = recent.reduce((sum, { sends }) => sum + sends, 0);
  return count < mostSends ? undefined : Math.min(...recent.map(({ sendsSince }) => sendsSince)) + sendWindowMs;
}

/** Returns how many codes were sent to the number in the window that includes this one, and since when. */
export function countSend(sent: SentCode | undefined, now: number): Pick<SentCode, 'sends' | 'sendsSince'> {
  const isRecent = sent !== undefined && now - sent.sendsSince < sendWindowMs;
  return isRecent ? { sends: sent.sends + 1, sendsSince: sent.sendsSince } : { sends: 1, sendsSince: now };
}
