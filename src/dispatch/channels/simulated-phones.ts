// The simulated phones of the store, as the simulator channel sees them.

import type { PhoneListener, Ring, SimulatedPhones } from '../../channels/simulator/phones.ts';
import type { Clock } from '../../clock.ts';
import type { PhoneOutcome } from '../../domain/calls/phone-outcome.ts';
import { causesEnded as causesEndedEvent } from '../../operations/calls/engine/call-events.ts';
import { showCode } from '../../operations/simulator/codes.ts';
import { openForPhone } from '../../operations/simulator/open-for-phone.ts';
import { getRing } from '../../operations/simulator/phone-rows.ts';
import { answerPhone, cutLine, ringPhone, showText, tellPhone } from '../../operations/simulator/phones.ts';
import type { EventFeed } from '../../store/event-feed.ts';
import type { Store } from '../../store/store.ts';

export function simulatedPhones(store: Store, feed: EventFeed, clock: Clock): SimulatedPhones {
  return {
    ring: (message) => store.write(ringPhone, { message }),
    async getRing(attemptId) {
      const ring = await store.read(getRing, { attemptId });
      return ring && { state: ring.state as Ring['state'], outcome: ring.outcome, since: ring.created_at };
    },
    async pickUp(userId) {
      const open = await openForPhone(store, userId, clock.now());
      await store.write(answerPhone, { userId, open });
    },
    cut: (attemptId, outcome, which) => store.write(cutLine, { attemptId, outcome, which }),
    tell: (attemptId) => store.write(tellPhone, { attemptId }),
    showText: (message) => store.write(showText, { message }),
    showCode: (message) => store.write(showCode, { message }),
    listen: ({ ended, causesEnded }: PhoneListener) =>
      feed.subscribe(({ kind, data }) => {
        if (kind === causesEndedEvent) causesEnded();
        if (kind === 'phone.ended') ended(Number(data.attemptId), String(data.outcome) as PhoneOutcome);
      }, 'but-frequent'),
  };
}
