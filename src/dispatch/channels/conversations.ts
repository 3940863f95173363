// The conversations of the store, as the voice channel sees them.

import type { Conversations } from '../../channels/voice/conversations.ts';
import type { Clock } from '../../clock.ts';
import type { CheckedPin } from '../../domain/calls/ring-in/checked-pin.ts';
import { causesEnded } from '../../operations/calls/engine/call-events.ts';
import {
  answerConversation,
  beginConversation,
  endConversation,
  passSilence,
  pressInConversation,
  tellConversation,
} from '../../operations/conversations/converse.ts';
import { openForCall } from '../../operations/conversations/open-for-call.ts';
import { beginRingIn } from '../../operations/conversations/sign-in.ts';
import type { EventFeed } from '../../store/event-feed.ts';
import type { Store } from '../../store/store.ts';

/** `comparePin` compares a PIN that the keys complete, off the event loop. */
export function storedConversations(
  store: Store,
  feed: EventFeed,
  clock: Clock,
  comparePin: (attemptId: number, keys: string) => Promise<CheckedPin | undefined>,
): Conversations {
  const openFor = (attemptId: number) => openForCall(store, { attemptId, now: clock.now() });
  return {
    begin: (message) => store.write(beginConversation, { message }),
    beginRingIn: async (line) => (await store.write(beginRingIn, { line })).attemptId,
    answered: async (attemptId) => store.write(answerConversation, { attemptId, open: await openFor(attemptId) }),
    async keys(attemptId, keys) {
      const checkedPin = await comparePin(attemptId, keys);
      const open = await openFor(attemptId);
      return store.write(pressInConversation, { attemptId, keys, checkedPin, open });
    },
    silence: (attemptId) => store.write(passSilence, { attemptId }),
    news: (attemptId) => store.write(tellConversation, { attemptId }),
    ended: (attemptId) => store.write(endConversation, { attemptId }),
    onNews: (listener) =>
      feed.subscribe(({ kind }) => {
        if (kind === causesEnded) listener();
      }, 'but-frequent'),
  };
}
