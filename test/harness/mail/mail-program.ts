// The mail program of a person in a test: reads a mailbox by IMAP and sends mails and replies by SMTP.

import assert from 'node:assert/strict';
import { ImapFlow } from 'imapflow';
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { until } from '../until.ts';
import { type MailServer, mailDomain, mailPassword } from './mail-server.ts';

export class MailProgram {
  readonly address: string;
  readonly #server: MailServer;

  constructor(server: MailServer, user: string) {
    this.#server = server;
    this.address = `${user}@${mailDomain}`;
  }

  /** All mails in the mailbox, oldest first. */
  async mails(): Promise<readonly Email[]> {
    const auth = { user: this.address, pass: mailPassword };
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: this.#server.imapPort,
      secure: false,
      doSTARTTLS: false,
      auth,
      logger: false,
    });
    await client.connect();
    try {
      const { exists } = await client.mailboxOpen('INBOX', { readOnly: true });
      const mails: Email[] = [];
      if (exists === 0) return mails;
      for await (const { source } of client.fetch('1:*', { source: true }))
        mails.push(await PostalMime.parse(source ?? ''));
      return mails;
    } finally {
      client.close();
    }
  }

  /** Waits for a mail that fits; returns the newest. */
  async gets(isWanted: (mail: Email) => boolean): Promise<Email> {
    const mails = await until(
      async () => (await this.mails()).filter(isWanted),
      (found) => found.length > 0,
    );
    const mail = mails.at(-1);
    assert.ok(mail);
    return mail;
  }

  /** Replies to a mail as mail programs do; returns the Message-ID. */
  reply(to: Email, text: string, more: Mail = {}): Promise<string> {
    const original = to.messageId ?? '';
    const address = to.replyTo?.[0]?.address ?? to.from?.address ?? '';
    const quoted = (to.text ?? '').replace(/^/gm, '> ');
    return this.send(address, `${text}\r\n\r\nOn Monday Tocsin wrote:\r\n${quoted}`, {
      subject: `Re: ${to.subject}`,
      inReplyTo: original,
      references: original,
      ...more,
    });
  }

  async send(to: string, text: string, more: Mail = {}): Promise<string> {
    const transport = createTransport({
      host: '127.0.0.1',
      port: this.#server.smtpPort,
      ignoreTLS: true,
      auth: { user: this.address, pass: mailPassword },
    });
    const { messageId } = await transport.sendMail({ from: this.address, to, text, ...more });
    return messageId;
  }
}

type Mail = {
  readonly from?: string;
  readonly subject?: string;
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
