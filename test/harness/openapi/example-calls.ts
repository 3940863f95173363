// The example of every operation of the reference, as it stands in the OpenAPI document, in an order in which they work on
// a new installation.

import assert from 'node:assert/strict';
import type { OpenApiDocument, Operation } from '../../../src/http/openapi/document.ts';

/** The password of the example of signing in. */
export const examplePassword = 'the password of admin';

export type Located = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The examples that are refused on a new installation, with the documented status of the refusal. */
export const refusedExamples: Readonly<Record<string, number>> = {
  // The simulated phone of the administrator needs no code.
  verifyNumber: 409,
  // A report needs the signature of its body.
  reportDelivery: 403,
  // The alarm is not latched, nobody is called for it any more, and the first call has ended (`statusOfExample`).
  resetAlarm: 422,
  escalateAlarm: 409,
  cancelCall: 409,
  // The data server of the example is no placeholder, and nothing was refused.
  moveTags: 422,
  retryIntakeRefusal: 404,
  releaseQuarantinedWork: 404,
  dropQuarantinedWork: 404,
  // Ringing in is off until a provider allows it.
  ringIn: 422,
  pressRingInKeys: 404,
  hangUpRingIn: 404,
  // The alarm by which the example called the group still names the group, and the group its team.
  deleteCallGroup: 409,
  deleteTeam: 409,
  // The examples before have made people and groups, so the installation is not empty.
  makeDemo: 409,
  removeDemo: 404,
};

export function operationsOf({ paths }: OpenApiDocument): Located[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Operations that make what the examples of others need, and those whose example would leave nothing to them. */
const ownTurns: Readonly<Record<string, number>> = {
  createOverride: 0,
  acknowledgeAlarms: 4,
  deleteAlarm: 5,
  endSession: 7,
  signOut: 8,
};
const removing = 6;

/** First what makes something, then what changes and shows it, at last what removes it. */
function turnOf({ method, path, operation }: Located): number {
  const own = ownTurns[operation.operationId];
  if (own !== undefined) return own;
  if (method === 'DELETE') return removing;
  if (method === 'POST') return path.includes('{') ? 3 : 0;
  return method === 'PUT' ? 1 : 2;
}

/** In each turn in the order of the document; what was made last is removed first, because it may refer to the rest. */
export function inTurn(operations: readonly Located[]): readonly Located[] {
  const isRemoving = (located: Located): boolean => turnOf(located) === removing;
  const ordered = [...operations.filter((one) => !isRemoving(one)), ...operations.filter(isRemoving).toReversed()];
  return ordered.toSorted((a, b) => turnOf(a) - turnOf(b));
}

export function exampleRequest({ path, operation }: Located): { readonly address: string; readonly body: unknown } {
  const { parameters, requestBody } = operation;
  const query = new URLSearchParams();
  let address = path;
  for (const { name, in: where, required, example, schema } of parameters) {
    assert.ok(required || schema.examples === undefined, `the reference would always send ${name}`);
    if (!required && where === 'query' && schema.default !== undefined) query.set(name, String(schema.default));
    if (!required) continue;
    assert.notEqual(example, undefined, `${operation.operationId} has no example of ${name}`);
    if (where === 'query') query.set(name, String(example));
    else address = address.replace(`{${name}}`, encodeURIComponent(String(example)));
  }
  const [content] = Object.values(requestBody?.content ?? {});
  return { address: query.size === 0 ? address : `${address}?${query}`, body: content?.example };
}

/** The status of a refusal. The first alarm is masked soon after it was sent: its call may have begun by then, or there is none. */
export function statusOfExample(operationId: string, status: number): number {
  return operationId === 'cancelCall' && status === 404 ? 409 : status;
}
