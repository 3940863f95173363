// Batch routes: each item of a list is accepted or refused separately, and the response has the results in order.

import { type Static, Type } from 'typebox';
import { callerOf } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { printProblem, problemSchema } from '../http/problem.ts';
import { type Call, defineRoute, listBody, type Route } from '../http/route.ts';
import { keyOfItem } from '../operations/alarms/intake/idempotency.ts';
import { reportAlarms } from '../operations/alarms/intake/report.ts';
import { type AlarmReport, reportWeight } from '../operations/alarms/intake/report-message.ts';
import { reportValues, type ValueReport } from '../operations/alarms/intake/report-value.ts';
import type { ListResult } from '../store/list-operation.ts';
import { WriteGate } from '../store/write-gate.ts';
import {
  type AlarmCreationBody,
  alarmCreationSchema,
  readAlarmCreation,
  sourceTimeOf,
} from '../wire/alarms/alarm-creation.ts';
import { dateTimeText, parseDateTime } from '../wire/date-time.ts';
import { maxTextLength, text, uint } from '../wire/paging.ts';
import { bulkCommandRoutes, type Printing, type Result } from './alarms/bulk-commands.ts';
import { type GatedParts, noteReports, type Taken, unset, writeList } from './alarms/write-list.ts';
import { intakeHeaders, printWarning, responseHeaders, unreadableIn, unusableIn, warningsHeader } from './alarms.ts';
import { mappedIntakeRoute } from './intake/mapped-intake.ts';
import { idempotencyKey } from './make-once.ts';

type BatchParts = Omit<GatedParts, 'gate'>;

const tag = 'Alarms';
const maxItems = 1_000;
const bodyLimit = 8 * 1024 * 1024;

const taken = Type.Object(
  {
    id: uint({ description: 'The id of the alarm.', examples: [1] }),
    warnings: Type.Array(Type.String(), { description: 'What could not be used, and why.' }),
  },
  { title: 'TakenItem', description: 'With `Prefer: return=representation`: the id, and what could not be used.' },
);
const intakeResults = Type.Array(Type.Union([uint(), taken, problemSchema]), {
  description: 'For each item its id, or the reason for refusing it.',
});

type IntakeResult = Result | Static<typeof taken>;

function printResult<O>(result: ListResult<O> | AppError, idOf: (outcome: O) => number, printing: Printing): Result {
  if (result instanceof AppError) return printProblem(result, printing);
  return result.kind === 'done'
    ? idOf(result.outcome)
    : printProblem({ ...result, message: result.sentence }, printing);
}

/** Prints the results of an intake, and names all warnings in the response header. */
function printTaken(
  results: readonly (ListResult<Taken> | AppError)[],
  { itemWarnings, prefers, request, setHeader }: Pick<Call, 'itemWarnings' | 'prefers' | 'request' | 'setHeader'>,
  basePath: string,
): IntakeResult[] {
  const all: string[] = [];
  const printing = { basePath, requestId: request.id };
  const printed = results.map((result, index) => {
    if (!('outcome' in result)) return printResult(result, () => 0, printing);
    const { id, warnings: ofStore } = result.outcome;
    const warnings = [...(itemWarnings.get(index) ?? []).map(printWarning), ...ofStore];
    all.push(...warnings.map((warning) => `[${index}].${warning}`));
    return prefers.wantsRepresentation ? { id, warnings } : id;
  });
  if (all.length > 0) setHeader(warningsHeader, all.join('; '));
  return printed;
}

export function alarmBatchRoutes(given: BatchParts): Route[] {
  const parts = { ...given, gate: new WriteGate() };
  return [batchRoute(parts), valuesRoute(parts), mappedIntakeRoute(parts), ...bulkCommandRoutes(parts)];
}

function batchRoute(parts: GatedParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/batch',
    scope: 'alarms:write',
    tag,
    operationId: 'sendAlarms',
    summary: 'Send many alarms',
    description:
      'A list of bodies as for one alarm. A refused item does not affect the others. Long lists are stored in parts, between which other alarms are stored. With the header `Idempotency-Key` a repeated request is safe for 24 hours.',
    isIntake: true,
    headers: intakeHeaders,
    bodyLimit,
    body: listBody(alarmCreationSchema, maxItems),
    responses: { 200: intakeResults },
    responseHeaders,
    refusals: [],
    handle: async (call) => {
      const { body, principal, request, itemWarnings, prefers } = call;
      const caller = callerOf(principal);
      const once = idempotencyKey(request);
      const isStrict = prefers.isStrict || undefined;
      const read = (item: AlarmCreationBody, index: number): AlarmReport => {
        const { definition: change, ...creation } = readAlarmCreation(item);
        const warnings = itemWarnings.get(index) ?? [];
        const doubts = { unreadable: unreadableIn(warnings), unusable: unusableIn(warnings), isStrict };
        const time = sourceTimeOf(item, parts.timeZone);
        return { ...unset, ...creation, change, time, caller, once: once && keyOfItem(once, index), ...doubts };
      };
      const results = await writeList(parts, { operation: reportAlarms, items: body, read, weigh: reportWeight });
      noteReports(parts, principal, results);
      return printTaken(results, call, parts.basePath);
    },
  });
}

const valueReport = Type.Object(
  {
    dataServerId: Type.Optional(uint({ description: 'Not given, or 0: the built-in data server.' })),
    path: Type.String({
      minLength: 1,
      maxLength: 1_024,
      'x-too-long': 'hashed',
      description: 'The tag.',
      examples: ['Plant/Pump7/Temperature'],
    }),
    value: text(maxTextLength, { description: 'Its value.', examples: ['85'] }),
    time: Type.Optional(
      dateTimeText({ description: "The source's own timestamp; a value older than its latest one is only logged." }),
    ),
  },
  {
    title: 'TagValue',
    description: 'The value of one tag.',
    examples: [{ path: 'Plant/Pump7/Temperature', value: '85' }],
  },
);

function valuesRoute(parts: GatedParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/tags/values',
    scope: 'alarms:write',
    tag,
    operationId: 'reportTagValues',
    summary: 'Report values of tags',
    description:
      'The condition of each alarm decides the effect of its value. A refused item does not affect the others.',
    isIntake: true,
    headers: Type.Object({ Prefer: intakeHeaders.properties.Prefer }),
    bodyLimit,
    body: listBody(valueReport, maxItems),
    responses: { 200: intakeResults },
    responseHeaders,
    refusals: [],
    handle: async (call) => {
      const { body, principal, prefers } = call;
      const caller = callerOf(principal);
      const read = ({ dataServerId, path, value, time }: Static<typeof valueReport>): ValueReport => ({
        caller,
        dataServerId: dataServerId || undefined,
        path,
        value,
        time: time === undefined ? undefined : parseDateTime(time, parts.timeZone),
        isStrict: prefers.isStrict || undefined,
      });
      const results = await writeList(parts, { operation: reportValues, items: body, read, weigh: () => 1 });
      noteReports(parts, principal, results);
      return printTaken(results, call, parts.basePath);
    },
  });
}
