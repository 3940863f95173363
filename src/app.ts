// The whole server: starts its parts in order and stops them in reverse; tests run it in-process.

import type { Logger } from 'pino';
import type { PasswordCost } from './access/password.ts';
import { DamageReports } from './app/damage-reports.ts';
import { fillEmptyStore } from './app/fill-empty-store.ts';
import { followEventLog } from './app/follow-event-log.ts';
import { openAccess } from './app/open-access.ts';
import { openCalling } from './app/open-calling.ts';
import { openHub } from './app/open-hub.ts';
import { openMetrics } from './app/open-metrics.ts';
import { openNodeStore } from './app/open-node-store.ts';
import { type Openers, openSecretBox } from './app/open-providers.ts';
import { openScriptRunner } from './app/open-script-runner.ts';
import type { PartContext } from './app/part-context.ts';
import { RequestStore } from './app/request-store.ts';
import { createHttpServer, listen, listenTrouble } from './app/serve-http.ts';
import { startAuditTrail } from './app/start-audit-trail.ts';
import { type Polled, startBackgroundWork } from './app/start-background-work.ts';
import { Teardown } from './app/teardown.ts';
import type { StartVoiceWorker } from './channels/voice/thread/voice-thread.ts';
import type { SteadyClock } from './clock.ts';
import type { Config } from './config.ts';
import { StoredWork } from './dispatch/stored-work.ts';
import { WorkInHand } from './dispatch/work-in-hand.ts';
import { PeerNodes } from './hub/peer-nodes.ts';
import type { Store } from './store/store.ts';
import type { StartWorker } from './store/threads/worker-thread.ts';

export type AppParts = {
  readonly clock: SteadyClock;
  readonly log: Logger;
  /** Called when storage failed: the process should end and be started again. */
  readonly onBroken: (reason: string) => void;
  /** Opens providers of these kinds in place of the server's own channels, for tests. */
  readonly openers?: Openers;
  /** Starts SQLite's threads, for tests that bring a bundle of them or run them in their own thread. */
  readonly startStoreWorker?: StartWorker | undefined;
  /** Starts the thread of telephone calls, likewise. */
  readonly startVoiceWorker?: StartVoiceWorker | undefined;
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
  /** The parts that poll for due work, for tests that move the clock. */
  readonly polled: Polled;
};

type App = {
  /** Starts everything; after a failure the started parts are stopped again. */
  start(): Promise<StartedApp>;
  /** Finishes the running requests, then stops everything; after `mostMs` without waiting for parts that do not stop. */
  stop(mostMs?: number): Promise<void>;
};

export function createApp(config: Config, parts: AppParts): App {
  const teardown = new Teardown(() =>
    parts.log.warn('a part does not stop in time: the others are stopped without it'),
  );
  return {
    async start() {
      try {
        return await start(config, parts, teardown);
      } catch (error) {
        await teardown.run();
        throw listenTrouble(error, config);
      }
    },
    stop: (mostMs) => teardown.run(mostMs),
  };
}

function withWork(context: Omit<PartContext, 'work' | 'inHand'>): PartContext {
  const { config, store, clock, onTrouble } = context;
  const inHand = new WorkInHand(config.dataDir, onTrouble);
  return { ...context, inHand, work: new StoredWork({ store, clock, inHand }) };
}

async function start(config: Config, parts: AppParts, teardown: Teardown): Promise<StartedApp> {
  const { clock, log, onBroken, openers = {}, startStoreWorker, startVoiceWorker, passwordCost, stopGraceMs } = parts;
  const onTrouble = (error: unknown): void => log.warn({ err: error }, 'trouble with the store; trying again');
  const onNotice = (sentence: string): void => log.warn(sentence);

  const damage = new DamageReports(log);
  const storeNeeds = { clock, onTrouble, onNotice, onBroken, onChecked: damage.note, startStoreWorker };
  const { store, nodeId, endedNodes } = await openNodeStore(config, storeNeeds, teardown);
  const context = withWork({ config, clock, log, teardown, store, onTrouble, onNotice });
  const { sealer, refusals } = startAuditTrail(context);
  const firstPassword = await fillEmptyStore(context, passwordCost);
  await damage.reportTo(store);
  const requestStore = new RequestStore(store);
  teardown.add(() => requestStore.close());
  const node = { ...context, nodeId, feed: await followEventLog(context), requestStore };
  const asked = { ...node, store: requestStore };
  const access = openAccess(asked, passwordCost);
  const secretBox = openSecretBox(node);
  const calling = await openCalling(node, secretBox, openers, endedNodes, startVoiceWorker);
  const { decider, dispatcher, auditor, pool, health, sendCode, attemptTokens } = calling;
  const background = startBackgroundWork(node, startStoreWorker);
  const scriptRunner = await openScriptRunner(node, calling.nodeName, endedNodes);
  const peers = new PeerNodes(store, clock, nodeId, onTrouble);
  const hub = await openHub(asked, { principals: access.principals, refusals, peers });
  const registry = await openMetrics(node, { hub, decider }, refusals);
  const stopping = new AbortController();
  const server = await createHttpServer(asked, {
    ...access,
    refusals,
    intakeRefusals: background.intakeRefusals,
    sourceWatch: background.sourceWatch,
    demoPlants: background.demoPlants,
    callingHealth: health,
    auditor,
    pool,
    sendCode,
    secretBox,
    checkProvider: (id) => pool.test(id),
    attemptTokens,
    isReportOf: (id, { headers, bytes }) => pool.get(id)?.acceptsReport?.({ headers, body: bytes }) ?? false,
    registry,
    hub,
    onRefusedConnections: () => void background.descriptors.poll(),
    passwordCost,
    stopGraceMs,
    stopping: stopping.signal,
  });
  // Closed before the server, which waits for the hub's connections.
  teardown.add(() => hub.close());
  teardown.add(() => peers.abortForwards());
  const address = await listen(server, config);
  await peers.announce(config.nodeUrl ?? address, calling.nodeName);
  teardown.add(() => peers.withdraw());
  teardown.add(() => scriptRunner.endFolderReads());
  // Awaited by the later teardown step, so that deliveries have the time that requests take to finish.
  teardown.add(() => void dispatcher.stop());
  teardown.add(() => void decider.stop());
  teardown.add(() => stopping.abort());

  const polled = { ...background.polled, ...server.polled, ...calling.polled, refusals, sealer, scriptRunner };
  return { url: `${address}${config.basePath}`, store, firstPassword, polled };
}
