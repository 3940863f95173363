// Runs the handler of a route with the body of an earlier request, on behalf of its caller.

import type { Principal } from '../domain/access/access.ts';
import { bodyReader, noItemWarnings, noWarnings } from './body/body-reader.ts';
import { requireScope } from './fastify-adapter.ts';
import { noPreferences } from './preferences.ts';
import { type CallOrigin, type Route, replyOf } from './route.ts';

type Replay = {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly principal: Principal;
  readonly request: Omit<CallOrigin, 'bytes'> & { readonly bytes: Buffer };
  readonly now: number;
};

type Replayed = { readonly answer: unknown; readonly headers: ReadonlyMap<string, string> };

export async function replay({ route, params, principal, request, now }: Replay): Promise<Replayed> {
  requireScope(principal, route.scope);
  if (route.body === undefined) throw new Error('Only a request with a body is replayed');
  const isIntake = route.isIntake === true;
  const checked = await bodyReader(route.body, isIntake)(request.bytes, request.headers['content-type']);
  const headers = new Map<string, string>();
  const result = await route.handle({
    params,
    query: {},
    body: checked.value,
    principal,
    request,
    warnings: checked.warnings ?? noWarnings,
    itemWarnings: checked.itemWarnings ?? noItemWarnings,
    prefers: noPreferences,
    setHeader: (name, text) => {
      headers.set(name, text);
    },
    now,
  });
  return { answer: replyOf(result).body, headers };
}
