// What the thread of telephone calls and the server call each other for: providers on one side, rows of the store on the other.

import type { CallMessage, CodeMessage, Delivery, Progress } from '../../../domain/calls/delivery.ts';
import type { Recording } from '../../../domain/calls/words/recorded-text.ts';
import type { Provider } from '../../../domain/channels/provider.ts';
import type { VoicePorts } from '../connect-talk.ts';
import type { ConversationEnd, RingInLine, Spoken } from '../conversations.ts';
import type { SpeechSettings } from '../speech.ts';
import type { RecordingStore } from '../speech-recordings.ts';
import type { ThreadCall } from './thread-calls.ts';

/** What the thread is started with. */
export type VoiceThreadData = {
  readonly speech: SpeechSettings;
  /** The program that reads MP3, with its arguments. */
  readonly decoder: readonly string[];
};

type Secrets = Readonly<Record<string, string>>;

/** `key`: stands for one opened provider, which may be open twice while it is tested. */
type OfProvider = { readonly key: number };
type Opened = OfProvider & { readonly provider: Provider; readonly secrets: Secrets };

/** The functions of the thread. */
export type VoiceFunctions = {
  open(call: ThreadCall<Opened>): void;
  change(call: ThreadCall<Opened>): void;
  setHeld(call: ThreadCall<OfProvider & { readonly isHeld: boolean }>): void;
  deliver(call: ThreadCall<OfProvider & { readonly message: CallMessage }, Progress>): Promise<Delivery>;
  /** Releases a call of a lost node at the far end. */
  release(call: ThreadCall<OfProvider & { readonly ref: string }>): Promise<void>;
  check(call: ThreadCall<OfProvider>): Promise<void>;
  checkReplies(call: ThreadCall<OfProvider>): Promise<void>;
  sendCode(call: ThreadCall<OfProvider & { readonly message: CodeMessage }>): Promise<Delivery>;
  close(call: ThreadCall<OfProvider>): Promise<void>;
  /** Alarms are done, of which people in conversations are told. */
  news(call: ThreadCall<undefined>): void;
  /** Answers as soon as the thread has time. */
  ping(call: ThreadCall<undefined>): void;
};

type OfAttempt = { readonly attemptId: number };
type Note = Parameters<NonNullable<VoicePorts['note']>>;

/** The functions of the server. */
export type ServerFunctions = {
  begin(call: ThreadCall<{ readonly message: CallMessage }>): Promise<ConversationEnd | undefined>;
  beginRingIn(call: ThreadCall<{ readonly line: RingInLine }>): Promise<number>;
  answered(call: ThreadCall<OfAttempt>): Promise<Spoken>;
  keys(call: ThreadCall<OfAttempt & { readonly keys: string }>): Promise<Spoken>;
  silence(call: ThreadCall<OfAttempt>): Promise<Spoken>;
  tell(call: ThreadCall<OfAttempt>): Promise<Spoken | undefined>;
  ended(call: ThreadCall<OfAttempt>): Promise<ConversationEnd>;
  findRecording(call: ThreadCall<{ readonly recording: Recording }>): ReturnType<RecordingStore['find']>;
  note(call: ThreadCall<{ readonly note: Note }>): void;
  /** A program that the thread has started runs, or runs no more. */
  program(call: ThreadCall<{ readonly pid: number; readonly runs: boolean }>): void;
  trouble(call: ThreadCall<{ readonly error: unknown }>): void;
};
