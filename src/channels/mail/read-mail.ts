// Reads a mail that came in: a reply of a person, a report that a mail was not delivered, or something to be ignored.

import PostalMime, { type Email } from 'postal-mime';

/** More than the text of any reply; attachments behind it are not read. */
export const mostMailBytes = 256 * 1024;

export type ReceivedMail =
  | {
      readonly kind: 'reply';
      readonly from: string;
      readonly subject: string;
      readonly messageId: string;
      /** The first line that the person wrote; empty if there is none. */
      readonly text: string;
      /** Tokens in its addresses and references. */
      readonly tags: readonly string[];
    }
  | { readonly kind: 'bounce'; readonly tags: readonly string[]; readonly status: string; readonly messageId: string }
  | { readonly kind: 'ignored'; readonly reason: string; readonly messageId: string };

/** Our Message-IDs begin with `tocsin.` and a tag; reply addresses have it behind a plus sign. */
const tagPattern = /(?:\+|tocsin\.)([0-9a-z]{1,11}-[0-9a-f]{20})@/gi;

/** `ownAddress` is that of the server: what it sends to itself is ignored. Never throws. */
export async function readMail(source: Uint8Array, ownAddress: string): Promise<ReceivedMail> {
  let email: Email;
  try {
    email = await PostalMime.parse(source, { maxNestingDepth: 20, maxRfc822NestingDepth: 2, rfc822Attachments: true });
  } catch {
    return { kind: 'ignored', reason: 'it is not a mail', messageId: '' };
  }
  const messageId = (email.messageId ?? '').slice(0, 300);
  const bounce = bounceIn(email, source);
  if (bounce !== undefined) return { kind: 'bounce', ...bounce, messageId };
  const from = addressOf(email);
  const reason = reasonToIgnore(email, from, ownAddress);
  if (reason !== undefined || from === undefined)
    return { kind: 'ignored', reason: reason ?? 'it has no sender', messageId };
  const text = firstLine(email.text ?? plainText(email.html ?? ''));
  return { kind: 'reply', from, subject: email.subject ?? '', messageId, text, tags: tagsIn(headersNaming(email)) };
}

function addressOf({ from }: Email): string | undefined {
  const address = from?.address?.trim();
  return address !== undefined && /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined;
}

/** Programs answer, too: an answer to such an answer would never end. */
function reasonToIgnore(email: Email, from: string | undefined, ownAddress: string): string | undefined {
  const header = (name: string): string | undefined =>
    email.headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  if (/^multipart\/report\b/.test(header('content-type') ?? '')) return 'it is a report, such as a read receipt';
  if ((header('auto-submitted') ?? 'no') !== 'no') return 'it was sent by a program (Auto-Submitted)';
  if (/^(?:bulk|list|junk|auto_reply)$/.test(header('precedence') ?? ''))
    return 'it was sent by a program (Precedence)';
  if (header('list-id') !== undefined) return 'it came through a mailing list';
  for (const name of ['x-auto-response-suppress', 'x-autoreply', 'x-autorespond', 'x-autoresponder'])
    if (header(name) !== undefined) return `it was sent by a program (${name})`;
  if (header('return-path') === '<>') return 'it has no sender';
  if (from !== undefined && from.toLowerCase() === ownAddress.toLowerCase()) return 'it was sent by this server';
  return /^(?:mailer-daemon|postmaster)@/i.test(from ?? '') ? 'it was sent by a mail server' : undefined;
}

/** Returns the tags and the status of a report of RFC 3464 about a mail that is lost; not of one that is only late. */
function bounceIn(email: Email, source: Uint8Array) {
  const report = email.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  if (report === undefined) return undefined;
  const { content } = report;
  const fields = typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('latin1');
  if (!/^action:\s*failed/im.test(fields)) return undefined;
  const status = /^status:\s*([45]\.\d{1,3}\.\d{1,3})/im.exec(fields)?.[1] ?? '5.0.0';
  return { tags: tagsIn(Buffer.from(source).toString('latin1')), status };
}

function headersNaming({ headers }: Email): string {
  const naming = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'in-reply-to', 'references'];
  return headers
    .filter(({ key }) => naming.includes(key))
    .map(({ value }) => value)
    .join('\n');
}

function tagsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(tagPattern)].map(([, tag = '']) => tag.toLowerCase()))];
}

/** Returns the first line that is neither empty nor quoted nor the sentence that introduces a quotation. */
export function firstLine(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/[\u200b\ufeff\u00a0]/g, ' ').trim());
  const written = lines.slice(endOfIntroduction(lines)).find((line) => line !== '' && !line.startsWith('>'));
  return (written ?? '').slice(0, 300);
}

/** A quotation at the beginning is introduced by one or two lines together, the last of which ends with a colon. */
function endOfIntroduction(lines: readonly string[]): number {
  const begin = lines.findIndex((line) => line !== '');
  const quoted = lines.findIndex((line) => line.startsWith('>'));
  const before = lines.slice(begin, quoted).filter((line, index, all) => line !== '' || index < all.length - 1);
  const isTogether = before.length <= 2 && before.every((line) => line !== '') && before.at(-1)?.endsWith(':') === true;
  // A reply may stand directly above the introduction.
  return isTogether && !/^[\d\s]+$/.test(before[0] ?? '') ? quoted : 0;
}

const breaking = /^\/?(?:br|p|div|li|tr|h\d|blockquote|hr)\b/i;
const hidden = /^(style|script|head|title|blockquote)\b/i;

/** Returns the text of HTML without quotations, for replies that have no text part. Reads each character once. */
export function plainText(html: string): string {
  let text = '';
  const lower = html.toLowerCase();
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    text += html.slice(at, open < 0 ? html.length : open);
    const close = open < 0 ? -1 : html.indexOf('>', open);
    if (close < 0) break;
    const tag = html.slice(open + 1, Math.min(close, open + 40));
    const [, name] = hidden.exec(tag) ?? [];
    const end = name === undefined ? close : lower.indexOf(`</${name.toLowerCase()}`, close);
    if (end < 0) break;
    if (breaking.test(tag)) text += '\n';
    at = end === close ? close + 1 : end;
  }
  return text.replace(
    /&(nbsp|amp|lt|gt|quot|#39);/g,
    (_, name) => ({ nbsp: ' ', amp: '&', lt: '<', gt: '>' })[name as 'lt'] ?? '"',
  );
}
