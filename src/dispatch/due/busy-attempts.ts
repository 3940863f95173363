// How much a node has to do: texts that only wait for the confirmation of their server leave room for other attempts.

import { type CallMessage, isSpoken } from '../../domain/calls/delivery.ts';

/** A mail waits up to ten minutes; beyond this number they count, as each has a connection and a lease. */
const mostUnconfirmed = 3_000;

type Held = {
  readonly message: Pick<CallMessage, 'channel'>;
  /** Undefined once the provider has accepted. */
  readonly askedAt: number | undefined;
};

export function countBusy(attempts: ReadonlyMap<number, Held>): number {
  const isUnconfirmed = ({ message, askedAt }: Held): boolean => askedAt === undefined && !isSpoken(message.channel);
  return attempts.size - Math.min([...attempts.values()].filter(isUnconfirmed).length, mostUnconfirmed);
}
