// Writes a mail: a short subject, and text and HTML whose first line is the most urgent item with its priority and place.

import MailComposer from 'nodemailer/lib/mail-composer';
import { isAlarmItem } from '../../domain/calls/announced.ts';
import type { CallMessage } from '../../domain/calls/delivery.ts';
import { wordsIn } from '../../domain/calls/words/catalogue.ts';
import type { Words } from '../../domain/calls/words/words.ts';
import { type Html, html } from '../../domain/html.ts';
import type { MailDetails, MailFile } from './mail-port.ts';

const longestSubject = 90;

export type MailTexts = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

type Answering = {
  /** The page on which the person answers. */
  readonly link: string | undefined;
  /** Whether replies are read. */
  readonly takesReplies: boolean;
};

/** Returns the texts of a call message. */
export function composeMail(message: CallMessage, details: MailDetails, answering: Answering): MailTexts {
  const words = wordsIn(message.language);
  const lines = linesOf(message, details, words);
  const hasAlarms = message.items.some(isAlarmItem);
  const link = message.isNews ? undefined : answering.link;
  const reply = answering.takesReplies && !message.isNews ? words.replyToMail(message.replyCode, hasAlarms) : '';
  const notes = [
    ...details.missingFiles.map((name) => words.fileMissing(name)),
    ...details.tooLargeFiles.map((name) => words.fileTooLarge(name)),
  ];
  const pages = pagesOf(message, details, words);
  const action = hasAlarms ? `${words.takeIt} / ${words.declineIt} …` : words.confirmIt;
  const blocks = [
    [message.opening],
    lines,
    link === undefined ? [] : [`${words.answerHere} ${link}`],
    [reply],
    pages.map(({ label, page }) => `${label} ${page}`),
    notes,
    [message.closing],
  ];
  const parts = [
    paragraph([message.opening]),
    ...lines.map((line, index) => paragraph([line], index === 0)),
    link === undefined ? undefined : button(link, action),
    paragraph([reply]),
    ...pages.map(({ label, page }) => html`<p style="margin:0 0 12px">${label} <a href="${page}">${page}</a></p>`),
    paragraph(notes),
    paragraph([message.closing]),
  ];
  return {
    subject: subjectOf(message, details, words),
    text: blocks
      .map((block) => block.filter((line) => line !== '').join('\n'))
      .filter((block) => block !== '')
      .join('\n\n'),
    html: page(parts, message.language),
  };
}

/** Returns the texts of a mail with one paragraph, such as a code or the response to a reply. */
export function composeNote(subject: string, text: string, language: string): MailTexts {
  return { subject: oneLine(subject, longestSubject), text, html: page([paragraph(text.split('\n'))], language) };
}

function linesOf({ texts, total }: CallMessage, { items }: MailDetails, words: Words): readonly string[] {
  const lines = texts.map((text, index) => {
    const { priority = 0, place = '', instructions = '' } = items[index] ?? {};
    const where = [priority > 0 ? words.priority(priority) : '', place].filter((part) => part !== '').join(', ');
    const line = where === '' ? text : `${where}: ${text}`;
    const numbered = total > 1 ? `${words.ofTotal(index + 1, total)} ${line}` : line;
    return instructions === '' ? numbered : `${numbered}\n${words.whatToDo(instructions)}`;
  });
  const rest = total - texts.length;
  return rest > 0 ? [...lines, words.more(rest)] : lines;
}

/** Where the person reads what happened, for each item that has such a page. */
function pagesOf({ texts, total }: CallMessage, { items }: MailDetails, words: Words) {
  return texts.flatMap((_, index) => {
    const { page } = items[index] ?? {};
    if (page === undefined) return [];
    return [
      { page, label: total > 1 ? `${words.ofTotal(index + 1, total)} ${words.whatHappened}` : words.whatHappened },
    ];
  });
}

/** `P1 North: Pump 3 high level (+2)`; the text of a test says that it is one. */
function subjectOf({ texts, total, isTest }: CallMessage, { items }: MailDetails, words: Words): string {
  const [first = ''] = texts;
  const { place = '', priority = 0 } = items[0] ?? {};
  const label = [priority > 0 ? `P${priority}` : '', place].filter((part) => part !== '').join(' ');
  const testLabel = words.test('').trim();
  const begin = isTest && !first.startsWith(testLabel) ? `${testLabel} ` : '';
  const more = total > 1 ? ` (+${total - 1})` : '';
  const subject = `${begin}${label === '' ? '' : `${label}: `}${first}`;
  return `${oneLine(subject, longestSubject - more.length)}${more}`;
}

/** Control characters could end a header; direction marks could show it in another order. */
function oneLine(text: string, most: number): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  const characters = [...plain.toWellFormed()];
  return characters.length <= most
    ? characters.join('')
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

function paragraph(lines: readonly string[], isFirst = false): Html | undefined {
  const shown = lines.filter((line) => line !== '').flatMap((line) => line.split('\n'));
  if (shown.length === 0) return undefined;
  const style = isFirst ? 'margin:0 0 12px;font-size:18px;font-weight:600' : 'margin:0 0 12px';
  const broken = shown.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`));
  return html`<p style="${style}">${broken}</p>`;
}

function button(link: string, label: string): Html {
  const style =
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#b3261e;color:#ffffff;text-decoration:none;font-weight:600';
  return html`<p style="margin:16px 0"><a href="${link}" style="${style}">${label}</a></p>`;
}

function page(parts: readonly (Html | undefined)[], language: string): string {
  const style = 'margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif';
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">`;
  const body = parts.filter((part) => part !== undefined);
  return html`<!doctype html><html lang="${language}"><head>${head}</head><body style="${style}">${body}</body></html>`
    .html;
}

export type MailHeaders = {
  readonly from: string;
  readonly fromName: string;
  readonly to: string;
  readonly replyTo: string | undefined;
  readonly messageId: string;
  readonly inReplyTo: string | undefined;
  /** `auto-replied` for the response to a reply: other programs must not answer either. */
  readonly autoSubmitted: 'auto-generated' | 'auto-replied';
  readonly isUrgent: boolean;
  readonly at: number;
};

/** Returns the mail as it is sent. Its headers have fixed names, and text of alarms stands in the subject alone. */
export function printMail(headers: MailHeaders, texts: MailTexts, files: readonly MailFile[]): Promise<Buffer> {
  const { from, fromName, to, replyTo, messageId, inReplyTo, autoSubmitted, isUrgent, at } = headers;
  const composer = new MailComposer({
    from: { name: fromName, address: from },
    to: [{ name: '', address: to }],
    ...(replyTo === undefined ? {} : { replyTo: { name: fromName, address: replyTo } }),
    subject: texts.subject,
    messageId,
    ...(inReplyTo === undefined ? {} : { inReplyTo, references: inReplyTo }),
    date: new Date(at),
    headers: {
      'Auto-Submitted': autoSubmitted,
      'X-Auto-Response-Suppress': 'All',
      ...(isUrgent ? { Importance: 'high', 'X-Priority': '1' } : {}),
    },
    text: texts.text,
    html: texts.html,
    attachments: files.map(({ name, type, bytes }) => ({
      filename: name,
      contentType: type,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      contentDisposition: 'attachment' as const,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
