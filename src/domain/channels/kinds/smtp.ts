// Mail servers: mails out by SMTP, and replies in by IMAP. Pure.

import { choiceSetting, hostSetting, numberSetting, optional, type SettingValues, textSetting } from '../settings.ts';
import type { ProviderKind } from './kind.ts';

/** Stricter than RFC 5322: without quotes, comments or control characters, so that it can stand in any header. */
const mailAddress = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,255}$/;

const securities = ['tls', 'starttls', 'none'] as const;
const accountName = textSetting(/^[^\p{Cc}]{1,254}$/u, 'a name of up to 254 characters');

const fields = {
  host: hostSetting,
  /** 465 for `tls`, 587 for `starttls`, 25 for `none`, if not given. */
  port: optional(numberSetting(1, 65_535), undefined),
  /** Encrypted from the start, from STARTTLS on, or not at all; certificates are verified. */
  security: optional(choiceSetting(securities), 'starttls' as const),
  /** The account; without it nobody signs in. */
  user: optional(accountName, undefined),
  from: textSetting(mailAddress, 'a mail address'),
  fromName: optional(textSetting(/^[^\p{Cc}"<>\\]{0,64}$/u, 'up to 64 characters without quotes'), 'Tocsin'),
  /** `plain`: replies go to `from`. `tagged`: to `from` with a plus sign and a token behind the name. */
  replyTo: optional(choiceSetting(['plain', 'tagged'] as const), 'plain' as const),
  attachmentMegabytes: optional(numberSetting(0, 50), 8),
  /** The server with the mailbox of `from`; without it replies are not read. */
  imapHost: optional(hostSetting, undefined),
  /** 993 for `tls`, 143 for the others, if not given. */
  imapPort: optional(numberSetting(1, 65_535), undefined),
  imapSecurity: optional(choiceSetting(securities), 'tls' as const),
  /** The account of the mailbox; `user` if not given. */
  imapUser: optional(accountName, undefined),
  mailbox: optional(textSetting(/^[^\p{Cc}]{1,200}$/u, 'the name of a mailbox'), 'INBOX'),
};

export type SmtpSettings = SettingValues<typeof fields>;

export const smtpProviders = {
  name: 'smtp',
  channels: ['email'],
  capabilities: { isSpoken: false, mostCharacters: undefined, hasReceipts: false, takesReplies: true, isRoom: false },
  fields,
  secrets: ['password', 'imapPassword'],
  // The mailbox is opened with `password` if it has no password of its own.
  hostsOfSecrets: ({ host, imapHost }, secrets) =>
    secrets.includes('imapPassword') ? { password: [host], imapPassword: [imapHost] } : { password: [host, imapHost] },
  isHeld: ({ imapHost }) => typeof imapHost === 'string',
} as const satisfies ProviderKind;

/** Whether a mail can be addressed to it. */
export function isMailAddress(address: string): boolean {
  return mailAddress.test(address);
}
