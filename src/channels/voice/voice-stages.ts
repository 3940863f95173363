// What the end of a telephone call means at each stage. Only a telephone that has rung can have been left unanswered.

import { badNumber, down, refused, type Stage, type Verdict } from '../verdicts.ts';

const busy = { blames: 'person', isTry: true, next: 'again', outcome: 'busy' } as const;
const declined = { blames: 'person', isTry: true, next: 'again', outcome: 'declined' } as const;
const noAnswer = { blames: 'person', isTry: true, next: 'again', outcome: 'noAnswer' } as const;
const voicemail = { blames: 'person', isTry: true, next: 'again', outcome: 'voicemail' } as const;
const failed = { blames: 'person', isTry: true, next: 'again', outcome: 'failed' } as const;
const locked = { blames: 'person', isTry: true, next: 'never', outcome: 'locked' } as const;

/** Final answers that mean the same whether the telephone has rung or not. */
const finalAnswers = {
  '401': refused,
  '403': refused,
  '407': refused,
  '415': refused,
  '421': refused,
  '488': refused,
  '404': badNumber,
  '410': badNumber,
  '484': badNumber,
  '604': badNumber,
  '480': noAnswer,
  '486': busy,
  '600': busy,
  '603': declined,
  '3xx': failed,
  '4xx': failed,
  '5xx': down,
  '6xx': failed,
} as const satisfies Readonly<Record<string, Verdict>>;

/** An exchange that gives up on a telephone that never rang has not reached it. */
const notRung = { ...finalAnswers, '408': down, '487': down };

export const voiceStages = {
  /** Nothing was heard of the exchange yet. */
  reaching: { reaches: 'address', answers: notRung, other: down },
  /** It has taken the call (100), and the telephone does not ring yet. */
  trying: { reaches: 'address', answers: notRung, other: down },
  ringing: {
    reaches: 'person',
    // The connection to the exchange was cut: the person may not even have been rung to the end.
    answers: { ...finalAnswers, '408': noAnswer, '487': noAnswer, timeout: noAnswer },
    other: down,
  },
  /** Somebody picked up, and nothing can be said: the next trunk may speak another way. */
  answering: { reaches: 'person', answers: {}, other: refused },
  talking: {
    reaches: 'person',
    answers: { lockedOut: locked, noKey: voicemail, noVoice: down, vanished: failed },
    other: failed,
  },
} as const satisfies Record<string, Stage>;
