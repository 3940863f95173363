// Serves the routes and the hub over HTTP, with the errors of a port that cannot be used.

import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { PasswordCost } from '../access/password.ts';
import { hashToken } from '../access/token.ts';
import type { Config } from '../config.ts';
import { defaultMaxConnections, readDescriptorUse } from '../dispatch/descriptor-watch.ts';
import type { IntakeRefusals } from '../dispatch/intake-refusals.ts';
import type { RefusalRecorder } from '../dispatch/refusal-recorder.ts';
import { StoreProbe } from '../dispatch/store-probe.ts';
import type { CallingHealth } from '../domain/calls/calling-health.ts';
import { StartError } from '../errors.ts';
import type { IntakeRefusal } from '../http/intake-observer.ts';
import { createServer } from '../http/server.ts';
import type { HubEndpoint } from '../hub/hub-endpoint.ts';
import { routesOf } from '../routes/all-routes.ts';
import type { Access } from './open-access.ts';
import type { PartContext } from './part-context.ts';

type HttpServer = ReturnType<typeof createServer>;

type HttpParts = Access & {
  readonly refusals: RefusalRecorder;
  readonly intakeRefusals: IntakeRefusals;
  readonly callingHealth: () => Promise<CallingHealth>;
  readonly registry: Registry;
  readonly hub: HubEndpoint;
  /** Called when connections were refused. */
  readonly onRefusedConnections: () => void;
  readonly passwordCost: PasswordCost | undefined;
  readonly stopGraceMs: number | undefined;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
};

/** Longer than most clients pause between two requests, so that a stop seldom meets a request on its way. */
const defaultStopGraceMs = 1_000;

/** Returns a server that does not listen yet. */
export async function createHttpServer(context: PartContext, parts: HttpParts): Promise<HttpServer> {
  const { store, clock, config, log, teardown } = context;
  const { principals, signIn, refusals, intakeRefusals, callingHealth, registry, hub, passwordCost, stopping } = parts;
  const storeProbe = new StoreProbe(store);
  const server = createServer({
    basePath: config.basePath,
    tls: config.tls && { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
    allowedOrigins: config.allowedOrigins,
    trustedProxies: config.trustedProxies,
    log,
    now: () => clock.now(),
    stopGraceMs: parts.stopGraceMs ?? defaultStopGraceMs,
    maxConnections: config.maxConnections ?? defaultMaxConnections(await readDescriptorUse()),
    onRefusedConnections: parts.onRefusedConnections,
    authenticate: (token) => principals.holderOf(token),
    routes: routesOf({
      basePath: config.basePath,
      store,
      signIn,
      principals,
      passwordCost,
      timeZone: config.timeZone,
      tokenSeconds: config.tokenSeconds,
      onSignInRefused: (refused) => refusals.noteSignIn(refused),
      longestMaskMs: config.maskHours * 3_600_000,
      probe: () => storeProbe.result(),
      callingHealth,
      registry,
      stopping,
    }),
    onDenied: (denied) => refusals.noteDenied(denied),
    intakes: {
      onRefused: (refusal) => noteRefusedIntake(intakeRefusals, refusal),
      onTaken: (principal) => intakeRefusals.noteTaken(principal),
    },
    hub,
  });
  teardown.add(() => server.close());
  return server;
}

/** Requests without a token are counted and logged elsewhere; nobody could be named for them. */
function noteRefusedIntake(intakeRefusals: IntakeRefusals, { principal, token, ...refusal }: IntakeRefusal): void {
  const by = principal ?? (token === undefined ? undefined : { tokenHash: hashToken(token) });
  if (by !== undefined) intakeRefusals.note({ ...refusal, by });
}

/** Returns the address it listens on, without the base path. */
export async function listen(server: HttpServer, config: Config): Promise<string> {
  await server.app.listen({ host: config.host, port: config.port });
  const { port } = server.app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `${config.tls ? 'https' : 'http'}://${host}:${port}`;
}

/** Returns the error of a start; that of a port that cannot be used says which setting to change. */
export function listenTrouble(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is taken by another program: stop it, or choose another with TOCSIN_PORT.`,
      'bad-settings',
      error,
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new StartError(
      `Tocsin cannot listen on ${host}, port ${port}: choose others with TOCSIN_HOST and TOCSIN_PORT.`,
      'bad-settings',
      error,
    );
  }
  return error;
}
