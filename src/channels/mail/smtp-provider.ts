// Mails by SMTP, with replies from the mailbox of the sender address.

import type { Clock } from '../../clock.ts';
import type { CallMessage, CodeMessage, Delivery } from '../../domain/calls/delivery.ts';
import { wordsIn } from '../../domain/calls/words/catalogue.ts';
import { isMailAddress, type SmtpSettings } from '../../domain/channels/kinds/smtp.ts';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import { storedReason } from '../../domain/channels/words/provider-reason.ts';
import { notAccepted, type OpenProvider, type Report } from '../channel.ts';
import type { Reached } from '../network-problem.ts';
import { badNumber, cancelled, failedBy, type Verdict } from '../verdicts.ts';
import { composeMail, composeNote, type MailHeaders, type MailTexts, printMail } from './compose-mail.ts';
import type { MailDetails, MailFile, MailPort } from './mail-port.ts';
import { Mailbox, type MailboxAccount, tryMailbox } from './mailbox.ts';
import { mostMailBytes, type ReceivedMail, readMail } from './read-mail.ts';
import { shortened, smtpReason, verdictOfSmtp } from './smtp-outcomes.ts';
import { type SmtpAccount, sendMail, trySignIn } from './smtp-session.ts';

const smtpPorts = { tls: 465, starttls: 587, none: 25 };
const imapPorts = { tls: 993, starttls: 143, none: 143 };

/** The texts of a mail with the files that are attached to it. */
type MailForm = { readonly texts: MailTexts; readonly files: readonly MailFile[] };

export type MailSecrets = { readonly password?: string; readonly imapPassword?: string };

export class SmtpProvider implements OpenProvider {
  readonly #settings: SmtpSettings;
  readonly #account: SmtpAccount;
  readonly #imapPassword: string;
  readonly #port: MailPort;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #mailbox: Mailbox | undefined;
  #sent = 0;

  constructor(settings: SmtpSettings, { password, imapPassword }: MailSecrets, port: MailPort, clock: Clock) {
    const { host, security, user } = settings;
    this.#settings = settings;
    this.#account = { host, port: settings.port ?? smtpPorts[security], security, user, password };
    this.#imapPassword = imapPassword ?? password ?? '';
    this.#port = port;
    this.#clock = clock;
  }

