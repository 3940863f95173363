// The conversations of the store, as the voice channel sees them.

import type { Conversations } from '../../channels/voice/conversations.ts';
import {
  answerConversation,
  beginConversation,
  endConversation,
  getTypedPin,
  passSilence,
  pressInConversation,
  tellConversation,
} from '../../operations/conversations/converse.ts';
import type { EventFeed } from '../../store/event-feed.ts';
import type { Store } from '../../store/store.ts';

/** `isSame` compares a PIN with its hash, off the event loop. */
export function storedConversations(
  store: Store,
  feed: EventFeed,
  isSame: (pin: string, hash: string) => Promise<boolean>,
): Conversations {
  return {
    begin: (message) => store.write(beginConversation, { message }),
    answered: (attemptId) => store.write(answerConversation, { attemptId }),
    async keys(attemptId, keys) {
      const typed = keys.includes('#') ? await store.read(getTypedPin, { attemptId, keys }) : undefined;
      const isPinRight = typed && (await isSame(typed.digits, typed.pinHash));
      return store.write(pressInConversation, { attemptId, keys, isPinRight });
    },
    silence: (attemptId) => store.write(passSilence, { attemptId }),
    news: (attemptId) => store.write(tellConversation, { attemptId }),
    ended: (attemptId) => store.write(endConversation, { attemptId }),
    onNews: (callId, listener) =>
      feed.subscribe(({ kind, subjectId }) => {
        if (kind === 'call.cause-ended' && subjectId === callId) listener();
      }, 'but-frequent'),
  };
}
