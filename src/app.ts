// The whole server: starts its parts in order and stops them in reverse; tests run it in-process.

import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { RequestRefused } from '@tocsin/signalr';
import type { Logger } from 'pino';
import { hashPassword, type PasswordCost, readablePassword } from './access/password.ts';
import { Principals } from './access/principals.ts';
import { SignIn } from './access/sign-in.ts';
import type { Channel } from './channels/channel.ts';
import { Simulator } from './channels/simulator.ts';
import { type Clock, MonotonicClock } from './clock.ts';
import type { Config } from './config.ts';
import { AuditSealer } from './dispatch/audit-sealer.ts';
import { CallAuditor } from './dispatch/call-auditor.ts';
import { CallDispatcher, type CallDispatcherParts } from './dispatch/call-dispatcher.ts';
import { callingHealth } from './dispatch/calling-health.ts';
import { ClockSync } from './dispatch/clock-sync.ts';
import { defaultMaxConnections, readDescriptorUse, watchDescriptors } from './dispatch/descriptor-watch.ts';
import { usedShare, watchDisk } from './dispatch/disk-watch.ts';
import { startDueAlarms } from './dispatch/due-alarms.ts';
import { HolidayImport } from './dispatch/holiday-import.ts';
import { startMaintenance } from './dispatch/maintenance-loop.ts';
import { RefusalRecorder } from './dispatch/refusal-recorder.ts';
import { RevokedKeysFile } from './dispatch/revoked-keys-file.ts';
import { ScriptRunner } from './dispatch/script-runner.ts';
import { StoreProbe } from './dispatch/store-probe.ts';
import { mayUse } from './domain/access/access.ts';
import type { CallingHealth } from './domain/calls/calling-health.ts';
import { StartError } from './errors.ts';
import { createServer } from './http/server.ts';
import { HubEndpoint, type HubHolder } from './hub/hub-endpoint.ts';
import { PeerNodes } from './hub/peer-nodes.ts';
import { createMetrics } from './metrics.ts';
import { holdFolder, openStore } from './open-store.ts';
import type { KnownToken } from './operations/access/queries.ts';
import { isStoreEmpty } from './operations/access/queries.ts';
import { alarmTopic } from './operations/alarms/events.ts';
import { lapseLeases, setCallPolicy } from './operations/calls/advance.ts';
import { setScripts } from './operations/scripts/script-runs.ts';
import { adminName, firstStart } from './operations/system/first-start.ts';
import { shareHubKey } from './operations/system/nodes.ts';
import { routesOf } from './routes/all-routes.ts';
import { serveMetrics } from './routes/health.ts';
import { type EventFeed, followEvents } from './store/event-feed.ts';
import type { Store } from './store/store.ts';
import type { StartWorker } from './store/worker-thread.ts';

export type AppParts = {
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when storage failed: the process should end and be started again. */
  readonly onBroken: (reason: string) => void;
  /** Channels by the channel name of a number; numbers of other channels ring in the simulator. */
  readonly channels?: ReadonlyMap<string, Channel>;
  /** Starts SQLite's threads, for tests that bring a bundle of them or run them in their own thread. */
  readonly startStoreWorker?: StartWorker | undefined;
  /** The cost of hashing a password, lowered by tests that sign in thousands of times; a server uses the default. */
  readonly passwordCost?: PasswordCost | undefined;
  /** How long a stop waits for requests on idle connections; tests that stop often wait shorter than a server. */
  readonly stopGraceMs?: number | undefined;
};

export type StartedApp = {
  /** The address it listens on, including the base path. */
  readonly url: string;
  readonly store: Store;
  /** The first administrator's password, when this start generated it. */
  readonly firstPassword: string | undefined;
  /** Polls at once for due work; for tests that have moved the clock. */
  readonly poll: () => void;
};

type App = {
  /** Starts everything; after a failure the started parts are stopped again. */
  start(): Promise<StartedApp>;
  /** Finishes the running requests, then stops everything. */
  stop(): Promise<void>;
};

type Teardown = (() => unknown)[];

/** Longer than most clients pause between two requests, so that a stop seldom meets a request on its way. */
const stopGraceMs = 1_000;

