// Watches a mailbox by IMAP: hands each unread mail on and marks it as read, and connects again after a loss.

import { setTimeout as pause } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { type ProviderReason, storedReason } from '../../domain/channels/words/provider-reason.ts';
import { guard } from '../../guard.ts';
import { networkProblem, placeOf } from '../network-problem.ts';

const timeoutMs = 10_000;
/** How often the mailbox is looked at, whether the server tells of new mail or not. */
const lookEveryMs = 30_000;
const idleAfterMs = 100;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A connection that is lost once is only made again; one that fails so often is a problem. */
const failuresUntilTold = 3;
/** Replies to older mails are too late to be read. */
const oldestMs = 7 * 86_400_000;
export type MailboxAccount = {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string;
  readonly password: string;
  readonly mailbox: string;
  readonly mostBytes: number;
};

export type MailboxListener = {
  /** A mail, cut at `mostBytes`; throws if it should come again. */
  readonly onMail: (source: Uint8Array, uid: string) => Promise<void>;
  /** Reads a mail, unless it has to wait for its turn; returns whether it was read. */
  readonly take: (uid: string, read: () => Promise<void>) => Promise<boolean>;
  /** Told when it is known why the mailbox cannot be read, and with undefined when it can. */
  readonly onState: (problem: string | undefined) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
};

export class Mailbox {
  readonly #account: MailboxAccount;
  readonly #listener: MailboxListener;
  readonly #stopping = new AbortController();
  /** How often each mail could not be handed on. */
  readonly #failures = new Map<number, number>();
  /** What was told last; nothing before the first connection, also of a mailbox that an earlier process could not read. */
  #told: { readonly problem: string | undefined } | undefined;
  readonly #running: Promise<void>;

  /** Begins at once. */
  constructor(account: MailboxAccount, listener: MailboxListener) {
    this.#account = account;
    this.#listener = listener;
    this.#running = this.#run();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 1; !signal.aborted; failures++) {
      const began = performance.now();
      try {
        await this.#watch();
      } catch (error) {
        if (performance.now() - began > longestPauseMs) failures = 1;
        if (!signal.aborted && failures >= failuresUntilTold)
          await this.#tell(storedReason(imapReason(error, this.#account)));
      }
      const pauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Reads the mailbox until the connection is lost or the watch is stopped. */
  async #watch(): Promise<void> {
    const client = clientOf(this.#account);
    const lost = Promise.withResolvers<never>();
    client.on('error', lost.reject);
    client.on('close', () => lost.reject(new Error('the connection was closed')));
    lost.promise.catch(() => {});
    const stop = (): void => lost.reject(new Error('stopped'));
    this.#stopping.signal.addEventListener('abort', stop, { once: true });
    try {
      await Promise.race([client.connect(), lost.promise]);
      await Promise.race([client.mailboxOpen(this.#account.mailbox), lost.promise]);
      await this.#tell(undefined);
      for (;;) {
        const arrived = newMail(client, this.#listener.onTrouble);
        // Nobody waits for it when the connection is lost meanwhile.
        arrived.catch(() => {});
        await Promise.race([this.#readUnseen(client), lost.promise]);
        await Promise.race([arrived, lost.promise]);
      }
    } finally {
      this.#stopping.signal.removeEventListener('abort', stop);
      client.close();
    }
  }

  async #readUnseen(client: ImapFlow): Promise<void> {
    const since = new Date(Date.now() - oldestMs);
    const uids = (await client.search({ seen: false, since }, { uid: true })) || [];
    const { mailbox } = client;
    const validity = mailbox === false ? '' : String(mailbox?.uidValidity ?? '');
    for (const uid of uids) {
      const name = `${validity}.${uid}`;
      await this.#listener.take(name, () => this.#read(client, uid, name));
    }
  }

  async #read(client: ImapFlow, uid: number, name: string): Promise<void> {
    const source = { start: 0, maxLength: this.#account.mostBytes };
    const mail = await client.fetchOne(String(uid), { source }, { uid: true });
    const isDone = !mail || (await this.#hand(mail.source ?? Buffer.alloc(0), uid, name));
    if (isDone) await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
  }

  /** Returns whether the mail need not come again. */
  async #hand(source: Uint8Array, uid: number, name: string): Promise<boolean> {
    try {
      await this.#listener.onMail(source, name);
      this.#failures.delete(uid);
      return true;
    } catch (error) {
      // It may be somebody's answer: it stays unread until it was stored. The log names it at growing intervals.
      const failures = (this.#failures.get(uid) ?? 0) + 1;
      this.#failures.set(uid, failures);
      if (Number.isInteger(Math.log2(failures))) this.#listener.onTrouble(error);
      return false;
    }
  }

  async #tell(problem: string | undefined): Promise<void> {
    if (this.#told !== undefined && problem === this.#told.problem) return;
    this.#told = { problem };
    try {
      await this.#listener.onState(problem);
    } catch (error) {
      this.#listener.onTrouble(error);
    }
  }
}

function clientOf({ host, port, security, user, password }: MailboxAccount): ImapFlow {
  return new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
    auth: { user, pass: password },
    logger: false,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    autoIdleDelay: idleAfterMs,
  });
}

/** Opens the mailbox for reading alone, once. Throws an Error with the stored reason if it cannot be read. */
export async function tryMailbox(account: MailboxAccount, signal: AbortSignal): Promise<void> {
  const client = clientOf(account);
  const lost = Promise.withResolvers<never>();
  client.on('error', lost.reject);
  const giveUp = (): void => lost.reject(new Error('no response'));
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await Promise.race([client.connect(), lost.promise]);
    await Promise.race([client.mailboxOpen(account.mailbox, { readOnly: true }), lost.promise]);
  } catch (error) {
    throw new Error(storedReason({ code: 'replies-unread', why: imapReason(error, account) }));
  } finally {
    signal.removeEventListener('abort', giveUp);
    lost.promise.catch(() => {});
    client.close();
  }
}

/** Resolves when the server tells of a mail, and after half a minute in any case. */
function newMail(client: ImapFlow, onTrouble: (error: unknown) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      client.off('exists', end);
      client.off('close', end);
      resolve();
    };
    const fail = (error: unknown): void => {
      onTrouble(error);
      reject(error);
    };
    const end = (): void => guard(fail, () => finish());
    const timer = setTimeout(end, lookEveryMs);
    timer.unref();
    client.on('exists', end);
    client.once('close', end);
  });
}

type ImapError = { readonly authenticationFailed?: boolean; readonly mailboxMissing?: boolean };

/** Returns why a mailbox cannot be read. */
function imapReason(error: unknown, account: MailboxAccount): ProviderReason {
  const { authenticationFailed, mailboxMissing } = (error ?? {}) as ImapError;
  const place = placeOf(account);
  if (authenticationFailed) return { code: 'imap-password', place };
  if (mailboxMissing) return { code: 'imap-no-mailbox', mailbox: account.mailbox };
  return networkProblem(error, { ...account, advice: 'imap' }) ?? { code: 'imap-silent', place };
}
