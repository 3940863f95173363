// Call routes: call people and groups, test calls and drills, escalation, and the call history.

import { setTimeout as pause } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { callerAt, callerOf, mayUse, type Principal } from '../domain/access/access.ts';
import { type Allowance, afterCalling } from '../domain/calls/request-limit.ts';
import { mediaTypeOf } from '../domain/media.ts';
import { refer } from '../domain/people/references.ts';
import { AppError } from '../errors.ts';
import type { Warning } from '../http/lenient-check.ts';
import { type Call, defineRoute, type Route } from '../http/route.ts';
import { callGroups, callUsers, drillGroup, type Message } from '../operations/calls/call-by-request.ts';
import { escalateAlarm } from '../operations/calls/escalate.ts';
import { getMessageOutcome } from '../operations/calls/queries.ts';
import { type CallHistoryListing, listCallHistories } from '../operations/calls/views/list-attempts.ts';
import type { Store } from '../store/store.ts';
import { callGroupsBody, callHistorySchema, callUsersBody, printCallHistory } from '../wire/calls/call.ts';
import { dateTimeText, parsePeriod } from '../wire/date-time.ts';
import {
  idParams,
  listQuery,
  maxTextLength,
  only,
  optionalText,
  pageOf,
  pagingCollection,
  printPage,
} from '../wire/paging.ts';
import { printWarning, responseHeaders, warningsHeader } from './alarms.ts';

const tag = 'Calls';
const defaultLimit = 10;
const bodyLimit = 4 * 1024 * 1024;
const maxAudioBytes = 2 * 1024 * 1024;
const maxWaitSeconds = 120;
const pollIntervalMs = 200;

type CallParts = {
  readonly store: Store;
  readonly timeZone: string;
  /** Aborted when the server begins to shut down. */
  readonly stopping: AbortSignal;
};

export function callRoutes(parts: CallParts): Route[] {
  const limit = new CallLimit();
  return [
    ...sendingRoutes(parts, limit),
    ...testRoutes(parts.store, limit),
    escalateRoute(parts.store),
    historyRoute(parts),
  ];
}

/** Rate limit per caller of the people it may call through this node. */
class CallLimit {
  readonly #allowances = new Map<string, Allowance>();

  /** Throws before anything is stored if the limit is exceeded. A group counts as one person. */
  count(principal: Principal, people: number, now: number): void {
    const { actor } = callerOf(principal);
    const after = afterCalling(this.#allowances.get(actor), Math.max(1, people), now);
    if (after.kind === 'allowed') {
      this.#allowances.set(actor, after.allowance);
      return;
    }
    const retryAfterSeconds = Math.ceil(after.ms / 1000);
    throw new AppError('too-many-requests', `Too many people called by request: again in ${retryAfterSeconds} s.`, {
      retryAfterSeconds,
    });
  }
}

function sendingRoutes({ store, stopping }: CallParts, limit: CallLimit): Route[] {
  const shared = {
    method: 'POST',
    scope: 'calls:send',
    tag,
    isIntake: true,
    bodyLimit,
    responseHeaders,
    refusals: ['too-many-requests'],
  } as const;
  return [
    defineRoute({
      ...shared,
      path: '/api/v1/call/users',
      operationId: 'callUsers',
      summary: 'Call users',
      description:
        'True if everybody named is being called and that is on stable storage; false if somebody is unknown or has no usable number, which the call history shows.',
      query: Type.Object({
        wait: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: maxWaitSeconds,
            description: 'Seconds to wait until everybody has acknowledged; true only then.',
          }),
        ),
      }),
      body: callUsersBody,
      responses: {
        200: Type.Boolean({ description: 'Whether everybody is called, or with `wait` has acknowledged.' }),
      },
      handle: async ({ body, query: { wait = 0 }, principal, request, now, warnings, setHeader }) => {
        reportWarnings(warnings, setHeader);
        limit.count(principal, body.userIds.length, now);
        const input = { caller: callerAt(principal, request), userIds: body.userIds, message: messageOf(body) };
        const { messageId, isEverybody } = await store.write(callUsers, { ...input, kind: 'message' });
        return wait === 0 ? isEverybody : isEverybody && (await isAcknowledged(store, messageId, wait, stopping));
      },
    }),
    defineRoute({
      ...shared,
      path: '/api/v1/call/groups',
      operationId: 'callGroups',
      summary: 'Call groups',
      description:
        'Each group is called through a temporary alarm. True if every group and grouping named exists and each group has somebody to call now, relief included; false if nobody is called for one of them.',
      body: callGroupsBody,
      responses: { 200: Type.Boolean({ description: 'Whether somebody is called for each group.' }) },
      handle: ({ body, principal, request, now, warnings, setHeader }) => {
        reportWarnings(warnings, setHeader);
        const { callGroupIds = [], groupingIds = [] } = body;
        limit.count(principal, callGroupIds.length + groupingIds.length, now);
        return store.write(callGroups, {
          caller: callerAt(principal, request),
          callGroupIds,
          groupingIds,
          message: messageOf(body),
        });
      },
    }),
  ];
}

function reportWarnings(warnings: readonly Warning[], setHeader: Call['setHeader']): void {
  if (warnings.length > 0) setHeader(warningsHeader, warnings.map(printWarning).join('; '));
}

