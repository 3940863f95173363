// Routes of the call policy: read it and replace it.

import { callerAt, callerOf } from '../../domain/access/access.ts';
import { etagHeader, ifMatchHeaders, ifMatchOf, printEntityTag } from '../../http/entity-tag.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { getCallPolicy, replaceCallPolicy } from '../../operations/calls/control/call-policy.ts';
import type { Store } from '../../store/store.ts';
import { callPolicyBody, callPolicySchema, printCallPolicy, readCallPolicy } from '../../wire/calls/policy.ts';
import { warningsHeader } from '../alarms.ts';

const shared = {
  path: '/api/v1/callpolicy',
  tag: 'Calls',
  responses: { 200: callPolicySchema },
  responseHeaders: etagHeader,
} as const;

export function callPolicyRoutes({ store }: { readonly store: Store }): Route[] {
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      scope: 'directory:read',
      operationId: 'getCallPolicy',
      summary: 'Get the call policy',
      description: 'How people are called, on the whole installation.',
      refusals: [],
      handle: async ({ principal, setHeader }) => {
        const { policy, tag, outside } = await store.read(getCallPolicy, { caller: callerOf(principal) });
        setHeader('etag', printEntityTag(tag));
        return printCallPolicy(policy, outside);
      },
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      scope: 'admin',
      operationId: 'replaceCallPolicy',
      summary: 'Change the call policy',
      description:
        'Takes the whole policy and returns it as stored, with the people whom it leaves to priority 1 (`onlyPriority1`). It counts from the next decision on, on all nodes and also for calls under way.',
      headers: ifMatchHeaders,
      body: callPolicyBody,
      refusals: ['precondition-failed'],
      handle: async ({ body, principal, request, setHeader }) => {
        const input = {
          caller: callerAt(principal, request),
          settings: readCallPolicy(body),
          ifMatch: ifMatchOf(request.headers),
        };
        const { policy, tag, outside } = await store.write(replaceCallPolicy, input);
        if (outside.length > 0)
          setHeader(
            warningsHeader,
            `tolls.allowedPrefixes: ${outside.length} people have no number in these countries and are called for priority 1 alone; onlyPriority1 names them`,
          );
        setHeader('etag', printEntityTag(tag));
        return printCallPolicy(policy, outside);
      },
    }),
  ];
}
