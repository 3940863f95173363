// What the answers of a mail server mean at each stage of a session. Only about a recipient, and about a mail for one, can an
// answer blame the person.

import { badNumber, down, refused, type Stage, undeliverable } from '../verdicts.ts';

const recipientLater = { blames: 'person', isTry: true, next: 'again', outcome: 'failed' } as const;
/** The mail is larger than the server takes. */
const tooLarge = { blames: 'limits', isTry: false, next: 'smaller', outcome: 'undeliverable' } as const;

export const smtpStages = {
  /** The connection, and the first line of the server. */
  greeting: { reaches: 'server', answers: {}, other: down },
  hello: { reaches: 'server', answers: {}, other: down },
  starttls: { reaches: 'server', answers: { '5xx': refused }, other: down },
  signIn: { reaches: 'server', answers: { '5xx': refused, noWay: refused }, other: down },
  sender: {
    reaches: 'server',
    answers: { '552': tooLarge, '5.3.4': tooLarge, tooLarge, '5xx': refused },
    other: down,
  },
  recipient: {
    reaches: 'address',
    answers: {
      // The server wants a name and a password, is about to close, or does not let this sender write to that recipient.
      '530': refused,
      '535': refused,
      '421': down,
      '5.7': refused,
      // It is the sender whose address is refused.
      '5.1.7': refused,
      '5.1.8': refused,
      '5.1': badNumber,
      '5xx': undeliverable,
      '4xx': recipientLater,
    },
    other: down,
  },
  content: {
    reaches: 'address',
    answers: {
      '530': refused,
      '421': down,
      '552': tooLarge,
      '5.3.4': tooLarge,
      '5.2.3': tooLarge,
      '5.2.2': undeliverable,
      '5xx': undeliverable,
      '4.2': recipientLater,
    },
    other: down,
  },
} as const satisfies Record<string, Stage>;

export type SmtpStage = keyof typeof smtpStages;

/** The stage of each command of nodemailer. `API` is an error of nodemailer itself, before anything was sent. */
const stageOfCommand: Readonly<Record<string, SmtpStage>> = {
  CONN: 'greeting',
  EHLO: 'hello',
  HELO: 'hello',
  LHLO: 'hello',
  STARTTLS: 'starttls',
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'content',
};

export function smtpStageOf(command: string, code: string): SmtpStage {
  if (code === 'EAUTH' || command.startsWith('AUTH')) return 'signIn';
  return stageOfCommand[command] ?? 'greeting';
}
