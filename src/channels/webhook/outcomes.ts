// What the answers of a webhook's receiver mean. A provider serves many receivers, so none of them is a fault of the provider.

import type { Delivery } from '../../domain/calls/delivery.ts';
import { badNumber, failedBy, type Stage, statusNames, undeliverable, verdictOf } from '../verdicts.ts';

/** A receiver cannot postpone a message for longer. */
const longestRetryAfterSeconds = 300;

const receiverLater = { blames: 'person', isTry: true, next: 'again', outcome: 'undeliverable' } as const;

export const webhookStages = {
  /** The address is judged by its form, and by the addresses of its name: another provider may be allowed more. */
  address: {
    reaches: 'server',
    answers: {},
    other: { blames: 'limits', isTry: false, next: 'next-provider', outcome: 'badNumber' },
  },
  /** The receiver is the person's own server: that nobody is reached there is no fault of the provider. */
  connection: { reaches: 'person', answers: {}, other: receiverLater },
  response: {
    reaches: 'person',
    answers: {
      // These 4xx mean "not now".
      '408': receiverLater,
      '425': receiverLater,
      '429': receiverLater,
      '404': badNumber,
      '410': badNumber,
      '5xx': receiverLater,
    },
    other: undeliverable,
  },
} as const satisfies Record<string, Stage>;

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

export function outcomeOf(status: number, retryAfter: string | undefined, now: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered', detail: `the receiver answered ${status}` };
  const meaning = status >= 300 && status < 400 ? 'it redirects, which is not followed' : meanings[status];
  const reason = `the receiver answered ${status}${meaning === undefined ? '' : `: ${meaning}`}`;
  const verdict = verdictOf(webhookStages.response, statusNames(status));
  return { ...failedBy(verdict, reason), ...(verdict.next === 'again' ? waitOf(retryAfter, now) : {}) };
}

/** The receiver was not reached. */
export function unreached(reason: string): Delivery {
  return failedBy(webhookStages.connection.other, `the receiver was not reached: ${reason}`);
}

/** The provider may not request the address. */
export function refusedAddress(reason: string): Delivery {
  return failedBy(webhookStages.address.other, reason);
}

/** `Retry-After` is a number of seconds or a date. */
function waitOf(retryAfter: string | undefined, now: number): { readonly retryAfterSeconds?: number } {
  if (retryAfter === undefined) return {};
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  if (!(seconds > 0)) return {};
  return { retryAfterSeconds: Math.min(Math.ceil(seconds), longestRetryAfterSeconds) };
}