export function createApp(config: Config, parts: AppParts): App {
  const teardown: Teardown = [];
  const stop = async (): Promise<void> => {
    for (let end = teardown.pop(); end !== undefined; end = teardown.pop()) await end();
  };
  return {
    async start() {
      try {
        return await start(config, parts, teardown);
      } catch (error) {
        await stop();
        throw listenTrouble(error, config);
      }
    },
    stop,
  };
}

async function start(config: Config, parts: AppParts, teardown: Teardown): Promise<StartedApp> {
  const { clock, log, onBroken, channels = new Map(), startStoreWorker, passwordCost } = parts;
  const onTrouble = (error: unknown): void => log.warn({ err: error }, 'trouble with the store; trying again');
  const onNotice = (sentence: string): void => log.warn(sentence);
  const held = config.databaseUrl === undefined ? undefined : holdFolder(config.dataDir, onNotice);
  const folder = held === 'taken' ? undefined : held;
  teardown.push(() => folder?.release());
  const exclusive = held !== 'taken';
  const store = await openStore(config, { clock, exclusive, onTrouble, onNotice, onBroken, startStoreWorker });
  teardown.push(() => store.close());
  // Started first and therefore stopped last, so that the last seal covers everything that the stop recorded.
  const onSeal = (seal: object): void => log.info(seal, 'a segment of the audit trail is sealed');
  const sealer = new AuditSealer({ store, clock, onTrouble, onSeal });
  teardown.push(() => sealer.stop());
  const refusals = new RefusalRecorder(store, clock, onTrouble);
  teardown.push(() => refusals.stop());
  const firstPassword = await fillEmptyStore(store, config, parts);

  const feed = await followEvents(store, alarmTopic, onTrouble);
  teardown.push(() => feed.stop());
  if (clock instanceof MonotonicClock) await startClockSync(clock, { store, feed, log, onTrouble }, teardown);
  const principals = new Principals(store, clock);
  feed.subscribe((event) => principals.onEvent(event), 'but-frequent');
  const signIn = new SignIn(store, clock, config.tokenSeconds, passwordCost);
  const onUnwritten = (error: unknown): void => log.warn({ err: error }, unwrittenRevocation);
  const revokedKeys = new RevokedKeysFile(store, config.dataDir, onUnwritten);
  feed.subscribe((event) => revokedKeys.onEvent(event), 'but-frequent');
  teardown.push(() => revokedKeys.stop());

  const maintenance = startMaintenance(store, clock, config, onTrouble);
  teardown.push(() => maintenance.stop());

  const dueAlarms = startDueAlarms(store, clock, onTrouble);
  teardown.push(() => dueAlarms.stop());

  const holidayImport = new HolidayImport({ store, clock, allowsPrivate: config.allowsPrivateAddresses, onTrouble });
  teardown.push(() => holidayImport.stop());
  const disk = watchDisk(store, () => usedShare(config.dataDir), onTrouble);
  teardown.push(() => disk.stop());
  const descriptors = watchDescriptors(store, readDescriptorUse, onTrouble);
  teardown.push(() => descriptors.stop());

  const nodeId = folder?.lineage === undefined ? randomUUID() : `${folder.lineage}.${randomUUID()}`;
  // On SQLite any earlier node is gone; on PostgreSQL the earlier holders of the folder lock are.
  const endedNodes = config.databaseUrl === undefined ? '' : folder?.lineage;
  if (endedNodes !== undefined) await store.write(lapseLeases, { ofNodes: endedNodes });
  const onMissingChannel = (channel: string): void =>
    log.warn({ channel }, 'calls fail because no such channel is set up');
  const calling = { store, clock, feed, nodeId, onTrouble, onMissingChannel };
  const dispatcher = await openCallDispatcher(config, calling, channels);
  teardown.push(() => dispatcher.stop());
  const onGaps = (count: number): void => log.warn({ count }, 'the auditor has mended calls that nobody was seeing to');
  const { heartbeatUrl } = config;
  const isHealthy = async (): Promise<boolean> => (await health()).troubles.length === 0;
  const auditor: CallAuditor = new CallAuditor({ store, clock, heartbeatUrl, isHealthy, onTrouble, onGaps });
  teardown.push(() => auditor.stop());
  const { hasSimulator } = config.calling;
  const healthParts = { store, clock, auditor, dispatcher, channels: [...channels.keys()], hasSimulator };
  const health = (): Promise<CallingHealth> => callingHealth(healthParts);
  const storeProbe = new StoreProbe(store);

  const onScriptTrouble = (error: unknown): void => log.warn({ err: error }, 'trouble with commands');
  const scriptRunner = await openScriptRunner(config, {
    store,
    clock,
    feed,
    nodeId,
    onTrouble: onScriptTrouble,
    onNotice,
  });
  teardown.push(() => scriptRunner?.stop());

  const peers = new PeerNodes(store, clock, nodeId, onTrouble);
  const hub = await openHub(config, { store, feed, principals, peers, nodeId, clock, log, refusals });

  const poll = (): void => {
    dueAlarms.poll();
    dispatcher.poll();
    scriptRunner?.poll();
    auditor.poll();
    refusals.poll();
    sealer.poll();
    holidayImport.poll();
  };

  const metrics = createMetrics(store, hub);
  teardown.push(() => metrics.stop());
  if (config.metricsPort !== undefined) {
    const served = await serveMetrics(metrics.registry, config.host, config.metricsPort);
    teardown.push(() => served.close());
  }

  const stopping = new AbortController();
  const server = createServer({
    basePath: config.basePath,
    tls: config.tls && { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) },
    trustedProxies: config.trustedProxies,
    log,
    now: () => clock.now(),
    stopGraceMs: parts.stopGraceMs ?? stopGraceMs,
    maxConnections: config.maxConnections ?? defaultMaxConnections(await readDescriptorUse()),
    onRefusedConnections: () => void descriptors.poll(),
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
      callingHealth: health,
      registry: metrics.registry,
      stopping: stopping.signal,
    }),
    onDenied: (denied) => refusals.noteDenied(denied),
    hub,
  });
  teardown.push(() => server.close());
  // Closed before the server, which waits for the hub's connections.
  teardown.push(() => hub.close());
  teardown.push(async () => peers.abortForwards());
  await server.app.listen({ host: config.host, port: config.port });
  const { port } = server.app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const address = `${config.tls ? 'https' : 'http'}://${host}:${port}`;
  await peers.announce(config.nodeUrl ?? address);
  teardown.push(() => peers.withdraw());
  // Awaited by the later teardown step, so that deliveries have the time that requests take to finish.
  teardown.push(() => void dispatcher.stop());
  teardown.push(() => stopping.abort());
  return { url: `${address}${config.basePath}`, store, firstPassword, poll };
}

