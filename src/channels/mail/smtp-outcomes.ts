// Maps the errors of a mail server to outcomes, with reasons for administrators.

import type { Delivery } from '../../domain/calls/delivery.ts';
import { networkProblem, placeOf, type Reached } from '../network-problem.ts';

type Failed = Extract<Delivery, { kind: 'failed' }>;

/** An error of nodemailer or of the network. */
type SmtpError = {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
  readonly message: string;
};

/** A status of RFC 3463 behind the code of a response, such as 5.1.1. */
const enhancedStatus = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/;

/** Returns the outcome of a mail that was not taken. */
export function outcomeOfSmtp(error: unknown, server: Reached): Failed {
  const { responseCode = 0, response = '', command = '' } = asSmtpError(error);
  const reason = smtpReason(error, server);
  const [, status = ''] = enhancedStatus.exec(response) ?? [];
  if (responseCode >= 500 && isAboutSettings(error)) return { ...failed('undeliverable', reason), fault: 'refused' };
  if (responseCode >= 500) {
    const outcome = status.startsWith('5.1.') && command === 'RCPT TO' ? 'badNumber' : 'undeliverable';
    return { ...failed(outcome, reason), retry: 'never' };
  }
  if (responseCode >= 400 && status.startsWith('4.2.')) return failed('failed', reason);
  return { ...failed('providerDown', reason), fault: 'down' };
}

/** Whether the server refused the account or the sender: no mail to anybody would be taken. */
function isAboutSettings(error: unknown): boolean {
  const { code, responseCode, response = '', command = '' } = asSmtpError(error);
  if (code === 'EAUTH' || responseCode === 530 || responseCode === 535 || command === 'STARTTLS') return true;
  if (command === 'MAIL FROM') return responseCode !== 552;
  return command === 'RCPT TO' && (enhancedStatus.exec(response)?.[1] ?? '').startsWith('5.7.');
}

/** Returns why a mail server cannot be used. Never contains a password, and of a sign-in only the code of the response. */
export function smtpReason(error: unknown, server: Reached): string {
  const { code, responseCode, response = '', command = '' } = asSmtpError(error);
  if (code === 'EAUTH')
    return responseCode === undefined
      ? `the mail server ${placeOf(server)} offers no way to sign in that is known here`
      : `the mail server refused the password (${responseCode})`;
  if (responseCode === 530) return 'the mail server wants a name and a password (530)';
  if (responseCode !== undefined && command === 'STARTTLS')
    return `the mail server ${placeOf(server)} does not offer STARTTLS (${responseCode}): try the security tls`;
  const said = shortened(response);
  if (responseCode !== undefined) return isAboutSender(error) ? `${senderRefused}: ${said}` : `${answered} ${said}`;
  return networkProblem(error, server) ?? `the mail server ${placeOf(server)} does not answer`;
}

const senderRefused = 'the mail server refuses the sender';
const answered = 'the mail server answered';

/** Some servers refuse the sender only when they are told the recipient. */
function isAboutSender(error: unknown): boolean {
  const { response = '', command = '' } = asSmtpError(error);
  return command === 'MAIL FROM' || (command === 'RCPT TO' && /\bsender\b/i.test(response));
}

function asSmtpError(error: unknown): SmtpError {
  return error instanceof Error ? (error as Error & SmtpError) : { message: '' };
}

function shortened(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

function failed(outcome: Failed['outcome'], reason: string): Failed {
  return { kind: 'failed', retry: 'later', outcome, reason };
}
