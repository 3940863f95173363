// The port to the simulated phones, which are rows of the database.

import type { CallMessage, CodeMessage } from '../../domain/calls/delivery.ts';
import type { PhoneOutcome } from '../../domain/calls/phone-outcome.ts';

export type Ring = {
  readonly state: 'ringing' | 'answered' | 'ended';
  readonly outcome: PhoneOutcome;
  readonly since: number;
};

export type PhoneListener = {
  /** The call of an attempt has ended on the side of the person. */
  readonly ended: (attemptId: number, outcome: PhoneOutcome) => void;
  /** Somebody has taken an alarm, or it is over otherwise. */
  readonly causesEnded: () => void;
};

export type SimulatedPhones = {
  /** Idempotent per attempt. */
  ring(message: CallMessage): Promise<'ringing' | 'busy'>;
  getRing(attemptId: number): Promise<Ring | undefined>;
  /** Picks up as an answering machine does. */
  pickUp(userId: number): Promise<void>;
  /** Ends a call from the side of the server; returns its outcome, undefined if it goes on. */
  cut(attemptId: number, outcome: PhoneOutcome, which: 'ringing' | 'any'): Promise<PhoneOutcome | undefined>;
  /** Tells a person in a conversation what became of the alarm. */
  tell(attemptId: number): Promise<void>;
  /** Once per attempt. */
  showText(message: CallMessage): Promise<void>;
  showCode(message: CodeMessage): Promise<void>;
  /** Returns the function that ends it. */
  listen(listener: PhoneListener): () => void;
};
