// Serves the routes and the hub over HTTP, with the errors of a port that cannot be used.

import type { AddressInfo } from 'node:net';
import { defaultIntervals } from '@tocsin/signalr';
import type { Registry } from 'prom-client';
import type { AttemptTokens } from '../access/attempt-tokens.ts';
import type { PasswordCost } from '../access/password.ts';
import type { SecretBox } from '../access/secret-box.ts';
import { hashToken } from '../access/token.ts';
import type { Config } from '../config.ts';
import type { DemoPlants } from '../dispatch/demo/demo-plants.ts';
import type { IntakeRefusals } from '../dispatch/intake-refusals.ts';
import type { SourceWatch } from '../dispatch/source-watch.ts';
import { StoreProbe } from '../dispatch/store-probe.ts';
import { readCertificate, watchCertificate } from '../dispatch/watches/certificate-watch.ts';
import { defaultMaxConnections, readDescriptorUse } from '../dispatch/watches/descriptor-watch.ts';
import { HealthWatch } from '../dispatch/watches/health-watch.ts';
import type { CallingHealth } from '../domain/calls/calling-health.ts';
import type { CodeMessage, Delivery } from '../domain/calls/delivery.ts';
import { StartError } from '../errors.ts';
import { consolePage } from '../http/console/routes.ts';
import type { RefusedRequest } from '../http/requests/refused-request.ts';
import { createServer } from '../http/server.ts';
import type { HubEndpoint } from '../hub/hub-endpoint.ts';
import { routesOf } from '../routes/all-routes.ts';
import { printInstant } from '../wire/date-time.ts';
import type { Access } from './open-access.ts';
import type { NodeContext } from './part-context.ts';
import type { Polled } from './start-background-work.ts';
import { type ReportParts, systemReporter } from './system-report.ts';
import type { RefusalTrace } from './trace-refusals.ts';

type HttpServer = ReturnType<typeof createServer>;