  async deliver(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery> {
    if (signal.aborted) return cancelled;
    const { attemptId, address } = message;
    if (!isMailAddress(address)) return { ...badAddress };
    const { attachmentMegabytes, imapHost } = this.#settings;
    const details = await this.#port.details(message, attachmentMegabytes * 1024 * 1024);
    const answering = { link: this.#port.linkOf(attemptId), takesReplies: imapHost !== undefined };
    const tag = this.#port.tagOf(attemptId);
    const headers = {
      to: address,
      replyTo: this.#replyAddress(tag),
      messageId: this.#messageId(tag),
      inReplyTo: undefined,
      autoSubmitted: 'auto-generated',
      isUrgent: message.priority === 1 && !message.isTest,
    } as const;
    const all = { texts: composeMail(message, details, answering), files: details.files };
    // A mail that the server finds too large is of more use without its files than not at all.
    const bare = { texts: composeMail(message, withoutFiles(details), answering), files: [] };
    const onHandedOver = (): void => report({ kind: 'accepted', ref: headers.messageId });
    return this.#send(headers, details.files.length === 0 ? [all] : [all, bare], { signal, onHandedOver });
  }

  async sendCode({ address, text, language }: CodeMessage, signal: AbortSignal): Promise<Delivery> {
    if (!isMailAddress(address)) return { ...badAddress };
    const texts = composeNote(wordsIn(language).confirmAddress, text, language);
    return this.#send(this.#noteHeaders(address), [{ texts, files: [] }], { signal });
  }

  async check(signal: AbortSignal): Promise<void> {
    try {
      await trySignIn(this.#account, signal);
    } catch (error) {
      throw new Error(storedReason(smtpReason(error, this.#server)));
    }
  }

  /** A mail that the server has begun to take is finished within ten seconds. */
  survivesShutdown(): boolean {
    return false;
  }

  /** Signs in to the mailbox and looks at it, and leaves everything as it is. */
  async checkReplies(signal: AbortSignal): Promise<void> {
    const account = this.#mailboxAccount();
    if (account !== undefined) await tryMailbox(account, signal);
  }

  /** One node reads the mailbox. */
  setHeld(isHeld: boolean): void {
    const account = this.#mailboxAccount();
    const { onTrouble } = this.#port;
    if (!isHeld || account === undefined) {
      this.#mailbox?.stop().catch(onTrouble);
      this.#mailbox = undefined;
      return;
    }
    this.#mailbox ??= new Mailbox(account, {
      onMail: (source, uid) => this.#receive(source, uid),
      take: (uid, read) => this.#port.take(uid, read),
      onState: (problem) => this.#port.noteMailbox(problem),
      onTrouble,
    });
  }

  /** Undefined if replies are not read. */
  #mailboxAccount(): MailboxAccount | undefined {
    const { imapHost, imapPort, imapSecurity, imapUser, user, mailbox, from } = this.#settings;
    if (imapHost === undefined) return undefined;
    return {
      host: imapHost,
      port: imapPort ?? imapPorts[imapSecurity],
      security: imapSecurity,
      user: imapUser ?? user ?? from,
      password: this.#imapPassword,
      mailbox,
      mostBytes: mostMailBytes,
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#mailbox?.stop();
  }

  async #receive(source: Uint8Array, uid: string): Promise<void> {
    const received = await readMail(source, this.#settings.from).catch((error: unknown) => {
      this.#port.onTrouble(error);
      return undefined;
    });
    // What cannot be read today cannot be read tomorrow either.
    if (received === undefined) return this.#port.ignored('it cannot be read', uid);
    const { messageId } = received;
    if (received.kind === 'ignored') return this.#port.ignored(received.reason, messageId || uid);
    const [attemptId] = received.tags.flatMap((tag) => this.#port.attemptOf(tag) ?? []);
    if (received.kind === 'reply') return this.#takeReply(received, attemptId, uid);
    if (attemptId === undefined) return this.#port.ignored('it reports the loss of a mail that is not ours', messageId);
    await this.#port.bounced(attemptId, received.status);
  }

  async #takeReply(
    { from, subject, text, messageId }: Extract<ReceivedMail, { kind: 'reply' }>,
    attemptId: number | undefined,
    uid: string,
  ): Promise<void> {
    const key = `${from.toLowerCase()} ${messageId || uid}`;
    const outcome = await this.#port.reply({ key, from, text, attemptId });
    if (outcome.kind === 'repeated') return this.#port.ignored('it came before', messageId);
    if (outcome.kind === 'refused') this.#port.ignored(`it is no answer (${outcome.refusal})`, messageId || uid);
    const isSilent = outcome.kind === 'refused' && ['sender', 'too-many'].includes(outcome.refusal);
    if (isSilent || !isMailAddress(from)) return;
    const headers = {
      ...this.#noteHeaders(from),
      inReplyTo: messageId || undefined,
      autoSubmitted: 'auto-replied',
    } as const;
    const texts = composeNote(/^re:/i.test(subject) ? subject : `Re: ${subject}`, outcome.said, outcome.language);
    const delivery = await this.#send(headers, [{ texts, files: [] }], { signal: this.#closing.signal });
    if (delivery.kind === 'failed')
      this.#port.onTrouble(new Error(`a reply was not confirmed: ${englishReason(delivery.reason)}`));
  }

  /** Sends the first of the forms that is not too large for the server. */
  async #send(
    headers: Omit<MailHeaders, 'from' | 'fromName' | 'at'>,
    forms: readonly MailForm[],
    { signal, onHandedOver = () => {} }: { readonly signal: AbortSignal; readonly onHandedOver?: () => void },
  ): Promise<Delivery> {
    const { from, fromName } = this.#settings;
    let delivery: Delivery = cancelled;
    for (const { texts, files } of forms) {
      const bytes = await printMail({ ...headers, from, fromName, at: this.#clock.now() }, texts, files);
      try {
        const mail = { from, to: headers.to, bytes };
        const response = await sendMail(this.#account, mail, { signal, onHandedOver, onTrouble: this.#port.onTrouble });
        return { kind: 'delivered', detail: storedReason({ code: 'mail-taken', said: shortened(response, 100) }) };
      } catch (error) {
        if (signal.aborted && signal.reason !== notAccepted) return cancelled;
        const verdict: Verdict = verdictOfSmtp(error);
        delivery = failedBy(verdict, smtpReason(error, this.#server));
        if (verdict.next !== 'smaller') return delivery;
      }
    }
    return delivery;
  }

  get #server(): Reached {
    const { host, port } = this.#account;
    return { host, port, advice: 'smtp' };
  }

  /** The same for every delivery of an attempt, so that a mail that was sent twice is shown once. */
  #messageId(tag: string): string {
    return `<tocsin.${tag}@${this.#domain}>`;
  }

  /** A code or a confirmation belongs to no attempt. */
  #noteHeaders(to: string) {
    const unique = `${this.#clock.now().toString(36)}.${process.pid.toString(36)}.${(this.#sent++).toString(36)}`;
    const messageId = `<note.${unique}@${this.#domain}>`;
    return {
      to,
      replyTo: undefined,
      messageId,
      inReplyTo: undefined,
      autoSubmitted: 'auto-generated',
      isUrgent: false,
    } as const;
  }

  get #domain(): string {
    return this.#settings.from.slice(this.#settings.from.lastIndexOf('@') + 1);
  }

  #replyAddress(tag: string): string | undefined {
    if (this.#settings.replyTo === 'plain') return undefined;
    const [name, domain] = this.#settings.from.split('@');
    return `${name}+${tag}@${domain}`;
  }
}

const badAddress: Delivery = failedBy(badNumber, { code: 'mail-address-wrong' });

/** Its files are named as too large. */
function withoutFiles(details: MailDetails): MailDetails {
  const names = details.files.map(({ name }) => name);
  return { ...details, files: [], tooLargeFiles: [...details.tooLargeFiles, ...names] };
}
