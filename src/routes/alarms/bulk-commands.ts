// Commands of a person on several alarms at once: each alarm has its own result, and a refusal does not affect the others.

import { type Static, Type } from 'typebox';
import { callerAt, type Scope } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { printProblem, problemSchema } from '../../http/problem.ts';
import { type Call, defineRoute, type Route } from '../../http/route.ts';
import { commandAlarm } from '../../operations/alarms/operator-commands.ts';
import type { Store } from '../../store/store.ts';
import type { WriteGate } from '../../store/write-gate.ts';
import { maskBody, onBehalfOf } from '../../wire/alarms/commands.ts';
import { tomorrow } from '../../wire/date-time.ts';
import { optionalText, uint } from '../../wire/paging.ts';
import { maskEnd, type OperatorCommand, takerOf } from './carry-out.ts';

export type BulkParts = {
  readonly store: Store;
  readonly gate: WriteGate;
  readonly timeZone: string;
  readonly basePath: string;
  /** Maximum length of a mask. */
  readonly longestMaskMs: number;
};

const tag = 'Alarms';
const maxItems = 1_000;
/** A command with a comment or a reason costs about as much as this many small reports. */
const commandWeight = 20;

const results = Type.Array(Type.Union([uint(), problemSchema]), {
  description: 'For each item its id, or the reason for refusing it.',
});

const ids = Type.Array(uint({ examples: [1] }), { minItems: 1, maxItems, description: 'The alarms.' });

export type Result = number | Static<typeof problemSchema>;
export type Printing = Parameters<typeof printProblem>[1];

export function bulkCommandRoutes(parts: BulkParts): Route[] {
  return [acknowledgeRoute(parts), maskRoute(parts), unmaskRoute(parts)];
}

/** Processes each item separately. The store receives them in order and preserves that order. */
async function processEach<T>(
  items: readonly T[],
  handle: (item: T) => Promise<number>,
  printing: Printing,
): Promise<Result[]> {
  const settled = await Promise.allSettled(items.map(async (item) => handle(item)));
  return settled.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    // A refusal is the result of its item; any other error fails the whole request.
    if (outcome.reason instanceof AppError) return printProblem(outcome.reason, printing);
    throw outcome.reason;
  });
}

/** Carries out the command on each alarm; the result of each is its id, or why it was refused. */
function commandEach(
  { store, gate, basePath }: BulkParts,
  { principal, request }: Pick<Call<Scope>, 'principal' | 'request'>,
  several: readonly number[],
  command: OperatorCommand,
  taker?: number,
): Promise<Result[]> {
  const caller = callerAt(principal, request);
  const by = { name: principal.name, userId: principal.kind === 'user' ? principal.id : undefined };
  const carryOut = async (id: number): Promise<number> => {
    await gate.run(commandWeight, () => store.write(commandAlarm, { caller, id, command, by, onBehalfOf: taker }));
    return id;
  };
  return processEach(several, carryOut, { basePath, requestId: request.id });
}

function acknowledgeRoute(parts: BulkParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/acknowledge',
    scope: 'alarms:ack',
    tag,
    operationId: 'acknowledgeAlarms',
    summary: 'Acknowledge several alarms',
    body: Type.Object(
      {
        ids,
        comment: optionalText(65_536, { description: 'A comment to keep with each.', examples: ['On my way'] }),
        onBehalfOf,
      },
      {
        title: 'AcknowledgeSeveralBody',
        description: 'The alarms to acknowledge.',
        examples: [{ ids: [1], comment: 'On my way' }],
      },
    ),
    responses: { 200: results },
    refusals: [],
    handle: async ({ body: { ids: several, comment = '', ...body }, principal, request }) => {
      const command = { kind: 'acknowledge', by: principal.name, comment } as const;
      return commandEach(parts, { principal, request }, several, command, takerOf(principal, body.onBehalfOf));
    },
  });
}

function maskRoute(parts: BulkParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/mask',
    scope: 'alarms:mask',
    tag,
    operationId: 'maskAlarms',
    summary: 'Mask several alarms for a time',
    description: 'They are still recorded and listed, but nobody is called for them.',
    body: Type.Object(
      { ids, ...maskBody.properties },
      {
        title: 'MaskSeveralBody',
        description: 'The alarms to mask, how long, and why.',
        examples: [{ ids: [1], until: tomorrow, reason: 'Repair of pump 7' }],
      },
    ),
    responses: { 200: results },
    refusals: ['unprocessable'],
    handle: async ({ body: { ids: several, reason, ...length }, principal, request, now }) => {
      const end = await maskEnd(length, now, parts);
      const command = { kind: 'mask', until: end, reason, by: principal.name } as const;
      return commandEach(parts, { principal, request }, several, command);
    },
  });
}

function unmaskRoute(parts: BulkParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/alarms/unmask',
    scope: 'alarms:mask',
    tag,
    operationId: 'unmaskAlarms',
    summary: 'End the masks of several alarms',
    body: Type.Object(
      { ids },
      { title: 'UnmaskSeveralBody', description: 'The alarms whose masks end.', examples: [{ ids: [1] }] },
    ),
    responses: { 200: results },
    refusals: [],
    handle: async ({ body: { ids: several }, principal, request }) =>
      commandEach(parts, { principal, request }, several, { kind: 'unmask' }),
  });
}
