// The port of the mail channel to the store: the details of mails, their links and tags, replies and bounces.

import type { CallMessage } from '../../domain/calls/delivery.ts';
import type { InboundOutcome } from '../../domain/calls/replies/inbound.ts';

export type MailFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };

type MailItem = {
  readonly priority: number;
  readonly place: string;
  readonly instructions: string;
  /** The page that shows what happened; undefined for what is no alarm, and if the server has no public address. */
  readonly page: string | undefined;
};

export type MailDetails = {
  /** Of each announced item, in the order of the message; place and instructions may be empty. */
  readonly items: readonly MailItem[];
  readonly files: readonly MailFile[];
  readonly missingFiles: readonly string[];
  readonly tooLargeFiles: readonly string[];
};

export type MailReply = {
  /** The key of the mail: a second mail with the same key changes nothing. */
  readonly key: string;
  readonly from: string;
  /** The first line that the person wrote. */
  readonly text: string;
  /** The attempt that a token in its address or references names. */
  readonly attemptId: number | undefined;
};

export type MailPort = {
  /** Files are read as long as they have no more bytes in all. */
  details(message: CallMessage, mostBytes: number): Promise<MailDetails>;
  /** The page on which the person answers; undefined if the server has no public address. */
  linkOf(attemptId: number): string | undefined;
  tagOf(attemptId: number): string;
  /** The attempt of a tag; undefined if it is forged. */
  attemptOf(tag: string): number | undefined;
  /** A refusal of somebody unknown must not be answered, or two programs could write to each other for ever. */
  reply(reply: MailReply): Promise<InboundOutcome>;
  /** A mail server reported that the mail of an attempt was not delivered; `status` is that of RFC 3463, such as 5.1.1. */
  bounced(attemptId: number, status: string): Promise<void>;
  /** Why the mailbox cannot be read; undefined if it can. */
  noteMailbox(problem: string | undefined): Promise<void>;
  /** A mail that is no answer, for the log; without its text. */
  ignored(reason: string, messageId: string): void;
  /** Reads a mail, unless it has to wait or is given up because the server ended each time; returns whether it was read. */
  take(key: string, read: () => Promise<void>): Promise<boolean>;
  readonly onTrouble: (error: unknown) => void;
};
