// One SMTP session: connects, signs in, hands over one mail, and ends when it is aborted, or when the server takes too long.

import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { guard } from '../../guard.ts';

/** For everything up to the last byte of the mail. */
const longestMs = 10_000;
/** For the answer to it, as RFC 5321 asks: whoever gives up before sends the mail again. */
const longestAnswerMs = 600_000;

export type SmtpAccount = {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
};

/** A mail as bytes, with its envelope. */
export type PrintedMail = { readonly from: string; readonly to: string; readonly bytes: Buffer };

type MailSending = {
  readonly signal: AbortSignal;
  /** Called when the last byte has gone, and the server may have the mail. */
  readonly onHandedOver: () => void;
  readonly onTrouble: (error: unknown) => void;
};

/** Returns the last response of the server, which often names the mail in its queue. Throws the errors of nodemailer. */
export async function sendMail(
  account: SmtpAccount,
  mail: PrintedMail,
  { signal, onHandedOver, onTrouble }: MailSending,
): Promise<string> {
  return inSession(account, signal, (connection, allow) => {
    const envelope = { from: mail.from, to: [mail.to], size: mail.bytes.length };
    return step<string>((done) => {
      const handOver = (): void => {
        allow(longestAnswerMs);
        onHandedOver();
      };
      const fail = (error: unknown): void => {
        onTrouble(error);
        done(error);
      };
      const bytes = Readable.from([mail.bytes]).once('end', () => guard(onTrouble, handOver));
      connection.send(envelope, bytes, (error, info) => guard(fail, () => done(error, info?.response ?? '')));
    });
  });
}

/** Connects and signs in, without sending anything. */
export async function trySignIn(account: SmtpAccount, signal: AbortSignal): Promise<void> {
  await inSession(account, signal, async () => {});
}

async function inSession<T>(
  account: SmtpAccount,
  signal: AbortSignal,
  /** `allow` gives the server that much time from now on. */
  work: (connection: SMTPConnection, allow: (ms: number) => void) => Promise<T>,
): Promise<T> {
  const { host, port, security, user, password } = account;
  const late = new AbortController();
  const giveUp = (): void => late.abort(new DOMException('The server took too long.', 'TimeoutError'));
  let timer = setTimeout(giveUp, longestMs);
  const allow = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, ms);
  };
  const ended = AbortSignal.any([signal, late.signal]);
  const connection = new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: longestMs,
    greetingTimeout: longestMs,
    socketTimeout: longestAnswerMs,
    dnsTimeout: longestMs,
    logger: false,
  });
  const failed = Promise.withResolvers<never>();
  connection.once('error', failed.reject);
  // A connection that is closed may still report errors, which nobody waits for any more.
  connection.on('error', () => {});
  const abort = (): void => failed.reject(ended.reason);
  ended.addEventListener('abort', abort, { once: true });
  try {
    ended.throwIfAborted();
    const talk = async (): Promise<T> => {
      await step<void>((done) => connection.connect((error) => done(error)));
      if (user !== undefined)
        await step<void>((done) => connection.login({ user, pass: password ?? '' }, (error) => done(error)));
      return work(connection, allow);
    };
    const result = await Promise.race([talk(), failed.promise]);
    connection.quit();
    return result;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(timer);
    ended.removeEventListener('abort', abort);
    failed.promise.catch(() => {});
  }
}

function step<T>(begin: (done: (error: unknown, result?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    begin((error, result) => (error ? reject(error) : resolve(result as T)));
  });
}