function testRoutes(store: Store, limit: CallLimit): Route[] {
  const shared = { method: 'POST', scope: 'calls:send', tag } as const;
  return [
    defineRoute({
      ...shared,
      path: '/api/v1/call/test',
      operationId: 'callUsersAsTest',
      summary: 'Make a test call',
      description: 'Like a call of users, but marked as a test everywhere.',
      body: Type.Object(
        { userIds: callUsersBody.properties.userIds },
        { title: 'TestCallBody', description: 'Whom to call as a test.' },
      ),
      responses: { 200: Type.Boolean({ description: 'Whether everybody is called.' }) },
      refusals: ['too-many-requests'],
      handle: async ({ body: { userIds }, principal, request, now }) => {
        limit.count(principal, userIds.length, now);
        const message = { text: 'this is a test call', num: 0, audio: '', file: '' };
        const caller = callerAt(principal, request);
        return (await store.write(callUsers, { caller, userIds, message, kind: 'test' })).isEverybody;
      },
    }),
    defineRoute({
      ...shared,
      path: '/api/v1/callgroups/:id/drill',
      operationId: 'drillCallGroup',
      summary: 'Hold a drill',
      description: 'Calls the group as an alarm would, including relief, but marked as a test everywhere.',
      params: idParams('call group'),
      body: Type.Object(
        {
          msgText: optionalText(maxTextLength, { description: 'What to tell people.', examples: ['this is a drill'] }),
        },
        { title: 'DrillBody', description: 'What to tell people in a drill.' },
      ),
      responses: { 200: Type.Literal(true, { description: 'The group is called.' }) },
      refusals: ['not-found', 'too-many-requests'],
      handle: async ({ params: { id }, body: { msgText = 'this is a drill' }, principal, request, now }) => {
        limit.count(principal, 1, now);
        await store.write(drillGroup, { caller: callerAt(principal, request), callGroupId: id, text: msgText });
        return true as const;
      },
    }),
  ];
}

function escalateRoute(store: Store): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/:id/escalate',
    scope: 'alarms:ack',
    tag,
    operationId: 'escalateAlarm',
    summary: 'Escalate an alarm',
    description: 'Calls the relief group of the group being called for the alarm; running calls continue.',
    params: idParams('alarm'),
    responses: { 200: Type.Literal(true, { description: 'The relief is called.' }) },
    refusals: ['not-found', 'already-done'],
    handle: async ({ params: { id }, principal, request }) => {
      const by = principal.kind === 'user' ? refer.nameOfUser(principal.id) : `API key ${principal.id}`;
      await store.write(escalateAlarm, { caller: callerAt(principal, request), id, by });
      return true as const;
    },
  });
}

const historyQuery = listQuery(defaultLimit, {
  stationId: only('of this station'),
  callGroupId: only('of this group'),
  userId: only('of this user'),
  alarmId: only('for this alarm'),
  status: only('with this status'),
  from: Type.Optional(dateTimeText({ description: 'Only attempts at or after this time.' })),
  to: Type.Optional(dateTimeText({ description: 'Only attempts before this time.' })),
});

function historyRoute({ store, timeZone }: CallParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/call/histories',
    scope: 'calls:read',
    tag,
    operationId: 'listCallHistories',
    summary: 'List the history of calls',
    description: 'One row per attempt.',
    query: historyQuery,
    responses: { 200: pagingCollection(callHistorySchema, { withOffset: true }) },
    refusals: [],
    handle: async ({ query, principal }) => {
      const seesAddresses = mayUse(principal, 'directory:read');
      const listing = { ...listingOf(query, principal, timeZone), seesAddresses };
      const { items, total } = await store.read(listCallHistories, listing);
      const shown = { timeZone, showsAddress: seesAddresses };
      const { offset, limit } = listing;
      return printPage(
        items.map((item) => printCallHistory(item, shown)),
        { offset, limit, total },
      );
    },
  });
}

function listingOf(
  query: Static<typeof historyQuery>,
  principal: Principal,
  timeZone: string,
): Omit<CallHistoryListing, 'seesAddresses'> {
  const { stationId, callGroupId, userId, alarmId, status, search = '' } = query;
  const { offset, limit, descending } = pageOf(query, defaultLimit);
  const filter = { stationId, callGroupId, userId, alarmId, status, ...parsePeriod(query, timeZone) };
  return { caller: callerOf(principal), filter, search, order: descending ? 'desc' : 'asc', limit, offset };
}

/**
 * Polls until the message is acknowledged or the time is over. A shutdown ends the wait early: not acknowledged yet
 * counts as not acknowledged.
 */
async function isAcknowledged(
  store: Store,
  messageId: number,
  seconds: number,
  stopping: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const outcome = await store.read(getMessageOutcome, { messageId });
    if (outcome !== 'under-way') return outcome === 'acknowledged';
    if (performance.now() >= deadline || stopping.aborted) return false;
    await pause(pollIntervalMs);
  }
}

type MessageBody = Pick<Static<typeof callUsersBody>, 'msgText' | 'msgNum' | 'msgAudio' | 'msgFile'>;

function messageOf({ msgText = '', msgNum = 0, msgAudio = '', msgFile = '' }: MessageBody): Message {
  refuseBadAudio(msgAudio);
  return { text: msgText, num: msgNum, audio: msgAudio, file: msgFile };
}

function refuseBadAudio(audio: string): void {
  if (audio === '') return;
  const bytes = Buffer.from(audio, 'base64');
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === audio.replace(/=+$/, '');
  const type = isBase64 ? mediaTypeOf(bytes) : undefined;
  const isSound = type === 'audio/wav' || type === 'audio/mpeg';
  if (isSound && bytes.length <= maxAudioBytes) return;
  const message = 'must be a WAV or MP3 as base64, at most 2 MiB';
  throw new AppError('unprocessable', `msgAudio ${message}.`, { errors: [{ field: 'msgAudio', message }] });
}
