// Health routes: liveness, readiness, and metrics for Prometheus.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { defineRoute, type Route, respond } from '../http/route.ts';
import type { Store } from '../store/store.ts';

/** The state of one dependency that Tocsin needs. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

const readiness = Type.Object({
  status: Type.Enum(['ready', 'not-ready']),
  checks: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['database'] }),
      ok: Type.Boolean(),
      detail: Type.String({ description: 'What was found, in a few words.', examples: ['answers in 1 ms'] }),
    }),
  ),
});

type HealthParts = { readonly checks: () => Promise<readonly Check[]>; readonly registry: Registry };

export function healthRoutes({ checks, registry }: HealthParts): Route[] {
  const shared = { method: 'GET', tag: 'Service', refusals: [] } as const;
  return [
    defineRoute({
      ...shared,
      path: '/health/live',
      scope: 'public',
      summary: 'Whether the process responds',
      description:
        'For supervisors that restart the process. It checks nothing else, so that a slow database causes no restart.',
      responses: { 200: Type.Object({ status: Type.Literal('live') }) },
      handle: async () => ({ status: 'live' as const }),
    }),
    defineRoute({
      ...shared,
      path: '/health/ready',
      scope: 'public',
      summary: 'Whether all dependencies are available',
      description: 'For load balancers: 503 while something is missing.',
      responses: { 200: readiness, 503: readiness },
      handle: async () => {
        const found = await checks();
        const isReady = found.every(({ ok }) => ok);
        return isReady
          ? { status: 'ready' as const, checks: found }
          : respond(503, { status: 'not-ready' as const, checks: found });
      },
    }),
    defineRoute({
      ...shared,
      path: '/metrics',
      scope: 'admin',
      summary: 'Metrics for Prometheus',
      contentType: registry.contentType,
      responses: { 200: Type.String() },
      handle: async () => registry.metrics(),
    }),
  ];
}

/** Serves the metrics on a separate port without a token; for a network that only the monitoring can reach. */
export async function serveMetrics(
  registry: Registry,
  host: string,
  port: number,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer(async ({ method, url }, response) => {
    const isKnown = (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === '/metrics';
    const stats = isKnown ? await registry.metrics().catch(() => undefined) : '';
    const status = stats === undefined ? 500 : isKnown ? 200 : 404;
    response.writeHead(status, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(stats);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Checks that the database responds to a small query. */
export async function checkStore(store: Store): Promise<Check> {
  const begin = performance.now();
  try {
    await store.check();
    return {
      name: 'database',
      ok: true,
      detail: `${store.kind} answers in ${Math.ceil(performance.now() - begin)} ms`,
    };
  } catch (error) {
    return { name: 'database', ok: false, detail: error instanceof Error ? error.message : 'does not answer' };
  }
}

/** Reports the call engine's state as its auditor last saw it. */
export async function checkCalling(auditor: { trouble(): Promise<string | undefined> }): Promise<Check> {
  try {
    const trouble = await auditor.trouble();
    return {
      name: 'calling',
      ok: trouble === undefined,
      detail: trouble ?? 'everything that is open is being seen to',
    };
  } catch {
    return { name: 'calling', ok: false, detail: 'cannot be told without the database' };
  }
}
