// Maps the response of a webhook's receiver to the outcome of the delivery. A provider serves many receivers, so none of them
// is a fault of the provider.

import type { Delivery } from '../../domain/calls/delivery.ts';

type Failed = Extract<Delivery, { kind: 'failed' }>;

/** A receiver cannot postpone a message for longer. */
const longestRetryAfterSeconds = 300;

const meanings: Readonly<Record<number, string>> = {
  401: 'it does not accept the signature or wants another proof',
  403: 'it does not accept the signature or forbids the request',
  404: 'there is nothing at this address',
  405: 'it takes no POST',
  410: 'the address is no longer in use',
  413: 'the message is too large for it',
  429: 'it gets too many requests',
  503: 'it is overloaded or out of service',
};

/** These 4xx mean "not now". */
const laterStatuses: readonly number[] = [408, 425, 429];

export function outcomeOf(status: number, retryAfter: string | undefined, now: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered', detail: `the receiver answered ${status}` };
  const meaning = status >= 300 && status < 400 ? 'it redirects, which is not followed' : meanings[status];
  const reason = `the receiver answered ${status}${meaning === undefined ? '' : `: ${meaning}`}`;
  if (status >= 500 || laterStatuses.includes(status))
    return { ...failed('later', reason), ...waitOf(retryAfter, now) };
  if (status === 404 || status === 410) return { ...failed('never', reason), outcome: 'badNumber' };
  return failed('never', reason);
}

/** The receiver was not reached. */
export function unreached(reason: string): Delivery {
  return failed('later', `the receiver was not reached: ${reason}`);
}

/** The address may not be requested. */
export function refusedAddress(reason: string): Delivery {
  return { ...failed('never', reason), outcome: 'badNumber' };
}

/** `Retry-After` is a number of seconds or a date. */
function waitOf(retryAfter: string | undefined, now: number): { readonly retryAfterSeconds?: number } {
  if (retryAfter === undefined) return {};
  const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  if (!(seconds > 0)) return {};
  return { retryAfterSeconds: Math.min(Math.ceil(seconds), longestRetryAfterSeconds) };
}

function failed(retry: 'later' | 'never', reason: string): Failed {
  return { kind: 'failed', retry, outcome: 'undeliverable', reason };
}
