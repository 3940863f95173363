// What was said and pressed in a call of a simulated phone: the server answers each key with what the voice says next.

import { useQueryClient } from '@tanstack/react-query';
import { answerPhone, type PhoneSaid, pressPhoneKeys } from '@tocsin/client';
import { useEffect } from 'react';
import { useRead } from '../../data/lists/use-read.ts';
import { useLiveAlarms } from '../../data/use-live.ts';
import type { PhoneState } from './phone-state.ts';

export type Spoken = { readonly id: number; readonly direction: 'to' | 'from'; readonly text: string };

/** Kept beside what is read from the server, so that a phone that is drawn anew goes on. */
const keyOf = (userId: number, callId: number | undefined) => ['conversation', userId, callId];

export function useConversation({ userId, call }: PhoneState) {
  const queries = useQueryClient();
  const live = useLiveAlarms();
  const queryKey = keyOf(userId, call?.callId);
  const conversation = useRead<readonly Spoken[]>({ queryKey, queryFn: () => [], staleTime: Number.POSITIVE_INFINITY });
  const add = (direction: Spoken['direction'], text: string): void =>
    void queries.setQueryData<readonly Spoken[]>(queryKey, (known = []) => [
      ...known,
      { id: known.length, direction, text },
    ]);
  const say = ({ said }: PhoneSaid): void => {
    if (said !== '') add('to', said);
  };
  // The voice also speaks by itself, for instance when the alarm was taken elsewhere.
  useEffect(() =>
    live.onPhone((event) => {
      if (event.event === 'said' && event.userId === userId) add('to', event.text);
    }),
  );
  return {
    spoken: conversation.choices((all) => all),
    answer: async () => say(await answerPhone(userId)),
    press: async (key: string) => {
      add('from', key);
      say(await pressPhoneKeys(userId, { keys: key }));
    },
  };
}
