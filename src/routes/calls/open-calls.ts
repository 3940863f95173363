// Routes of the calls that are running or waiting: list them, cancel messages, tests and drills.

import { Type } from 'typebox';
import { callerAt, callerOf } from '../../domain/access/access.ts';
import { refer } from '../../domain/people/references.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { cancelCall } from '../../operations/calls/control/cancel.ts';
import { listOpenCalls } from '../../operations/calls/views/list-calls.ts';
import type { Store } from '../../store/store.ts';
import { sentenceHeaders, sentenceLanguage } from '../../wire/accept-language.ts';
import { openCallSchema, printOpenCall } from '../../wire/calls/open-call.ts';
import { idParams, listQuery, pageOf, pagingCollection, printPage } from '../../wire/paging.ts';

const tag = 'Calls';
const defaultLimit = 10;

type OpenCallParts = { readonly store: Store; readonly timeZone: string };

// Searching a list that changes every few seconds would find nothing that reading it does not.
const { search: _, ...paging } = listQuery(defaultLimit, {}).properties;

export function openCallRoutes({ store, timeZone }: OpenCallParts): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/calls',
      scope: 'calls:read',
      tag,
      operationId: 'listCalls',
      summary: 'List the calls that are running or waiting',
      description:
        'Calls for alarms, messages, tests and drills, each with its people and what happens next; those that wait for the delay of an action have the id 0 and no people yet.',
      query: Type.Object(paging),
      headers: sentenceHeaders,
      responses: { 200: pagingCollection(openCallSchema, { withOffset: true }) },
      refusals: [],
      handle: async ({ query, principal, request, now }) => {
        const { offset, limit, descending } = pageOf(query, defaultLimit);
        const language = sentenceLanguage(request.headers['accept-language']);
        const reader = { stationIds: callerOf(principal).stationIds, language };
        const order = descending ? 'desc' : 'asc';
        const { items, total } = await store.read(listOpenCalls, { now, reader, order, limit, offset });
        return printPage(
          items.map((item) => printOpenCall(item, timeZone)),
          { offset, limit, total },
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/calls/:id/cancel',
      scope: 'calls:control',
      tag,
      operationId: 'cancelCall',
      summary: 'Cancel a message, a test or a drill',
      description:
        'Nobody is called for it any more. Calls for an alarm cannot be cancelled: they end when it is acknowledged or masked; a call for both goes on for the alarm.',
      params: idParams('call'),
      responses: { 200: Type.Literal(true, { description: 'It is cancelled.' }) },
      refusals: ['not-found', 'already-done', 'unprocessable'],
      handle: async ({ params: { id }, principal, request }) => {
        const by = principal.kind === 'user' ? refer.nameOfUser(principal.id) : `API key ${principal.id}`;
        await store.write(cancelCall, { caller: callerAt(principal, request), id, by });
        return true as const;
      },
    }),
  ];
}
