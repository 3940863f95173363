// Call routes: call people and groups, test calls and drills, escalation, and the call history.

import { setTimeout as pause } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { callerAt, callerOf, type Principal, type Scope } from '../domain/access/access.ts';
import { mayCause } from '../domain/access/effects.ts';
import { type Allowance, afterCalling } from '../domain/calls/request-limit.ts';
import { mediaTypeOf } from '../domain/media.ts';
import { refer } from '../domain/people/references.ts';
import { AppError } from '../errors.ts';
import type { Warning } from '../http/lenient-check.ts';
import { type Call, defineRoute, type Route } from '../http/route.ts';
import { refuseInput } from '../http/validation.ts';
import { otherBodyWarning } from '../operations/alarms/intake/idempotency.ts';
import { callGroupsOnce, callUsersOnce, drillGroupOnce, type Message } from '../operations/calls/call-by-request.ts';
import { escalateAlarm } from '../operations/calls/escalate.ts';
import { getMessageOutcome } from '../operations/calls/queries.ts';
import { type CallHistoryListing, listCallHistories } from '../operations/calls/views/list-attempts.ts';
import type { KeyedOperation } from '../operations/keyed-operation.ts';
import type { Store } from '../store/store.ts';
import { sentenceHeaders, sentenceLanguage } from '../wire/accept-language.ts';
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
import { intakeHeaders, printWarning, responseHeaders, warningsHeader } from './alarms.ts';
import { idempotencyHeaders, idempotencyKey, makeOnce } from './make-once.ts';

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
    headers: intakeHeaders,
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
      handle: async (call) => {
        const { body, query, principal, request } = call;
        const { wait = 0 } = query;
        limit.count(principal, body.userIds.length, call.now);
        const { message, warnings } = messageOf(body);
        const input = {
          caller: callerAt(principal, request),
          userIds: body.userIds,
          message,
          kind: 'message',
        } as const;
        const { messageId, isEverybody } = await callOnce(store, callUsersOnce, input, call, warnings);
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
      handle: async (call) => {
        const { body, principal, request } = call;
        const { callGroupIds = [], groupingIds = [] } = body;
        limit.count(principal, callGroupIds.length + groupingIds.length, call.now);
        const { message, warnings } = messageOf(body);
        const input = { caller: callerAt(principal, request), callGroupIds, groupingIds, message };
        return (await callOnce(store, callGroupsOnce, input, call, warnings)).isEverybody;
      },
    }),
  ];
}

type Warned = { readonly warnings: readonly string[] };
type Sending = Pick<Call<Scope>, 'principal' | 'request' | 'setHeader' | 'warnings' | 'prefers'>;

/** Calls once for each idempotency key, and names in the response header what cannot be used. */
async function callOnce<I, O extends Warned>(
  store: Store,
  operation: KeyedOperation<I, O>,
  input: I,
  { principal, request, setHeader, warnings: ofBody, prefers }: Sending,
  ofMessage: readonly Warning[],
): Promise<O> {
  if (prefers.isStrict && ofMessage.length > 0) throw refuseInput(ofMessage);
  const { actor } = callerOf(principal);
  const once = idempotencyKey(request);
  const isStrict = prefers.isStrict || undefined;
  const { outcome, isOtherBody } = await store.write(operation, { input, actor, once, takesOtherBody: true, isStrict });
  const ofKey = isOtherBody ? [otherBodyWarning] : [];
  const warnings = [...[...ofBody, ...ofMessage].map(printWarning), ...outcome.warnings, ...ofKey];
  if (warnings.length > 0) setHeader(warningsHeader, warnings.join('; '));
  return outcome;
}

function testRoutes(store: Store, limit: CallLimit): Route[] {
  const shared = { method: 'POST', scope: 'calls:send', tag, headers: idempotencyHeaders } as const;
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
        const message = { text: '', num: 0, audio: '', file: '' };
        const caller = callerAt(principal, request);
        const input = { caller, userIds, message, kind: 'test' } as const;
        const sent = { address: 'call/test', body: { userIds } };
        return (await makeOnce(store, callUsersOnce, input, { principal, request }, sent)).isEverybody;
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
      handle: async ({ params: { id }, body: { msgText = '' }, principal, request, now }) => {
        limit.count(principal, 1, now);
        const input = { caller: callerAt(principal, request), callGroupId: id, text: msgText };
        const sent = { address: `callgroups/${id}/drill`, body: { msgText } };
        await makeOnce(store, drillGroupOnce, input, { principal, request }, sent);
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
    refusals: ['not-found', 'already-done', 'unprocessable'],
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
  occurrenceId: only('for this entry of the history of alarms'),
  status: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 6, description: 'Only with this status; the values are those of the rows.' }),
  ),
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
    headers: sentenceHeaders,
    responses: { 200: pagingCollection(callHistorySchema, { withOffset: true }) },
    refusals: [],
    handle: async ({ query, principal, request, now }) => {
      const seesAddresses = mayCause(principal, 'see an address');
      const language = sentenceLanguage(request.headers['accept-language']);
      const listing = { ...listingOf(query, principal, timeZone), seesAddresses, language, now };
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
): Omit<CallHistoryListing, 'seesAddresses' | 'language' | 'now'> {
  const { stationId, callGroupId, userId, alarmId, occurrenceId, status, search = '' } = query;
  const { offset, limit, descending } = pageOf(query, defaultLimit);
  const of = { stationId, callGroupId, userId, alarmId, occurrenceId };
  const filter = { ...of, status, ...parsePeriod(query, timeZone) };
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

/** Reads the message; what cannot be played is left out with a warning, because the call must be made. */
function messageOf(body: MessageBody): { readonly message: Message; readonly warnings: readonly Warning[] } {
  const { msgText = '', msgNum = 0, msgAudio = '', msgFile = '' } = body;
  // Clients may send the address of the data as browsers write it.
  const base64 = msgAudio.replace(/^data:[^,]*;base64,/i, '');
  const isUsed = base64 === '' || isPlayable(base64);
  return {
    message: { text: msgText, num: msgNum, audio: isUsed ? base64 : '', file: msgFile },
    warnings: isUsed
      ? []
      : [{ field: 'msgAudio', message: 'is no WAV or MP3 as base64 of at most 2 MiB, so the text is used' }],
  };
}

/** Without the signs at the end. A regular expression would look at a run of them again from each: it may have 4 million. */
function withoutPadding(base64: string): string {
  let end = base64.length;
  while (base64[end - 1] === '=') end -= 1;
  return base64.slice(0, end);
}

function isPlayable(base64: string): boolean {
  const bytes = Buffer.from(base64, 'base64');
  const isBase64 = withoutPadding(bytes.toString('base64')) === withoutPadding(base64);
  const type = isBase64 ? mediaTypeOf(bytes) : undefined;
  return (type === 'audio/wav' || type === 'audio/mpeg') && bytes.length <= maxAudioBytes;
}
