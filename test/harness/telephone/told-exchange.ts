// A telephone exchange that does with each number what the test says: nobody answers there, or its network is dead. It may answer its
// own check all the same, as a proxy in front of a dead network does.

import type { OpenProvider, Report } from '../../../src/channels/channel.ts';
import type { CallMessage, Delivery } from '../../../src/domain/calls/delivery.ts';

export const noAnswer: Delivery = { kind: 'failed', retry: 'later', outcome: 'noAnswer', reason: 'no answer' };
export const networkDown: Delivery = {
  kind: 'failed',
  retry: 'later',
  outcome: 'providerDown',
  fault: 'down',
  reason: 'the network does not answer',
};

type Asked = { readonly address: string; readonly at: number; readonly outcome: string };

export class ToldExchange implements OpenProvider {
  /** All calls it was asked for, in order. */
  readonly asked: Asked[] = [];
  /** What becomes of a call to the number. */
  tell: (address: string) => Delivery = () => noAnswer;
  /** Whether it answers when it is checked. */
  passesCheck = true;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async deliver({ attemptId, address }: CallMessage, report: Report): Promise<Delivery> {
    const delivery = this.tell(address);
    const outcome = delivery.kind === 'failed' ? delivery.outcome : delivery.kind;
    this.asked.push({ address, at: this.#now(), outcome });
    if (outcome === 'providerDown') return delivery;
    report({ kind: 'accepted', ref: String(attemptId) });
    report({ kind: 'ringing' });
    return delivery;
  }

  async check(): Promise<void> {
    if (!this.passesCheck) throw new Error('the exchange does not answer');
  }

  /** The calls that it carried: the number rang. */
  get carried(): readonly Asked[] {
    return this.asked.filter(({ outcome }) => outcome !== 'providerDown');
  }

  survivesShutdown(): boolean {
    return false;
  }

  async close(): Promise<void> {}
}
