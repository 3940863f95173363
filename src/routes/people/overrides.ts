// Routes of the overrides of a schedule: exceptions, each with an id of its own.

import { Type } from 'typebox';
import { type Caller, callerAt, callerOf } from '../../domain/access/access.ts';
import type { StoredSchedule } from '../../domain/on-call/schedule.ts';
import type { Stored } from '../../domain/people/entities.ts';
import { AppError } from '../../errors.ts';
import { etagHeader, ifMatchHeaders, ifMatchOf, printEntityTag } from '../../http/entity-tag.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { entityTagOf } from '../../operations/entity-tag.ts';
import { addOverrideOnce, removeOverride, replaceOverride } from '../../operations/on-call/overrides.ts';
import { getPeopleEntry } from '../../operations/people/queries.ts';
import type { Store } from '../../store/store.ts';
import { overrideBody, overrideSchema, printOverride, readOverride } from '../../wire/on-call/override.ts';
import { idOf, idParams, pagingCollection, printPage, uint } from '../../wire/paging.ts';
import { idempotencyHeaders, makeOnce } from '../make-once.ts';

const path = '/api/v1/schedules/:id/overrides';
const tag = 'Schedules';
const params = idParams('schedule');
const ofOne = Type.Object({ ...params.properties, overrideId: idOf('override') });

export function overrideRoutes(store: Store): Route[] {
  return [...readingRoutes(store), addRoute(store), ...changingRoutes(store)];
}

async function scheduleSeenBy(store: Store, id: number, caller: Caller): Promise<Stored<StoredSchedule>> {
  const found = await store.read(getPeopleEntry, { kind: 'schedule', id, caller });
  if (found === undefined) throw new AppError('not-found', `There is no schedule ${id}.`);
  return found as Stored<StoredSchedule>;
}

function readingRoutes(store: Store): Route[] {
  const shared = { method: 'GET', scope: 'directory:read', tag } as const;
  return [
    defineRoute({
      ...shared,
      path,
      operationId: 'listOverrides',
      summary: 'List the overrides of a schedule',
      description: 'All of them, in order: later ones win over earlier ones.',
      params,
      responses: { 200: pagingCollection(overrideSchema, { withOffset: true }) },
      refusals: ['not-found'],
      handle: async ({ params: { id }, principal }) => {
        const { overrides } = await scheduleSeenBy(store, id, callerOf(principal));
        const total = overrides.length;
        return printPage(overrides.map(printOverride), { offset: 0, limit: total, total });
      },
    }),
    defineRoute({
      ...shared,
      path: `${path}/:overrideId`,
      operationId: 'getOverride',
      summary: 'Get an override',
      params: ofOne,
      responses: { 200: overrideSchema },
      responseHeaders: etagHeader,
      refusals: ['not-found'],
      handle: async ({ params: { id, overrideId }, principal, setHeader }) => {
        const { overrides } = await scheduleSeenBy(store, id, callerOf(principal));
        const override = overrides.find((one) => one.id === overrideId);
        if (override === undefined) throw new AppError('not-found', `Schedule ${id} has no override ${overrideId}.`);
        setHeader('etag', printEntityTag(entityTagOf(override)));
        return printOverride(override);
      },
    }),
  ];
}

function addRoute(store: Store): Route {
  return defineRoute({
    method: 'POST',
    path,
    scope: 'directory:write',
    tag,
    operationId: 'createOverride',
    summary: 'Make an override',
    description:
      'Returns the id of the new one, which wins over those before it. Beyond 1000 the oldest is dropped. With the header `Idempotency-Key` a repetition is safe for 24 hours.',
    params,
    headers: idempotencyHeaders,
    body: overrideBody,
    responses: { 200: uint({ description: 'The id of the new override.', examples: [1] }) },
    refusals: ['not-found'],
    handle: async ({ params: { id }, body, principal, request }) => {
      const input = { caller: callerAt(principal, request), id, override: readOverride(body) };
      const sent = { address: `schedules/${id}/overrides`, body };
      const { addedIds } = await makeOnce(store, addOverrideOnce, input, { principal, request }, sent);
      return addedIds[0] ?? 0;
    },
  });
}

function changingRoutes(store: Store): Route[] {
  const shared = { path: `${path}/:overrideId`, scope: 'directory:write', tag, params: ofOne } as const;
  return [
    defineRoute({
      ...shared,
      method: 'PUT',
      operationId: 'replaceOverride',
      summary: 'Change an override',
      description: 'Takes the whole object and returns it as stored.',
      headers: ifMatchHeaders,
      body: overrideBody,
      responses: { 200: overrideSchema },
      responseHeaders: etagHeader,
      refusals: ['not-found', 'precondition-failed'],
      handle: async ({ params: { id, overrideId }, body, principal, request, setHeader }) => {
        const ifMatch = ifMatchOf(request.headers);
        const input = { caller: callerAt(principal, request), id, overrideId, override: readOverride(body), ifMatch };
        const override = await store.write(replaceOverride, input);
        setHeader('etag', printEntityTag(entityTagOf(override)));
        return printOverride(override);
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      operationId: 'deleteOverride',
      summary: 'Remove an override',
      description: 'Another override of the same swap stays: to undo a swap, remove the swap.',
      headers: ifMatchHeaders,
      responses: { 200: Type.Literal(true, { description: 'It is removed.' }) },
      refusals: ['not-found', 'precondition-failed', 'unprocessable'],
      handle: async ({ params: { id, overrideId }, principal, request }) => {
        const ifMatch = ifMatchOf(request.headers);
        await store.write(removeOverride, { caller: callerAt(principal, request), id, overrideId, ifMatch });
        return true as const;
      },
    }),
  ];
}
