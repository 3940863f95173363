// The page that the link of a mail opens: shows what it is about now, and answers only when its button is pressed, because
// programs that look at mails open their links, too.

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { AttemptTokens } from '../../access/attempt-tokens.ts';
import type { CallAnswer } from '../../domain/calls/call.ts';
import { sayFate } from '../../domain/calls/words/alarm-fate.ts';
import { catalogueLanguage, wordsIn } from '../../domain/calls/words/catalogue.ts';
import type { Words } from '../../domain/calls/words/words.ts';
import { type Html, html } from '../../domain/html.ts';
import { type CallOrigin, defineRoute, type Route, respond } from '../../http/route.ts';
import { type AnswerPage, getAnswerPage } from '../../operations/calls/inbound/answer-page.ts';
import { takeAnswer } from '../../operations/calls/inbound/take-answer.ts';
import type { Store } from '../../store/store.ts';
import { languagesOf } from '../../wire/accept-language.ts';

type AnswerPageParts = {
  readonly store: Store;
  readonly now: () => number;
  readonly attemptTokens: Pick<AttemptTokens, 'readLinkToken'>;
};

const style = `:root { color-scheme: light dark; --paper: #fbfaf8; --ink: #1d2129; --soft: #5c6370; --line: #c9c5bb; --main: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --ink: #e4e6ea; --soft: #9aa1ad; --line: #3a404b; --main: #c8413a; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 18px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
.item { font-weight: 600; font-size: 1.25rem; white-space: pre-line; }
.state { color: var(--soft); }
form { margin: 0 0 .75rem; }
button { width: 100%; min-height: 3rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: none; color: inherit; font: inherit; }
button.main { border-color: var(--main); background: var(--main); color: #fff; font-weight: 600; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  // The address is the proof, so that neither caches nor other sites may learn it.
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

const answers = ['take', 'heard', 'decline'] as const;
const token = Type.String({ maxLength: 200, description: 'The token of the link.' });
const pageText = Type.String({ description: 'The page.' });
const shared = {
  scope: 'public',
  tag: 'Calls',
  isPage: true,
  contentType: 'text/html; charset=utf-8',
  responses: { 200: pageText, 403: pageText },
  refusals: [],
} as const;

export function answerPageRoutes({ store, now, attemptTokens }: AnswerPageParts): Route[] {
  const find = async (given: string) => {
    const attemptId = attemptTokens.readLinkToken(given, now());
    const page = attemptId === undefined ? undefined : await store.read(getAnswerPage, { attemptId });
    return attemptId === undefined || page === undefined ? undefined : { attemptId, page };
  };
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      path: '/answer/:token',
      operationId: 'getAnswerPage',
      summary: 'The page of a link',
      params: Type.Object({ token }),
      handle: async ({ params, request, setHeader }) => {
        setHeaders(setHeader);
        const found = await find(params.token);
        if (found === undefined) return respond(403, wrongLinkPage(request));
        return found.page.isFormer ? respond(403, formerPage(found.page)) : questionPage(found.page, params.token);
      },
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/answer/:token/:answer',
      operationId: 'answerByPage',
      summary: 'Answer by the page of a link',
      bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
      params: Type.Object({ token, answer: Type.Enum(answers, { description: 'The answer.' }) }),
      handle: async ({ params, request, setHeader }) => {
        setHeaders(setHeader);
        const found = await find(params.token);
        if (found === undefined) return respond(403, wrongLinkPage(request));
        const { attemptId, page } = found;
        if (page.isFormer) return respond(403, formerPage(page));
        const outcome = await store.write(takeAnswer, {
          channel: page.channel,
          who: { userId: page.userId },
          attemptId,
          what: { answer: params.answer as CallAnswer | 'take' },
          caller: { actor: 'link', stationIds: [], address: request.remoteAddress },
        });
        return donePage(outcome.kind === 'repeated' ? '' : outcome.said, page.language);
      },
    }),
  ];
}

function setHeaders(setHeader: (name: string, value: string) => void): void {
  for (const [name, value] of Object.entries(pageHeaders)) setHeader(name, value);
}

/** Addresses of forms are relative, so that they work below any path. */
function questionPage({ language, open, over }: AnswerPage, given: string): string {
  const words = wordsIn(language);
  const hasAlarm = open.some(({ isAlarm }) => isAlarm);
  const state = hasAlarm ? html`<p class="state">${words.notTakenYet}</p>` : undefined;
  const items = open.map(({ text }) => html`<p class="item">${text}</p>`);
  const gone = over.map(({ name, fate }) => html`<p><span class="item">${name}</span><br>${sayFate(fate, words)}</p>`);
  const forms = open.length === 0 ? [] : formsOf(given, hasAlarm, words);
  return printPage(language, [...items, ...(state === undefined ? [] : [state]), ...forms, ...gone]);
}

function formsOf(given: string, hasAlarm: boolean, words: Words): readonly Html[] {
  const form = (answer: (typeof answers)[number], label: string, kind: string): Html =>
    html`<form method="post" action="${given}/${answer}"><button class="${kind}">${label}</button></form>`;
  if (!hasAlarm) return [form('heard', words.confirmIt, 'main')];
  return [form('take', words.takeIt, 'main'), form('heard', words.heardIt, ''), form('decline', words.declineIt, '')];
}

function donePage(said: string, language: string): string {
  const words = wordsIn(language);
  return printPage(language, [html`<p class="item">${said}</p>`, html`<p class="state">${words.closePage}</p>`]);
}

function formerPage({ language }: AnswerPage): string {
  return donePage(wordsIn(language).noLongerYours, language);
}

/** Nobody knows whose link it was, so that the browser says which language to use. */
function wrongLinkPage({ headers }: CallOrigin): string {
  const [language = ''] = languagesOf(headers['accept-language']);
  return printPage(language, [html`<p class="item">${wordsIn(language).wrongLink}</p>`]);
}

function printPage(language: string, parts: readonly Html[]): string {
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tocsin</title>`;
  const styled: Html = { html: `<style>${style}</style>` };
  return html`<!doctype html>
<html lang="${catalogueLanguage(language)}"><head>${head}${styled}</head><body><main>${parts}</main></body></html>
`.html;
}
