// One SMTP session: connects, signs in, hands over one mail, and ends within ten seconds or when it is aborted.

import SMTPConnection from 'nodemailer/lib/smtp-connection';

const longestMs = 10_000;

export type SmtpAccount = {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
};

/** A mail as bytes, with its envelope. */
export type PrintedMail = { readonly from: string; readonly to: string; readonly bytes: Buffer };

/** Returns the last response of the server, which often names the mail in its queue. Throws the errors of nodemailer. */
export async function sendMail(account: SmtpAccount, mail: PrintedMail, signal: AbortSignal): Promise<string> {
  return inSession(account, signal, (connection) => {
    const envelope = { from: mail.from, to: [mail.to], size: mail.bytes.length };
    return step<string>((done) => {
      connection.send(envelope, mail.bytes, (error, info) => done(error, info?.response ?? ''));
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
  work: (connection: SMTPConnection) => Promise<T>,
): Promise<T> {
  const { host, port, security, user, password } = account;
  const ended = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  ended.throwIfAborted();
  const connection = new SMTPConnection({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: longestMs,
    greetingTimeout: longestMs,
    socketTimeout: longestMs,
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
    const talk = async (): Promise<T> => {
      await step<void>((done) => connection.connect((error) => done(error)));
      if (user !== undefined)
        await step<void>((done) => connection.login({ user, pass: password ?? '' }, (error) => done(error)));
      return work(connection);
    };
    const result = await Promise.race([talk(), failed.promise]);
    connection.quit();
    return result;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    ended.removeEventListener('abort', abort);
    failed.promise.catch(() => {});
  }
}

function step<T>(begin: (done: (error: unknown, result?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    begin((error, result) => (error ? reject(error) : resolve(result as T)));
  });
}
