// The store as the mail channel sees it: what mails say, where their links lead, and what becomes of replies.

import { crc32 } from 'node:zlib';
import type { MailPort } from '../../channels/mail/mail-port.ts';
import type { Clock } from '../../clock.ts';
import { noteBounce } from '../../operations/calls/delivery/bounce.ts';
import { takeAnswer } from '../../operations/calls/inbound/take-answer.ts';
import { getMailDetails } from '../../operations/calls/messages/mail-details.ts';
import { noteMailbox } from '../../operations/providers/provider-alarms.ts';
import type { Store } from '../../store/store.ts';
import type { StoredWork } from '../stored-work.ts';

export type StoredMailParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly tokens: {
    linkToken(attemptId: number, now: number): string;
    tag(attemptId: number): string;
    readTag(tag: string): number | undefined;
  };
  /** Where people reach the pages of this server, with the base path; undefined: they do not. */
  readonly pagesAt: string | undefined;
  readonly onIgnored: (ignored: { readonly provider: number; readonly reason: string; readonly mail: string }) => void;
  /** For the log: why the mailbox cannot be read; undefined if it can. */
  readonly onMailbox: (state: { readonly provider: number; readonly problem: string | undefined }) => void;
  readonly onTrouble: (error: unknown) => void;
  /** By which mails are read; a command reads none. */
  readonly work: Pick<StoredWork, 'take' | 'whenOpen'> | undefined;
};

export function storedMail(providerId: number, parts: StoredMailParts): MailPort {
  const { store, clock, tokens, pagesAt, work, onIgnored, onMailbox, onTrouble } = parts;
  const source = `provider:${providerId}`;
  const pageOf = (occurrenceId: number | undefined): string | undefined =>
    pagesAt === undefined || occurrenceId === undefined ? undefined : `${pagesAt}/occurrence?id=${occurrenceId}`;
  return {
    async details({ items }, mostBytes) {
      const details = await store.read(getMailDetails, { items, mostBytes });
      return { ...details, items: details.items.map((item) => ({ ...item, page: pageOf(item.occurrenceId) })) };
    },
    linkOf: (attemptId) =>
      pagesAt === undefined ? undefined : `${pagesAt}/answer/${tokens.linkToken(attemptId, clock.now())}`,
    tagOf: (attemptId) => tokens.tag(attemptId),
    attemptOf: (tag) => tokens.readTag(tag),
    reply: ({ key, from, text, attemptId }) =>
      store.write(takeAnswer, {
        message: { source, key },
        channel: 'email',
        who: { address: from },
        attemptId,
        what: { text },
        caller: { actor: source, stationIds: [], address: from },
      }),
    bounced: (attemptId, status) => store.write(noteBounce, { attemptId, status }),
    async noteMailbox(problem) {
      onMailbox({ provider: providerId, problem });
      await store.write(noteMailbox, { providerId, problem });
    },
    async take(key, read) {
      // The mailbox is open before the server has started, and is looked at again half a minute later.
      await work?.whenOpen();
      let isBegun = false;
      const begin = (): Promise<void> => {
        isBegun = true;
        return read();
      };
      try {
        return (await work?.take({ kind: 'mail', id: crc32(`${source} ${key}`) }, begin)) ?? false;
      } catch (error) {
        // The mailbox takes what happens while it is read for a loss of its connection.
        if (!isBegun) onTrouble(error);
        throw error;
      }
    },
    ignored: (reason, mail) => onIgnored({ provider: providerId, reason, mail }),
    onTrouble,
  };
}