const unwrittenRevocation =
  'revoked keys could not be copied to the data folder: if the database is lost, a restored backup revives them';

type ClockParts = Pick<AppParts, 'log'> & {
  readonly store: Store;
  readonly feed: EventFeed;
  readonly onTrouble: (error: unknown) => void;
};

async function startClockSync(clock: MonotonicClock, { log, ...parts }: ClockParts, teardown: Teardown): Promise<void> {
  const onStep = (byMs: number): void => log.warn({ byMs }, 'the clock was set to another time');
  const clockSync = new ClockSync({ ...parts, clock, onStep });
  teardown.push(() => clockSync.stop());
  await clockSync.start();
}

type DispatchParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: EventFeed;
  readonly nodeId: string;
  readonly onTrouble: (error: unknown) => void;
};

async function openCallDispatcher(
  config: Config,
  parts: DispatchParts & Pick<CallDispatcherParts, 'onMissingChannel'>,
  channels: CallDispatcherParts['channels'],
): Promise<CallDispatcher> {
  const { store, clock, feed, onTrouble } = parts;
  await store.write(setCallPolicy, { ...config.calling, timeZone: config.timeZone });
  const simulator = config.calling.hasSimulator ? new Simulator(store, clock, feed, onTrouble) : undefined;
  return new CallDispatcher({ ...parts, channels, fallbackChannel: simulator });
}

type ScriptRunnerParts = DispatchParts & { readonly onNotice: (sentence: string) => void };

