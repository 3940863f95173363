// Routes of refused intakes: list what was refused, and retry one on behalf of its caller.

import { type Static, Type } from 'typebox';
import { callerAt } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { replay } from '../http/replay.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { reportAlarm, reportAlarms } from '../operations/alarms/intake/report.ts';
import type { AlarmReport } from '../operations/alarms/intake/report-message.ts';
import { reportValues, type ValueReport } from '../operations/alarms/intake/report-value.ts';
import { callGroupsOnce, callUsersOnce } from '../operations/calls/call-by-request.ts';
import { type Preview, previewReports, previewValues } from '../operations/intake/preview.ts';
import {
  claimRefusal,
  getRefusal,
  type KeptRefusal,
  listRefusals,
  releaseRefusal,
} from '../operations/intake/queries.ts';
import type { ListResult } from '../store/list-operation.ts';
import type { Operation, Store } from '../store/store.ts';
import { intakeRefusalSchema, printIntakeRefusal, retrySchema } from '../wire/intake-refusal.ts';
import { idParams, listQuery, pageOf, pagingCollection, printPage } from '../wire/paging.ts';

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
      'Shows what the request would do now; with `confirm` it is carried out, once. It runs with the rights of its caller, or with those that a caller which no longer exists had. An alarm that has changed since the refusal is left as it is.',
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
      const route = parts.intakesOn(shown).find(({ method, path }) => `${method} ${path}` === refusal.route);
      if (route === undefined) throw new AppError('unprocessable', `${refusal.route} takes no requests any more.`);
      if (confirm) await store.write(claimRefusal, { caller: callerAt(principal, request), id });
      const headers = refusal.contentType === '' ? {} : { 'content-type': refusal.contentType };
      const original = { id: request.id, remoteAddress: refusal.address, headers, bytes };
      try {
        const { answer, headers: told } = await replay({ route, principal: refusal.principal, request: original, now });
        const warnings = told.get('tocsin-warnings');
        const done = { applied: confirm, warnings: warnings === undefined ? [] : warnings.split('; ') };
        return { ...done, ...shown.shown, ...(confirm ? { answer } : {}) };
      } catch (error) {
        if (confirm) await store.write(releaseRefusal, { id });
        throw error;
      }
    },
  });
}

function wholeBody({ retriedAt, body, bodyLength }: KeptRefusal): Buffer {
  if (retriedAt !== undefined) throw new AppError('already-done', 'This request has been retried already.');
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length === bodyLength) return bytes;
  throw new AppError('unprocessable', 'Only the beginning of this request is kept, so it cannot be retried.');
}

type Shown = Pick<Static<typeof retrySchema>, 'alarms' | 'calls'>;

type RequestedCall = { readonly input: Partial<Shown['calls'][number]> };

/**
 * The store as a retried request sees it: reports are refused for alarms that have changed since, and without
 * confirmation nothing is written.
 */
class ReplayStore implements Store {
  readonly #store: Store;
  readonly #since: number;
  readonly #isConfirmed: boolean;
  readonly shown: { alarms: Shown['alarms'][number][]; calls: Shown['calls'][number][] } = { alarms: [], calls: [] };
  readonly kind: Store['kind'];
  readonly read: Store['read'];
  readonly onEvents: Store['onEvents'];
  readonly eventDelayMs: Store['eventDelayMs'];
  readonly check: Store['check'];
  readonly stats: Store['stats'];
  readonly close: Store['close'];

  constructor(store: Store, since: number, isConfirmed: boolean) {
    this.#store = store;
    this.#since = since;
    this.#isConfirmed = isConfirmed;
    this.kind = store.kind;
    this.read = (query, args) => store.read(query, args);
    this.onEvents = (listener) => store.onEvents(listener);
    this.eventDelayMs = () => store.eventDelayMs();
    this.check = () => store.check();
    this.stats = () => store.stats();
    this.close = () => store.close();
  }

  async write<I, O>(operation: Operation<I, O>, input: I): Promise<O> {
    const outcome = await this.#written({ operation, input });
    return outcome as O;
  }

  #written({ operation, input }: { readonly operation: Operation<never, unknown>; readonly input: unknown }) {
    const isOf = (other: { readonly name: string }): boolean => operation.name === other.name;
    if (isOf(reportAlarm)) return this.#report(input as AlarmReport);
    if (isOf(reportAlarms)) return this.#reports(input as readonly AlarmReport[]);
    if (isOf(reportValues)) return this.#values(input as readonly ValueReport[]);
    if (this.#isConfirmed) return this.#store.write(operation, input as never);
    if (isOf(callUsersOnce) || isOf(callGroupsOnce)) return this.#call(input as RequestedCall);
    throw new Error(`A retry does not know what ${operation.name} would do`);
  }

  async #report(report: AlarmReport): Promise<unknown> {
    const bound = { ...report, unchangedSince: this.#since };
    if (this.#isConfirmed) return this.#store.write(reportAlarm, bound);
    const [result] = this.#show(await this.#store.write(previewReports, [bound]));
    if (result?.kind !== 'refused') return result?.outcome;
    throw new AppError(result.code, result.sentence, { errors: result.errors });
  }

  async #reports(reports: readonly AlarmReport[]): Promise<unknown> {
    const bound = reports.map((report) => ({ ...report, unchangedSince: this.#since }));
    if (this.#isConfirmed) return this.#store.write(reportAlarms, bound);
    return this.#show(await this.#store.write(previewReports, bound));
  }

  async #values(reports: readonly ValueReport[]): Promise<unknown> {
    const bound = reports.map((report) => ({ ...report, unchangedSince: this.#since }));
    if (this.#isConfirmed) return this.#store.write(reportValues, bound);
    return this.#show(await this.#store.write(previewValues, bound));
  }

  /** Returns the results in the form that the original operation has. */
  #show(previews: readonly ListResult<Preview>[]): readonly ListResult<{ id: number; warnings: readonly string[] }>[] {
    return previews.map((result) => {
      if (result.kind === 'refused') {
        this.shown.alarms.push({ problem: result.sentence });
        return result;
      }
      const { id, name, before, after, warnings } = result.outcome;
      const stateBefore = before === undefined ? {} : { stateBefore: before };
      this.shown.alarms.push({ ...(id === undefined ? {} : { id }), name, ...stateBefore, stateAfter: after });
      return { kind: 'done', outcome: { id: id ?? 0, warnings } };
    });
  }

  async #call({ input: { userIds = [], callGroupIds = [], groupingIds = [] } }: RequestedCall): Promise<unknown> {
    this.shown.calls.push({ userIds, callGroupIds, groupingIds });
    return { outcome: { messageId: 0, isEverybody: true, warnings: [] }, isOtherBody: false };
  }
}
