// Routes of what an alarm is: the scenarios attached to it, and the removal of its definition.

import { Type } from 'typebox';
import { callerAt, callerOf } from '../../domain/access/access.ts';
import { AppError } from '../../errors.ts';
import { etagHeader, ifMatchHeaders, ifMatchOf, printEntityTag } from '../../http/entity-tag.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { attachAlarmScenarios, getAlarmScenarios } from '../../operations/alarms/attach-scenarios.ts';
import { deleteAlarm } from '../../operations/alarms/operator-commands.ts';
import { entityTagOf } from '../../operations/entity-tag.ts';
import type { Store } from '../../store/store.ts';
import { alarmScenariosSchema, attachScenariosBody } from '../../wire/alarms/commands.ts';
import { idParams } from '../../wire/paging.ts';

const params = idParams('alarm');
const done = { 200: Type.Literal(true, { description: 'It is done.' }) };
const scenarios = { path: '/api/v1/alarms/:id/scenarios', tag: 'Alarms', params } as const;

export function alarmDefinitionRoutes({ store }: { readonly store: Store }): Route[] {
  return [
    defineRoute({
      ...scenarios,
      method: 'GET',
      scope: 'alarms:read',
      operationId: 'getAlarmScenarios',
      summary: 'Get the scenarios of an alarm',
      description: 'Those attached to the alarm itself; those of its tag group and its station apply as well.',
      responses: { 200: alarmScenariosSchema },
      responseHeaders: etagHeader,
      refusals: ['not-found'],
      handle: async ({ params: { id }, principal, setHeader }) => {
        const scenarioIds = await store.read(getAlarmScenarios, { id, caller: callerOf(principal) });
        if (scenarioIds === undefined) throw new AppError('not-found', `There is no alarm ${id}.`);
        setHeader('etag', printEntityTag(entityTagOf(scenarioIds)));
        return { scenarioIds: [...scenarioIds] };
      },
    }),
    defineRoute({
      ...scenarios,
      method: 'PUT',
      scope: 'alarms:write',
      operationId: 'attachAlarmScenarios',
      summary: 'Attach scenarios to an alarm',
      description:
        'Replaces the attached scenarios; those of its tag group and its station apply as well. To attach one that runs scripts the caller needs the scope `commands:run`.',
      headers: ifMatchHeaders,
      body: attachScenariosBody,
      responses: done,
      responseHeaders: etagHeader,
      refusals: ['not-found', 'precondition-failed', 'unprocessable'],
      handle: async ({ params: { id }, body: { scenarioIds }, principal, request, setHeader }) => {
        const input = { caller: callerAt(principal, request), id, scenarioIds, ifMatch: ifMatchOf(request.headers) };
        const attached = await store.write(attachAlarmScenarios, input);
        setHeader('etag', printEntityTag(entityTagOf(attached)));
        return true as const;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/v1/alarms/:id',
      // Removing is the strongest way to silence an alarm, so that a source that only sends alarms may not.
      scope: 'alarms:mask',
      tag: 'Alarms',
      operationId: 'deleteAlarm',
      summary: 'Remove an alarm',
      description:
        'Its definition and current state; its history stays. An alarm that nobody has acknowledged, and that is not masked, is not removed.',
      params,
      headers: ifMatchHeaders,
      responses: done,
      refusals: ['not-found', 'not-acknowledged', 'precondition-failed', 'unprocessable'],
      handle: async ({ params: { id }, principal, request }) => {
        const ifMatch = ifMatchOf(request.headers);
        await store.write(deleteAlarm, { caller: callerAt(principal, request), id, ifMatch });
        return true as const;
      },
    }),
  ];
}