/** Returns undefined when script runs are disabled. */
async function openScriptRunner({ scripts }: Config, parts: ScriptRunnerParts): Promise<ScriptRunner | undefined> {
  if (scripts === undefined) {
    await parts.store.write(setScripts, { scripts: undefined });
    return undefined;
  }
  const refusal = reasonAgainstScripts(scripts.user?.uid);
  if (refusal !== undefined) throw new StartError(refusal, 'bad-settings');
  const scriptRunner = new ScriptRunner({ ...parts, folder: scripts.dir, user: scripts.user });
  await scriptRunner.start();
  return scriptRunner;
}

/** Returns why scripts cannot run: a script must not have root's rights. */
function reasonAgainstScripts(scriptsUid: number | undefined): string | undefined {
  const ownUid = process.getuid?.();
  if (ownUid === undefined)
    return 'Commands need a system with users and process groups: leave TOCSIN_SCRIPTS_DIR unset.';
  if (ownUid === 0 && scriptsUid === undefined)
    return 'Tocsin runs as root, and so would its scripts: run it as somebody else, or name whom they run as with TOCSIN_SCRIPTS_USER.';
  if (ownUid !== 0 && scriptsUid !== undefined && scriptsUid !== ownUid)
    return 'Only root can run scripts as somebody else: leave TOCSIN_SCRIPTS_USER unset.';
  return undefined;
}

type HubParts = Pick<AppParts, 'log' | 'clock'> & {
  readonly store: Store;
  readonly feed: EventFeed;
  readonly principals: Principals;
  readonly peers: PeerNodes;
  readonly nodeId: string;
  readonly refusals: RefusalRecorder;
};

async function openHub(config: Config, parts: HubParts): Promise<HubEndpoint> {
  const { store, feed, principals, peers, nodeId, clock, log, refusals } = parts;
  const hub = new HubEndpoint({
    clock,
    store,
    feed,
    printing: { timeZone: config.timeZone, languages: [config.language] },
    key: await store.write(shareHubKey, { fresh: randomBytes(32).toString('base64url') }),
    onTrouble: (error) => log.warn({ err: error }, 'trouble in the hub'),
    basePath: config.basePath,
    paths: config.hubPaths,
    nodeId,
    allowedOrigins: config.allowedOrigins,
    authenticate: async (token, address) => {
      const known = await principals.tokenOf(token);
      const code = known === undefined ? 'not-signed-in' : 'scope-missing';
      const isAllowed = known !== undefined && mayUse(known.principal, 'alarms:read');
      if (!isAllowed) refusals.noteDenied({ code, principal: known?.principal, address, route: 'hub' });
      return hubHolder(known);
    },
    forward: (node, request, response) => peers.forward(node, request, response),
  });
  feed.subscribe((event) => hub.onEvent(event), 'but-frequent');
  return hub;
}

/** Returns who listens to alarms, with everything that can end the connection. */
function hubHolder(known: KnownToken | undefined): HubHolder | undefined {
  if (known === undefined) return undefined;
  const { kind, id, sessionId, stationIds } = known.principal;
  if (!mayUse(known.principal, 'alarms:read')) throw new RequestRefused(403);
  return {
    id: `${kind}:${id}`,
    expiresAt: known.expiresAt,
    stationIds,
    isAdmin: mayUse(known.principal, 'admin'),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(kind === 'user' ? { userId: id } : { keyId: id }),
  };
}

/** Creates the first administrator in an empty store. Returns the password when it was generated here. */
async function fillEmptyStore(
  store: Store,
  { adminPassword: givenPassword, timeZone }: Config,
  { log, passwordCost }: AppParts,
): Promise<string | undefined> {
  const password = givenPassword ?? readablePassword();
  const isFirstStart =
    (await store.read(isStoreEmpty, {})) &&
    (await store.write(firstStart, {
      epoch: randomUUID(),
      adminPasswordHash: await hashPassword(password, passwordCost),
      timeZone,
    }));
  // An administrator who sets it later expects to sign in with it.
  if (!isFirstStart && givenPassword !== undefined) log.info(unusedPassword);
  return isFirstStart && givenPassword === undefined ? password : undefined;
}

const unusedPassword = `TOCSIN_ADMIN_PASSWORD was not used: it is for the first start, and the store has users already; "npx tocsin user password ${adminName}" sets another password`;

function listenTrouble(error: unknown, { host, port }: Config): unknown {
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
