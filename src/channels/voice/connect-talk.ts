// Connects a conversation with the line of a SIP call: it hears the keys, the end of the call, and news of the alarms.

import type { IncomingCall, MediaSession, OutgoingCall } from '@tocsin/sip';
import { type KeySource, KeySources } from '../../domain/channels/key-sources.ts';
import { CallSounds, type Recordings } from './call-sounds.ts';
import type { Conversations } from './conversations.ts';
import type { Speech } from './speech.ts';
import { Talk } from './talk.ts';
import { endWhenVanished } from './vanished.ts';

const times = { keyMs: 10_000, longestMs: 180_000 };

/** The ports of telephone calls, whoever rings whom. */
export type VoicePorts = {
  readonly conversations: Conversations;
  readonly speech: Speech;
  readonly recordings: Recordings;
  /** What is wrong with a provider that calls people all the same; undefined if it is no more. */
  readonly note?: (providerId: number, trouble: 'ring-in' | 'voice', problem: string | undefined) => void;
  readonly onTrouble: (error: unknown) => void;
};

type AnsweredLine = {
  readonly media: MediaSession;
  readonly call: OutgoingCall | IncomingCall;
  readonly end: Promise<unknown>;
};

/** Ends the call when an error of this server has ended its sound, and reports the error. */
export function endOnFault(call: AnsweredLine['call'], media: MediaSession, onTrouble: VoicePorts['onTrouble']): void {
  media.once('failed', (error) => {
    onTrouble(faultIn(`the sound of call ${call.callId}`, error));
    call.abort();
  });
}

/** The error with the thing that it has ended, for the log. */
export function faultIn(subject: string, error: unknown): Error {
  return new Error(`internal fault in ${subject}`, { cause: error });
}

type ConnectedTalk = {
  readonly talk: Talk;
  readonly sounds: CallSounds;
  readonly stopNews: () => void;
  /** Whether the other side has vanished in the call. */
  readonly hasVanished: () => boolean;
};

export function connectTalk(
  { conversations, speech, recordings, onTrouble }: VoicePorts,
  { media, call, end }: AnsweredLine,
  attemptId: number,
): ConnectedTalk {
  const sounds = new CallSounds(speech, recordings);
  const talk = new Talk({ attemptId, conversations, sounds, line: media, times });
  const hasVanished = endWhenVanished({ call, media }, onTrouble);
  const stopNews = conversations.onNews(() => void talk.noteNews().catch(onTrouble));
  const sources = new KeySources();
  const press = (key: string, source: KeySource): void => {
    if (sources.isPress(key, source, performance.now(), media.hasKeyEvents)) talk.press(key);
  };
  media.on('keyPressed', press);
  call.on('digit', ({ digit }) => press(digit, 'info'));
  void end.then(() => talk.hangUp());
  return { talk, sounds, stopNews, hasVanished };
}
