// Health routes: liveness, readiness, the health of calling, and metrics for Prometheus.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { type CallingHealth, type CallingTrouble, callingTroubles } from '../domain/calls/calling-health.ts';
import { AppError } from '../errors.ts';
import { defineRoute, type Route, respond } from '../http/route.ts';
import { choice } from '../wire/paging.ts';

/** The state of one dependency that Tocsin needs. */
type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

const readinessCheck = Type.Object(
  {
    name: Type.String({ description: 'What was looked at.', examples: ['database'] }),
    ok: Type.Boolean({ description: 'Whether it works.' }),
    detail: Type.String({ description: 'What was found, in a few words.', examples: ['answers in 1 ms'] }),
  },
  { title: 'HealthCheck', description: 'Something that Tocsin needs.' },
);

const readiness = Type.Object(
  {
    status: choice([
      ['ready', 'alarms can be stored'],
      ['not-ready', 'they cannot'],
    ]),
    checks: Type.Array(readinessCheck, { description: 'What was looked at.' }),
  },
  { title: 'StoreHealth', description: 'Whether alarms can be stored.' },
);

const liveness = Type.Object(
  { status: Type.Literal('live', { description: 'Always `live`.' }) },
  { title: 'Liveness', description: 'The process responds.' },
);

const troubleCodes = Object.keys(callingTroubles) as CallingTrouble[];

const trouble = Type.Object(
  {
    code: choice(
      troubleCodes.map((code) => [code, callingTroubles[code]] as const),
      { description: 'What is wrong, for programs.' },
    ),
    detail: Type.String({ description: 'What is wrong, for people.' }),
  },
  { title: 'CallingTrouble', description: 'Something that keeps people from being called.' },
);

const calling = Type.Object(
  {
    status: choice([
      ['ok', 'people can be called'],
      ['failing', 'they cannot'],
    ]),
    simulated: Type.Boolean({ description: 'Whether only simulated phones ring.' }),
    reasons: Type.Array(trouble, { description: 'Everything that is wrong; empty when the status is `ok`.' }),
  },
  { title: 'CallingHealth', description: 'Whether people can be called.' },
);

type HealthParts = {
  /** A small write, a few seconds old at most. */
  readonly probe: () => Promise<
    { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly error: unknown }
  >;
  readonly callingHealth: () => Promise<CallingHealth>;
  readonly registry: Registry;
};

const shared = { method: 'GET', tag: 'Service', refusals: [] } as const;

export function healthRoutes({ probe, callingHealth, registry }: HealthParts): Route[] {
  return [
    defineRoute({
      ...shared,
      path: '/health/live',
      scope: 'public',
      operationId: 'getLiveness',
      summary: 'Whether the process responds',
      description:
        'For supervisors that restart the process. It checks nothing else, so that a slow database causes no restart.',
      responses: { 200: liveness },
      handle: async () => ({ status: 'live' as const }),
    }),
    defineRoute({
      ...shared,
      path: '/health/ready',
      scope: 'public',
      operationId: 'getReadiness',
      summary: 'Whether alarms can be stored',
      description:
        'For load balancers: 503 while a small write fails or takes longer than 5 s. A success is reused for 5 s.',
      responses: { 200: readiness, 503: readiness },
      handle: async () => {
        const check = checkOf(await probe());
        return check.ok
          ? { status: 'ready' as const, checks: [check] }
          : respond(503, { status: 'not-ready' as const, checks: [check] });
      },
    }),
    callingRoute(callingHealth),
    defineRoute({
      ...shared,
      path: '/metrics',
      scope: 'admin',
      operationId: 'getMetrics',
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

function callingRoute(callingHealth: HealthParts['callingHealth']): Route {
  return defineRoute({
    ...shared,
    path: '/health/calling',
    scope: 'public',
    operationId: 'getCallingHealth',
    summary: 'Whether people can be called',
    description:
      'For monitoring: 503 while nobody can be reached for the last resort, the last resort was called in vain, open calls are not followed up, or changes are not pushed. The heartbeat to `TOCSIN_HEARTBEAT_URL` follows it.',
    responses: { 200: calling, 503: calling },
    handle: async () => {
      const { troubles, isSimulated: simulated } = await callingHealth();
      const reasons = troubles.map((code) => ({ code, detail: callingTroubles[code] }));
      return reasons.length === 0
        ? { status: 'ok' as const, simulated, reasons }
        : respond(503, { status: 'failing' as const, simulated, reasons });
    },
  });
}

function checkOf(result: Awaited<ReturnType<HealthParts['probe']>>): Check {
  const name = 'database';
  if (result.ok) return { name, ok: true, detail: `stores a row in ${result.ms} ms` };
  return {
    name,
    ok: false,
    detail: result.error instanceof AppError ? result.error.message : 'Nothing can be stored.',
  };
}
