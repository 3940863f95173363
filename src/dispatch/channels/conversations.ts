// The conversations of the store, as the voice channel sees them.

import type { Conversations } from '../../channels/voice/conversations.ts';
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
import { beginRingIn } from '../../operations/conversations/sign-in.ts';
import type { EventFeed } from '../../store/event-feed.ts';
import type { Store } from '../../store/store.ts';

/** `comparePin` compares a PIN that the keys complete, off the event loop. */
export function storedConversations(
  store: Store,
  feed: EventFeed,
  comparePin: (attemptId: number, keys: string) => Promise<CheckedPin | undefined>,
): Conversations {
  return {
    begin: (message) => store.write(beginConversation, { message }),
    beginRingIn: async (line) => (await store.write(beginRingIn, { line })).attemptId,
    answered: (attemptId) => store.write(answerConversation, { attemptId }),
    async keys(attemptId, keys) {
      const checkedPin = await comparePin(attemptId, keys);
      return store.write(pressInConversation, { attemptId, keys, checkedPin });
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
