// What the answers of a webhook's receiver mean. A provider serves many receivers, so none of them is a fault of the provider.

import type { Delivery } from '../../domain/calls/delivery.ts';
import { type ProviderReason, storedReason } from '../../domain/channels/words/provider-reason.ts';
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

export function outcomeOf(status: number, retryAfter: string | undefined, now: number): Delivery {
  if (status >= 200 && status < 300)
    return { kind: 'delivered', detail: storedReason({ code: 'receiver-took', status }) };
  const verdict = verdictOf(webhookStages.response, statusNames(status));
  return {
    ...failedBy(verdict, { code: 'receiver-answered', status }),
    ...(verdict.next === 'again' ? waitOf(retryAfter, now) : {}),
  };
}

/** The receiver was not reached. */
export function unreached(why: ProviderReason): Delivery {
  return failedBy(webhookStages.connection.other, { code: 'receiver-unreached', why });
}

/** The provider may not request the address. */
export function refusedAddress(reason: ProviderReason): Delivery {
  return failedBy(webhookStages.address.other, reason);
}

/** `Retry-After` is a number of seconds or a date. */
function waitOf(retryAfter: string | undefined, now: number): { readonly retryAfterSeconds?: number } {
  if (retryAfter === undefined) return {};
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1000;
  if (!(seconds > 0)) return {};
  return { retryAfterSeconds: Math.min(Math.ceil(seconds), longestRetryAfterSeconds) };
}
