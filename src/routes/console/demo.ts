// The routes of the demo plant: whether there is one, and its making and removal.

import { Type } from 'typebox';
import { type Caller, callerAt } from '../../domain/access/access.ts';
import type { DemoFacts } from '../../domain/demo/facts.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { getDemo } from '../../operations/demo/queries.ts';
import type { Store } from '../../store/store.ts';
import { demoSchema, printDemo } from '../../wire/demo.ts';

type DemoParts = {
  readonly store: Store;
  readonly timeZone: string;
  readonly makeDemo: (caller: Caller) => Promise<DemoFacts>;
  readonly removeDemo: (caller: Caller) => Promise<void>;
};

const shared = { path: '/api/v1/demo', scope: 'admin', tag: 'Site' } as const;

export function demoRoutes({ store, timeZone, makeDemo, removeDemo }: DemoParts): Route[] {
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      operationId: 'getDemo',
      summary: 'Get the demo plant',
      description: 'Whether there is a demo plant, and whether one may be made.',
      responses: { 200: demoSchema },
      refusals: [],
      handle: async () => printDemo(await store.read(getDemo, {}), timeZone),
    }),
    defineRoute({
      ...shared,
      method: 'POST',
      operationId: 'makeDemo',
      summary: 'Make the demo plant',
      description:
        'Makes four stations with 96 tags, eight people with simulated phones, five call groups with a programme, and three months of history. Ten seconds later the wet well of Lift station 4 is too high and the phone of Ana rings; from then on alarms come and go. Only in an empty installation: without an alarm, another user, another station, a call group, a team, a schedule or a scenario. A demo plant that is there already is returned as it is.',
      responses: { 200: demoSchema },
      refusals: ['not-empty'],
      handle: async ({ principal, request }) => printDemo(await makeDemo(callerAt(principal, request)), timeZone),
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      operationId: 'removeDemo',
      summary: 'Remove the demo plant',
      description:
        'Removes everything that belongs to it: stations, tags, people, groups, histories and calls; calls under way end. What stays is the journal. Refused while something that is no part of it refers to it.',
      responses: { 200: Type.Literal(true, { description: 'It is removed.' }) },
      refusals: ['not-found', 'still-referred-to'],
      handle: async ({ principal, request }) => {
        await removeDemo(callerAt(principal, request));
        return true as const;
      },
    }),
  ];
}
