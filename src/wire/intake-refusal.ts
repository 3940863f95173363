// The JSON of refused intakes, and of what a retry of one does or would do.

import { Type } from 'typebox';
import { printInstant } from './date-time.ts';
import { idOf, uint } from './paging.ts';

const instant = { examples: ['2026-05-31T08:30:00.000+02:00'] };

export const intakeRefusalSchema = Type.Object(
  {
    id: idOf('refused request'),
    time: Type.String({ description: 'When it was refused.', ...instant }),
    caller: Type.String({ description: 'Who sent it.', examples: ['key:7'] }),
    callerName: Type.String({ description: 'The name of the key or user.', examples: ['Boiler house'] }),
    address: Type.String({ description: 'The address that it came from.', examples: ['192.0.2.7'] }),
    route: Type.String({ description: 'Where it was sent.', examples: ['POST /api/v1/alarms'] }),
    code: Type.String({ description: 'The code of the refusal.', examples: ['malformed-json'] }),
    reason: Type.String({ description: 'The sentence of the refusal.' }),
    body: Type.String({ description: 'The body; of a longer one the first 65,536 bytes.' }),
    bodyEncoding: Type.Enum(['text', 'base64'], { description: '`base64` for a body that is not UTF-8.' }),
    bodyLength: uint({ description: 'The length of the whole body in bytes.' }),
    retriedTime: Type.Optional(Type.String({ description: 'When it was retried.', ...instant })),
    retriedBy: Type.Optional(Type.String({ description: 'Who retried it.', examples: ['user:1'] })),
  },
  { title: 'IntakeRefusal', description: 'A request to an intake that was refused.' },
);

type RefusalView = {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly principal: { readonly name: string };
  readonly address: string;
  readonly route: string;
  readonly code: string;
  readonly reason: string;
  readonly body: string;
  readonly bodyLength: number;
  readonly retriedAt: number | undefined;
  readonly retriedBy: string | undefined;
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `base64` is the body as it is stored. */
function printBody(base64: string): { readonly body: string; readonly bodyEncoding: 'text' | 'base64' } {
  try {
    return { body: utf8.decode(Buffer.from(base64, 'base64')), bodyEncoding: 'text' };
  } catch {
    return { body: base64, bodyEncoding: 'base64' };
  }
}

export function printIntakeRefusal(refusal: RefusalView, timeZone: string) {
  const { id, actor, principal, address, route, code, reason, bodyLength, retriedAt, retriedBy } = refusal;
  return {
    id,
    time: printInstant(refusal.at, timeZone),
    caller: actor,
    callerName: principal.name,
    address,
    route,
    code,
    reason,
    ...printBody(refusal.body),
    bodyLength,
    ...(retriedAt === undefined ? {} : { retriedTime: printInstant(retriedAt, timeZone) }),
    ...(retriedBy === undefined ? {} : { retriedBy }),
  };
}

const state = { minimum: 0, maximum: 3 };

export const retrySchema = Type.Object(
  {
    applied: Type.Boolean({ description: 'Whether it was carried out; false without `confirm`.' }),
    answer: Type.Optional(Type.Unknown({ description: 'What the original request is answered with now.' })),
    warnings: Type.Array(Type.String(), { description: 'What cannot be used of it.' }),
    alarms: Type.Array(
      Type.Object(
        {
          id: Type.Optional(uint({ description: 'The alarm; absent for one that does not exist yet.' })),
          name: Type.Optional(Type.String({ description: 'The name of the alarm.' })),
          stateBefore: Type.Optional(Type.Integer({ description: 'Its state before this item.', ...state })),
          stateAfter: Type.Optional(Type.Integer({ description: 'Its state after this item.', ...state })),
          problem: Type.Optional(Type.String({ description: 'Why this item would be refused.' })),
        },
        { title: 'RetriedAlarm', description: 'What would become of one alarm.' },
      ),
      { description: 'What would become of each alarm, in the order of the body; empty if it was carried out.' },
    ),
    calls: Type.Array(
      Type.Object(
        {
          userIds: Type.Array(uint(), { description: 'The users who would be called.' }),
          callGroupIds: Type.Array(uint(), { description: 'The groups that would be called.' }),
          groupingIds: Type.Array(uint(), { description: 'The groupings whose groups would be called.' }),
        },
        { title: 'RetriedCall', description: 'Who would be called.' },
      ),
      { description: 'Who would be called; empty if it was carried out.' },
    ),
  },
  { title: 'IntakeRetry', description: 'What a retry does, or would do.' },
);
