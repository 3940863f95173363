// Alarm routes: get, create, operator commands; routes/alarms/ has the others.

import { Type } from 'typebox';
import { callerAt, callerOf, type Principal } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { etagHeader, printEntityTag } from '../http/entity-tag.ts';
import type { Warning } from '../http/lenient-check.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { alarmTagOf } from '../operations/alarms/alarm-tag.ts';
import { reportAlarm } from '../operations/alarms/intake/report.ts';
import type { AlarmReport } from '../operations/alarms/intake/report-message.ts';
import { getAlarm } from '../operations/alarms/queries.ts';
import { commentAlarmOnce } from '../operations/comment-alarm-once.ts';
import { getTimeline } from '../operations/history/timeline.ts';
import type { Store } from '../store/store.ts';
import { languagesOf, sentenceHeaders, sentenceLanguage } from '../wire/accept-language.ts';
import { alarmCreationSchema, readAlarmCreation, sourceTimeOf } from '../wire/alarms/alarm-creation.ts';
import { fullAlarmSchema } from '../wire/alarms/alarm-full.ts';
import {
  acknowledgeBody,
  alarmEventSchema,
  commentBody,
  maskBody,
  nothingBody,
  printAlarmEvent,
} from '../wire/alarms/commands.ts';
import { idParams, uint } from '../wire/paging.ts';
import { carryOut, maskEnd } from './alarms/carry-out.ts';
import { alarmDefinitionRoutes } from './alarms/definition.ts';
import { alarmListRoutes, languageHeaders, printFull } from './alarms/lists.ts';
import { idempotencyHeaders, idempotencyKey, makeOnce } from './make-once.ts';

/** Told of what was stored for a caller, by data server. */
export type OnReports = (principal: Principal, dataServerIds: readonly (number | undefined)[]) => void;

type AlarmParts = {
  readonly store: Store;
  readonly timeZone: string;
  /** Maximum length of a mask. */
  readonly longestMaskMs: number;
  readonly onReports: OnReports;
};

const tag = 'Alarms';
/** The response header that lists the parts of an alarm that cannot be carried out. */
export const warningsHeader = 'tocsin-warnings';
export const responseHeaders = {
  'Tocsin-Warnings': 'The parts that cannot be carried out, or probably do not do what was intended, and why.',
};
export const intakeHeaders = Type.Object({
  ...idempotencyHeaders.properties,
  Prefer: Type.Optional(
    Type.String({
      description:
        '`handling=strict` refuses what would be taken with a warning; `return=representation` answers lists with objects that have the warnings.',
      examples: ['return=representation'],
    }),
  ),
});
const params = idParams('alarm');
const done = { 200: Type.Literal(true, { description: 'It is done.' }) };

export function alarmRoutes(parts: AlarmParts): Route[] {
  return [
    ...alarmListRoutes(parts),
    alarmRoute(parts),
    timelineRoute(parts),
    creationRoute(parts),
    ...commandRoutes(parts),
    commentRoute(parts),
    ...alarmDefinitionRoutes(parts),
  ];
}

function alarmRoute({ store, timeZone }: AlarmParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/alarms/:id',
    scope: 'alarms:read',
    tag,
    operationId: 'getAlarm',
    summary: 'Get an alarm',
    description: 'Returns all fields of the alarm, even if it is at rest.',
    params,
    headers: languageHeaders,
    responses: { 200: fullAlarmSchema },
    responseHeaders: etagHeader,
    refusals: ['not-found'],
    handle: async ({ params: { id }, principal, request, setHeader, now }) => {
      const alarm = await store.read(getAlarm, { id, caller: callerOf(principal) });
      if (alarm === undefined) throw new AppError('not-found', `There is no alarm ${id}.`);
      const printing = { timeZone, languages: languagesOf(request.headers['accept-language']) };
      const [full] = await printFull(store, [alarm], callerOf(principal), printing, now);
      if (full === undefined) throw new Error('An alarm was not printed.');
      setHeader('etag', printEntityTag(alarmTagOf(alarm)));
      return full;
    },
  });
}

const maxEvents = 1_000;

function timelineRoute({ store, timeZone }: AlarmParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/alarms/:id/timeline',
    scope: 'alarms:read',
    tag,
    operationId: 'getAlarmTimeline',
    summary: 'What happened to an alarm',
    description: `The newest ${maxEvents} events, oldest first, as far back as the event log is kept.`,
    params,
    headers: sentenceHeaders,
    responses: { 200: Type.Array(alarmEventSchema) },
    refusals: ['not-found'],
    handle: async ({ params: { id }, principal, request, now }) => {
      const language = sentenceLanguage(request.headers['accept-language']);
      const reader = { stationIds: callerOf(principal).stationIds, language };
      const events = await store.read(getTimeline, { id, reader, limit: maxEvents, now });
      if (events === undefined) throw new AppError('not-found', `There is no alarm ${id}.`);
      return events.map((event) => printAlarmEvent(event, timeZone));
    },
  });
}

