// Routes of refused intakes: list what was refused, and retry one on behalf of its caller.

import { Type } from 'typebox';
import { callerAt } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { isProblem, refusedItems, type SentBody } from '../http/body/refused-items.ts';
import { replay } from '../http/replay.ts';
import { type CallOrigin, defineRoute, type Route } from '../http/route.ts';
import {
  claimRefusal,
  getRefusal,
  type KeptRefusal,
  listRefusals,
  releaseRefusal,
} from '../operations/intake/queries.ts';
import { endRetry } from '../operations/intake/refusals.ts';
import type { Store } from '../store/store.ts';
import { intakeRefusalSchema, printIntakeRefusal, retrySchema } from '../wire/intake-refusal.ts';
import { idParams, listQuery, pageOf, pagingCollection, printPage } from '../wire/paging.ts';
import { ReplayStore } from './intake/replay-store.ts';

type RefusalParts = {
  readonly store: Store;
  readonly timeZone: string;
  /** Declares the routes of all intakes on a store. */
  readonly intakesOn: (store: Store) => readonly Route[];
};

const tag = 'Refused requests';
const defaultLimit = 10;
const { search: _, ...paging } = listQuery(defaultLimit, {}).properties;

export function intakeRefusalRoutes(parts: RefusalParts): Route[] {
  return [listRoute(parts), retryRoute(parts)];
}

function listRoute({ store, timeZone }: RefusalParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/intake/refusals',
    operationId: 'listIntakeRefusals',
    scope: 'admin',
    tag,
    summary: 'List refused requests',
    description:
      'The requests of known callers to the intakes (alarms, values and calls) that were refused: the newest 100 of each caller, for 30 days.',
    query: Type.Object(paging),
    responses: { 200: pagingCollection(intakeRefusalSchema, { withOffset: true }) },
    refusals: [],
    handle: async ({ query }) => {
      const { offset, limit, descending } = pageOf(query, defaultLimit);
      const { items, total } = await store.read(listRefusals, { order: descending ? 'desc' : 'asc', limit, offset });
      return printPage(
        items.map((refusal) => printIntakeRefusal(refusal, timeZone)),
        { offset, limit, total },
      );
    },
  });
}

function retryRoute(parts: RefusalParts): Route {
  const { store } = parts;
  return defineRoute({
    method: 'POST',
    path: '/api/v1/intake/refusals/:id/retry',
    operationId: 'retryIntakeRefusal',
    scope: 'admin',
    tag,
    summary: 'Retry a refused request',
    description:
      'Shows what the request would do now; with `confirm` it is carried out, once. It runs with the rights of its caller, or with those that a caller which no longer exists had. An alarm that others have changed since the refusal is left as it is. The items of a list that are refused again are kept as a refused request of their own.',
    params: idParams('refused request'),
    body: Type.Object(
      { confirm: Type.Optional(Type.Boolean({ description: 'Carries it out.', default: false })) },
      { title: 'IntakeRetryRequest', description: 'Whether the retry is carried out.' },
    ),
    responses: { 200: retrySchema },
    refusals: ['not-found', 'already-done', 'changed-since', 'too-many-requests'],
    handle: async ({ params: { id }, body: { confirm = false }, principal, request, now }) => {
      const refusal = await store.read(getRefusal, { id });
      if (refusal === undefined) throw new AppError('not-found', `There is no refused request ${id}.`);
      const bytes = wholeBody(refusal);
      const shown = new ReplayStore(store, refusal.at, confirm);
      const found = routeTo(parts.intakesOn(shown), refusal.route);
      if (found === undefined) throw new AppError('unprocessable', `${refusal.route} takes no requests any more.`);
      const caller = callerAt(principal, request);
      if (confirm) await store.write(claimRefusal, { caller, id });
      const headers: CallOrigin['headers'] = refusal.contentType === '' ? {} : { 'content-type': refusal.contentType };
      const original = { id: request.id, remoteAddress: refusal.address, headers, bytes };
      const replayed = replay({ ...found, principal: refusal.principal, request: original, now });
      const { answer, headers: told } = await replayed.catch(async (error) => {
        if (confirm) await store.write(releaseRefusal, { id });
        throw error;
      });
      if (confirm) {
        const rest = await refusedAgain({ bytes, contentType: headers['content-type'] }, answer);
        await store.write(endRetry, { id, caller, rest });
      }
      const warnings = told.get('tocsin-warnings');
      const done = { applied: confirm, warnings: warnings === undefined ? [] : warnings.split('; ') };
      return { ...done, ...shown.shown, ...(confirm ? { answer } : {}) };
    },
  });
}

/** Finds the route of a request such as `POST /api/v1/in/alertmanager`, and its parameters. */
function routeTo(routes: readonly Route[], sentTo: string) {
  const sent = sentTo.split('/');
  for (const route of routes) {
    const declared = `${route.method} ${route.path}`.split('/');
    const isSame =
      declared.length === sent.length && declared.every((part, at) => part.startsWith(':') || part === sent[at]);
    if (!isSame) continue;
    const named = declared.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), sent[at] ?? '']] : []));
    return { route, params: Object.fromEntries(named) as Readonly<Record<string, string>> };
  }
  return undefined;
}

/** Returns the items of a list that are refused again, which the refusal that has been retried does not stand for any more. */
async function refusedAgain(sent: SentBody, answer: unknown) {
  const results: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const problem = results.find(isProblem);
  if (problem === undefined) return undefined;
  const { bytes, contentType = '' } = await refusedItems(sent, results);
  const { code, detail: reason } = problem;
  return { code, reason, contentType, body: bytes.toString('base64'), bodyLength: bytes.length };
}

function wholeBody({ retriedAt, body, bodyLength }: KeptRefusal): Buffer {
  if (retriedAt !== undefined) throw new AppError('already-done', 'This request has been retried already.');
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length === bodyLength) return bytes;
  throw new AppError('unprocessable', 'Only the beginning of this request is kept, so it cannot be retried.');
}
