// Finds what the error of a mail server means: whose fault it is, and why.

import type { ProviderReason } from '../../domain/channels/words/provider-reason.ts';
import { networkProblem, placeOf, type Reached } from '../network-problem.ts';
import { statusNames, type Verdict, verdictOf } from '../verdicts.ts';
import { smtpStageOf, smtpStages } from './smtp-stages.ts';

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

/** Returns what it means that a mail was not taken. */
export function verdictOfSmtp(error: unknown): Verdict {
  const { code = '', command = '' } = asSmtpError(error);
  return verdictOf(smtpStages[smtpStageOf(command, code)], answerNames(asSmtpError(error)));
}

/** The names of the answer, the narrowest first: 5.1.1, 5.1, 550, 5xx. */
function answerNames({ code, responseCode, response = '' }: SmtpError): readonly string[] {
  if (responseCode === undefined) {
    if (code === 'EAUTH') return ['noWay'];
    // Its greeting says how large a mail may be, so that nothing was sent.
    return [code === 'EMESSAGE' ? 'tooLarge' : 'silence'];
  }
  const [, status = ''] = enhancedStatus.exec(response) ?? [];
  const [kind = '', subject = ''] = status.split('.');
  const narrow = status === '' ? [] : [status, `${kind}.${subject}`];
  return [...narrow, ...statusNames(responseCode)];
}

/** Returns why a mail server cannot be used. Never contains a password, and of a sign-in only the code of the response. */
export function smtpReason(error: unknown, server: Reached): ProviderReason {
  const { code, responseCode, response = '', command = '' } = asSmtpError(error);
  const place = placeOf(server);
  if (code === 'EAUTH')
    return responseCode === undefined
      ? { code: 'mail-no-sign-in', place }
      : { code: 'mail-password', status: responseCode };
  if (responseCode === 530) return { code: 'mail-wants-password' };
  if (responseCode !== undefined && command === 'STARTTLS')
    return { code: 'mail-no-starttls', place, status: responseCode };
  if (code === 'EMESSAGE' && responseCode === undefined) return { code: 'mail-too-large' };
  const said = shortened(response);
  if (responseCode !== undefined)
    return isAboutSender(error) ? { code: 'mail-sender-refused', said } : { code: 'mail-answered', said };
  return networkProblem(error, server) ?? { code: 'mail-silent', place };
}

/** Some servers refuse the sender only when they are told the recipient. */
function isAboutSender(error: unknown): boolean {
  const { response = '', command = '' } = asSmtpError(error);
  return command === 'MAIL FROM' || (command === 'RCPT TO' && /\bsender\b/i.test(response));
}

function asSmtpError(error: unknown): SmtpError {
  return error instanceof Error ? (error as Error & SmtpError) : { message: '' };
}

/** What a server said, on one line and without control characters, which a database may refuse. */
export function shortened(text: string, most = 200): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
}