type HttpParts = Access & {
  readonly refusals: RefusalTrace;
  readonly intakeRefusals: IntakeRefusals;
  readonly sourceWatch: SourceWatch;
  readonly demoPlants: DemoPlants;
  readonly callingHealth: () => Promise<CallingHealth>;
  readonly auditor: ReportParts['auditor'];
  readonly pool: ReportParts['pool'];
  readonly sendCode: (message: CodeMessage) => Promise<Delivery>;
  readonly secretBox: SecretBox;
  readonly checkProvider: (id: number) => Promise<string | undefined>;
  readonly attemptTokens: AttemptTokens;
  readonly isReportOf: Parameters<typeof routesOf>[0]['isReportOf'];
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

type PolledServer = HttpServer & { readonly polled: Polled };

/** Returns a server that does not listen yet, with what it looks for at intervals. */
export async function createHttpServer(context: NodeContext, parts: HttpParts): Promise<PolledServer> {
  const { store, clock, config, log, teardown } = context;
  const { principals, signIn, refusals, intakeRefusals, callingHealth, registry, hub, passwordCost, stopping } = parts;
  const storeProbe = new StoreProbe(store);
  const served = config.tls && (await readCertificate(config.tls));
  const server = createServer({
    basePath: config.basePath,
    tls: served,
    allowedOrigins: config.allowedOrigins,
    trustedProxies: config.trustedProxies,
    log,
    now: () => clock.now(),
    stopGraceMs: parts.stopGraceMs ?? defaultStopGraceMs,
    maxConnections: config.maxConnections ?? defaultMaxConnections(await readDescriptorUse()),
    onRefusedConnections: parts.onRefusedConnections,
    authenticate: (token) => principals.holderOf(token),
    unknownPage: consolePage(config),
    routes: routesOf({
      basePath: config.basePath,
      store,
      signIn,
      principals,
      passwordCost,
      timeZone: config.timeZone,
      securityContact: config.securityContact,
      tokenSeconds: config.tokenSeconds,
      onSignInRefused: (refused) => refusals.noteSignIn(refused),
      longestMaskMs: config.maskHours * 3_600_000,
      hasSimulator: config.calling.hasSimulator,
      hubKeepAliveMs: defaultIntervals.keepAlive,
      onReports: (principal, dataServerIds) => parts.sourceWatch.note(principal, dataServerIds),
      makeDemo: (caller) => parts.demoPlants.make(caller),
      removeDemo: (caller) => parts.demoPlants.remove(caller),
      probe: () => storeProbe.result(),
      systemReport: systemReporter(context, { ...parts, storeProbe }),
      callingHealth,
      sendCode: parts.sendCode,
      secretBox: parts.secretBox,
      checkProvider: parts.checkProvider,
      attemptTokens: parts.attemptTokens,
      isReportOf: parts.isReportOf,
      now: () => clock.now(),
      registry,
      stopping,
    }),
    observer: {
      onRefused: (refusal) => {
        refusals.noteRequest(refusal);
        keepRefusedIntake(intakeRefusals, refusal);
      },
      onTaken: (principal) => intakeRefusals.noteTaken(principal),
    },
    hub,
  });
  teardown.add(() => server.close());
  const healthWatch = watchHealth(context, storeProbe, parts);
  if (config.tls === undefined || served === undefined) return { ...server, polled: { healthWatch } };
  const certificate = watchCertificate({
    files: config.tls,
    served,
    serve: server.renewCertificate,
    onRenewed: () => log.info('a renewed certificate is served'),
    onUnusable: (err) => log.error({ err }, 'the renewed certificate cannot be used; the former one is still served'),
  });
  teardown.add(() => certificate.stop());
  return { ...server, polled: { certificate, healthWatch } };
}

/** Tells the consoles at the hub what this node can do. */
function watchHealth(context: NodeContext, storeProbe: StoreProbe, { hub, callingHealth }: HttpParts): HealthWatch {
  const { store, clock, config, onTrouble, teardown } = context;
  const watch = new HealthWatch({
    ...{ store, clock, storeProbe, callingHealth, onTrouble },
    isAsked: () => hub.isAskedForHealth,
    tell: (health) => {
      const at = (instant: number): string => printInstant(instant, config.timeZone);
      const since = health && {
        since: at(health.since),
        takesSince: at(health.takesSince),
        readsSince: at(health.readsSince),
        callingSince: at(health.callingSince),
      };
      hub.tellHealth(health && since && { ...health, ...since });
    },
  });
  teardown.add(() => watch.stop());
  return watch;
}

/** Refusals that are no fault of the request, and that could not be stored either. */
const serverFaults: ReadonlySet<string> = new Set(['unavailable', 'internal']);

/** Keeps what a known caller sent to an intake. An integrator who tests with strict handling sees the refusal. */
function keepRefusedIntake(kept: IntakeRefusals, { principal, intake, ...refusal }: RefusedRequest): void {
  if (intake === undefined || intake.isStrict || serverFaults.has(refusal.code)) return;
  const { sentTo: route, invalidToken, contentType, bytes, sentLength, isPartial } = intake;
  const by = principal ?? (invalidToken === undefined ? undefined : { tokenHash: hashToken(invalidToken) });
  if (by !== undefined) kept.note({ ...refusal, route, by, contentType, bytes, sentLength, isPartial });
}

/** Returns the address it listens on, without the base path. */
export async function listen(server: HttpServer, config: Config): Promise<string> {
  await server.app.listen({ host: config.host, port: config.port });
  const { port } = server.app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `${config.tls ? 'https' : 'http'}://${host}:${port}`;
}

/** Returns the error of a start; that of a port that cannot be used says which setting to change. */
export function listenTrouble(error: unknown, config: Config): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('port' in error)) return error;
  const { code, port } = error;
  const setting = port === config.metricsPort ? 'TOCSIN_METRICS_PORT' : 'TOCSIN_PORT';
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${config.host} is taken by another program: stop it, or choose another with ${setting}.`,
      'bad-settings',
      error,
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new StartError(
      `Tocsin cannot listen on ${config.host}, port ${port}: choose others with TOCSIN_HOST and ${setting}.`,
      'bad-settings',
      error,
    );
  }
  return error;
}
