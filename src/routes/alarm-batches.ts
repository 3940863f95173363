// Many alarms in one request: each is taken or refused by itself, and the answer says which, in order.

import { type Static, Type } from 'typebox';
import { callerOf } from '../domain/access/access.ts';
import { AppError, attempt } from '../errors.ts';
import { printProblem, problemSchema } from '../http/problem.ts';
import { defineRoute, listBody, type Route } from '../http/route.ts';
import { keyOfItem } from '../operations/alarms/idempotency.ts';
import { commandAlarm } from '../operations/alarms/operator-commands.ts';
import { reportAlarms } from '../operations/alarms/report.ts';
import type { AlarmReport } from '../operations/alarms/report-message.ts';
import { reportValues } from '../operations/alarms/report-value.ts';
import type { ListOperation, ListResult } from '../store/list-operation.ts';
import type { Store } from '../store/store.ts';
import { type AlarmCreationBody, alarmCreationSchema, readAlarmCreation } from '../wire/alarms/alarm-creation.ts';
import { dateTimeText, parseDateTime } from '../wire/date-time.ts';
import { optionalText, text, uint } from '../wire/paging.ts';
import { answerHeaders, idempotencyHeaders, idempotencyKey, warningsHeader } from './alarms.ts';

type BatchParts = { readonly store: Store; readonly timeZone: string; readonly basePath: string };

const tag = 'Alarms';
const mostItems = 1_000;
const bodyLimit = 8 * 1024 * 1024;

const results = Type.Array(Type.Union([uint(), problemSchema]), {
  description: 'For each item its id, or why it was refused.',
});

type Result = number | Static<typeof problemSchema>;
type Printing = Parameters<typeof printProblem>[1];

/** Gives the store all items that can be read, as one job; one that cannot is answered with why. */
async function eachOfList<T, C, O>(
  store: Store,
  operation: ListOperation<C, O>,
  items: readonly (T | AppError)[],
  read: (item: T, index: number) => C,
): Promise<readonly (ListResult<O> | AppError)[]> {
  const readings = items.map((item, index) => (item instanceof AppError ? item : attempt(() => read(item, index))));
  const commands = readings.flatMap((reading) => (reading instanceof AppError ? [] : [reading]));
  const answers = commands.length === 0 ? [] : await store.write(operation, commands);
  let next = 0;
  return readings.map((reading) => (reading instanceof AppError ? reading : (answers[next++] ?? unanswered)));
}

const unanswered = new AppError('internal', 'The store left an item without an answer.');

/** Carries out each item by itself. They are given to the store in order, and it keeps that order. */
async function each<T>(
  items: readonly T[],
  carryOut: (item: T) => Promise<number>,
  printing: Printing,
): Promise<Result[]> {
  const settled = await Promise.allSettled(items.map(async (item) => carryOut(item)));
  return settled.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    // A refusal is that item's answer; anything else is a fault of the whole request.
    if (outcome.reason instanceof AppError) return printProblem(outcome.reason, printing);
    throw outcome.reason;
  });
}

function printAnswer<O>(answer: ListResult<O> | AppError, idOf: (outcome: O) => number, printing: Printing): Result {
  if (answer instanceof AppError) return printProblem(answer, printing);
  return answer.kind === 'done'
    ? idOf(answer.outcome)
    : printProblem({ ...answer, message: answer.sentence }, printing);
}

export function alarmBatchRoutes(parts: BatchParts): Route[] {
  return [batchRoute(parts), valuesRoute(parts), acknowledgeRoute(parts)];
}

function batchRoute({ store, basePath }: BatchParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/batch',
    scope: 'alarms:write',
    tag,
    summary: 'Send many alarms',
    description:
      'A list of bodies as for one alarm. One that is refused does not hold up the others. With the header `Idempotency-Key` a repeated request is safe for 24 hours.',
    headers: idempotencyHeaders,
    bodyLimit,
    body: listBody(alarmCreationSchema, mostItems),
    answers: { 200: results },
    answerHeaders,
    refusals: [],
    handle: async ({ body, principal, request, setHeader }) => {
      const caller = callerOf(principal);
      const once = idempotencyKey(request);
      const read = (item: AlarmCreationBody, index: number): AlarmReport => {
        const { definition: change, ...creation } = readAlarmCreation(item);
        return { ...unset, ...creation, change, caller, once: once && keyOfItem(once, index) };
      };
      const answers = await eachOfList(store, reportAlarms, body, read);
      const warnings = answers.flatMap((answer, index) =>
        'outcome' in answer ? answer.outcome.warnings.map((warning) => `[${index}].${warning}`) : [],
      );
      if (warnings.length > 0) setHeader(warningsHeader, warnings.join('; '));
      const printing = { basePath, requestId: request.id };
      return answers.map((answer) => printAnswer(answer, ({ id }) => id, printing));
    },
  });
}

const unset = {
  stationId: undefined,
  dataServerId: undefined,
  tagGroupId: undefined,
  path: undefined,
  priority: undefined,
  value: undefined,
  raised: undefined,
};

const valueReport = Type.Object({
  dataServerId: Type.Optional(uint({ description: 'Not given, or 0: the built-in data server.' })),
  path: Type.String({ minLength: 1, maxLength: 1_024 }),
  value: text(),
  time: Type.Optional(
    dateTimeText({ description: 'When the source saw it; older than the newest it told is only noted.' }),
  ),
});

function valuesRoute({ store, timeZone, basePath }: BatchParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/tags/values',
    scope: 'alarms:write',
    tag,
    summary: 'Report values of tags',
    description:
      'The condition of each alarm decides what its value means. One that is refused does not hold up the others.',
    bodyLimit,
    body: listBody(valueReport, mostItems),
    answers: { 200: results },
    refusals: [],
    handle: async ({ body, principal, request }) => {
      const caller = callerOf(principal);
      const answers = await eachOfList(store, reportValues, body, ({ dataServerId, path, value, time }) => ({
        caller,
        dataServerId: dataServerId || undefined,
        path,
        value,
        time: time === undefined ? undefined : parseDateTime(time, timeZone),
      }));
      const printing = { basePath, requestId: request.id };
      return answers.map((answer) => printAnswer(answer, (id) => id, printing));
    },
  });
}

function acknowledgeRoute({ store, basePath }: BatchParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/acknowledge',
    scope: 'alarms:ack',
    tag,
    summary: 'Acknowledge several alarms',
    body: Type.Object({
      ids: Type.Array(uint(), { minItems: 1, maxItems: mostItems }),
      comment: optionalText(65_536),
    }),
    answers: { 200: results },
    refusals: [],
    handle: ({ body: { ids, comment = '' }, principal, request }) => {
      const acknowledge = async (id: number): Promise<number> => {
        const by = { name: principal.name, userId: principal.kind === 'user' ? principal.id : undefined };
        const command = { kind: 'acknowledge', by: principal.name, comment } as const;
        await store.write(commandAlarm, { caller: callerOf(principal), id, command, by });
        return id;
      };
      return each(ids, acknowledge, { basePath, requestId: request.id });
    },
  });
}
