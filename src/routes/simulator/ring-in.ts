// Routes for ringing in from a simulated phone: ring, press keys, hang up.

import { Type } from 'typebox';
import { compareTypedPin } from '../../access/typed-pin.ts';
import { callerAt } from '../../domain/access/access.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { beginSimulatedRingIn, hangUpRingIn, pressInRingIn } from '../../operations/simulator/ring-in.ts';
import type { Store } from '../../store/store.ts';
import { idOf, uint } from '../../wire/paging.ts';

const path = '/api/v1/simulator/ring-in';
const params = Type.Object({ callId: uint({ description: 'The id that ringing in has returned.', examples: [1] }) });
const shared = { method: 'POST', scope: 'calls:send', tag: 'Simulator' } as const;

const said = Type.Object(
  {
    callId: idOf('call, for the keys and the call history'),
    said: Type.String({ description: 'What the voice says.' }),
    over: Type.Boolean({ description: 'Whether the call is over.' }),
  },
  { title: 'RingInSaid', description: 'What somebody hears who has rung in.' },
);

export function ringInRoutes({ store }: { readonly store: Store }): Route[] {
  return [ringInRoute(store), keysRoute(store), hangUpRoute(store)];
}

function ringInRoute(store: Store): Route {
  return defineRoute({
    ...shared,
    path,
    operationId: 'ringIn',
    summary: 'Ring in from a simulated phone',
    description:
      'Needs a simulated provider with the setting `ringIn`. The voice asks for the user number and the PIN, each followed by `#`.',
    responses: { 200: said },
    refusals: ['unprocessable'],
    handle: async ({ principal, request }) => {
      const begun = await store.write(beginSimulatedRingIn, { caller: callerAt(principal, request) });
      return { callId: begun.callId, said: begun.said.text, over: begun.said.isOver };
    },
  });
}

function keysRoute(store: Store): Route {
  return defineRoute({
    ...shared,
    path: `${path}/:callId/keys`,
    operationId: 'pressRingInKeys',
    summary: 'Press keys after ringing in',
    description:
      'First the user number and `#`, then the PIN and `#`; a PIN of fewer than six digits cannot ring in. Then the keys are those of a call.',
    params,
    body: Type.Object(
      { keys: Type.String({ pattern: '^[0-9*#]{1,20}$', description: 'The keys.', examples: ['1#'] }) },
      { title: 'RingInKeysBody', description: 'The keys to press.' },
    ),
    responses: { 200: said },
    refusals: ['not-found', 'already-done'],
    handle: async ({ params: { callId }, body: { keys }, principal, request }) => {
      const checkedPin = await compareTypedPin(store, callId, keys);
      const caller = callerAt(principal, request);
      const { text, isOver } = await store.write(pressInRingIn, { callId, keys, caller, checkedPin });
      return { callId, said: text, over: isOver };
    },
  });
}

function hangUpRoute(store: Store): Route {
  return defineRoute({
    ...shared,
    path: `${path}/:callId/hangup`,
    operationId: 'hangUpRingIn',
    summary: 'Hang up after ringing in',
    params,
    responses: { 200: Type.Literal(true, { description: 'The call is over.' }) },
    refusals: ['not-found'],
    handle: async ({ params: { callId }, principal, request }) => {
      await store.write(hangUpRingIn, { callId, caller: callerAt(principal, request) });
      return true as const;
    },
  });
}