function creationRoute({ store, timeZone, onReports }: AlarmParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms',
    scope: 'alarms:write',
    tag,
    operationId: 'sendAlarm',
    summary: 'Send an alarm',
    description:
      'Creates the alarm of a tag or updates the existing one, and returns its id once it is on stable storage. Actions that cannot be carried out are stored, have no effect and are listed in the header `Tocsin-Warnings`. With the header `Idempotency-Key` a repeated request is safe for 24 hours.',
    isIntake: true,
    headers: intakeHeaders,
    body: alarmCreationSchema,
    responses: { 200: uint({ description: 'The id of the alarm.', examples: [1] }) },
    responseHeaders,
    refusals: [],
    handle: async ({ body, principal, request, setHeader, warnings: ofBody, prefers }) => {
      const creation = readAlarmCreation(body);
      // Copied field by field, because spreading the parsed body took 2 µs.
      const { id, warnings, dataServerId } = await store.write(reportAlarm, {
        caller: callerOf(principal),
        stationId: creation.stationId,
        dataServerId: creation.dataServerId,
        tagGroupId: creation.tagGroupId,
        path: creation.path,
        priority: creation.priority,
        value: creation.value,
        raised: creation.raised,
        change: creation.definition,
        once: idempotencyKey(request),
        unreadable: unreadableIn(ofBody),
        unusable: unusableIn(ofBody),
        isStrict: prefers.isStrict || undefined,
        time: sourceTimeOf(body, timeZone),
      });
      onReports(principal, [dataServerId]);
      if (warnings.length > 0 || ofBody.length > 0)
        setHeader(warningsHeader, [...ofBody.map(printWarning), ...warnings].join('; '));
      return id;
    },
  });
}

export function printWarning({ field, message }: Warning): string {
  return `${field}: ${message}`;
}

/** Returns the fields for which a new alarm takes the safe side. */
export function unreadableIn(warnings: readonly Warning[]): AlarmReport['unreadable'] {
  const found = (['priority', 'raised'] as const).filter((name) =>
    warnings.some(({ field, isLeftOut }) => field === name && isLeftOut),
  );
  return found.length === 0 ? undefined : found;
}

const decidesCalls = /^(?:priority|stationId|dataServerId|tagGroupId|(?:alarm|reset|ack)Actions)\b/;

/** Returns what was left out of a body, where that may change who is called. */
export function unusableIn(warnings: readonly Warning[]): AlarmReport['unusable'] {
  const found = warnings.filter(({ field, isLeftOut }) => isLeftOut && decidesCalls.test(field));
  return found.length === 0 ? undefined : found.map(printWarning);
}

function commandRoutes({ store, timeZone, longestMaskMs }: AlarmParts): Route[] {
  const shared = { method: 'POST', tag, params, responses: done, refusals: ['not-found', 'already-done'] } as const;
  return [
    defineRoute({
      ...shared,
      path: '/api/v1/alarms/:id/acknowledge',
      scope: 'alarms:ack',
      operationId: 'acknowledgeAlarm',
      summary: 'Acknowledge an alarm',
      description:
        'Acknowledges all unacknowledged occurrences of the alarm. Of many the histories show it at once, and searches by comment, filters by user and interventions within seconds. With `onBehalfOf` that user takes it, and the journal names both.',
      body: acknowledgeBody,
      handle: async (call) =>
        carryOut(
          store,
          call,
          { kind: 'acknowledge', by: call.principal.name, comment: call.body.comment ?? '' },
          call.body.onBehalfOf,
        ),
    }),
    defineRoute({
      ...shared,
      path: '/api/v1/alarms/:id/reset',
      scope: 'alarms:ack',
      operationId: 'resetAlarm',
      summary: 'Reset a latched alarm',
      description: 'For alarms that stay active after their source has returned to normal.',
      body: nothingBody,
      handle: (call) => carryOut(store, call, { kind: 'reset' }),
    }),
    defineRoute({
      ...shared,
      path: '/api/v1/alarms/:id/mask',
      scope: 'alarms:mask',
      operationId: 'maskAlarm',
      summary: 'Mask an alarm for a time',
      description: 'It is still recorded and listed, but nobody is called for it.',
      body: maskBody,
      handle: async (call) => {
        const until = await maskEnd(call.body, call.now, { store, timeZone, longestMaskMs });
        return carryOut(store, call, { kind: 'mask', until, reason: call.body.reason, by: call.principal.name });
      },
    }),
    defineRoute({
      ...shared,
      path: '/api/v1/alarms/:id/unmask',
      scope: 'alarms:mask',
      operationId: 'unmaskAlarm',
      summary: 'End the mask of an alarm',
      body: nothingBody,
      handle: (call) => carryOut(store, call, { kind: 'unmask' }),
    }),
  ];
}

function commentRoute({ store }: AlarmParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/:id/comments',
    scope: 'alarms:ack',
    tag,
    operationId: 'commentAlarm',
    summary: 'Comment on an alarm',
    description: 'The latest comment is shown with the alarm and with its latest occurrence.',
    params,
    headers: idempotencyHeaders,
    body: commentBody,
    responses: done,
    refusals: ['not-found'],
    handle: async ({ params: { id }, body, principal, request }) => {
      const input = { caller: callerAt(principal, request), id, comment: body.comment };
      const sent = { address: `/api/v1/alarms/${id}/comments`, body };
      await makeOnce(store, commentAlarmOnce, input, { principal, request }, sent);
      return true as const;
    },
  });
}
