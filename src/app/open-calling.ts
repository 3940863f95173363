// Opens calling: frees the leases of ended nodes, then starts the dispatcher with its channels and the auditor.

import { randomBytes } from 'node:crypto';
import { AttemptTokens } from '../access/attempt-tokens.ts';
import type { SecretBox } from '../access/secret-box.ts';
import type { StartVoiceWorker } from '../channels/voice/thread/voice-thread.ts';
import { CallAuditor } from '../dispatch/call-auditor.ts';
import { CallDecider } from '../dispatch/call-decider.ts';
import { CallDispatcher, type CallDispatcherParts } from '../dispatch/call-dispatcher.ts';
import { callingHealth } from '../dispatch/calling-health.ts';
import type { ProviderPool } from '../dispatch/channels/provider-pool.ts';
import { FarEnds } from '../dispatch/due/far-ends.ts';
import { watchEvents } from '../dispatch/event-watch.ts';
import type { CallingHealth } from '../domain/calls/calling-health.ts';
import type { CodeMessage, Delivery } from '../domain/calls/delivery.ts';
import { channelsUp } from '../domain/channels/choose-provider.ts';
import { seedCallPolicy, setCallingMeans } from '../operations/calls/control/call-policy.ts';
import { lapseLeases } from '../operations/calls/delivery/leases.ts';
import { ensureSigningKey } from '../operations/calls/inbound/signing-keys.ts';
import { noteUnplannedEnd } from '../operations/quarantine/unplanned-end.ts';
import { codeSender } from './code-sender.ts';
import { type Openers, openProviders } from './open-providers.ts';
import type { NodeContext } from './part-context.ts';
import { overruledSettings, policyFrom } from './seed-call-policy.ts';
import type { Polled } from './start-background-work.ts';

const warnEveryMs = 60_000;

type Calling = {
  readonly polled: Polled;
  readonly decider: CallDecider;
  readonly dispatcher: CallDispatcher;
  readonly auditor: CallAuditor;
  readonly pool: ProviderPool;
  readonly nodeName: string;
  readonly health: () => Promise<CallingHealth>;
  /** Tells somebody a code at a number that is being verified. */
  readonly sendCode: (message: CodeMessage) => Promise<Delivery>;
  readonly attemptTokens: AttemptTokens;
};

export async function openCalling(
  context: NodeContext,
  box: SecretBox,
  openers: Openers,
  endedNodes: string | undefined,
  startVoiceWorker: StartVoiceWorker | undefined,
): Promise<Calling> {
  const { store, clock, config, log, onTrouble, teardown } = context;
  if (endedNodes !== undefined) await store.write(lapseLeases, { ofNodes: endedNodes });
  await storeCallPolicy(context);
  const attemptTokens = await openAttemptTokens(context);
  const { pool, nodeName } = await openProviders(context, box, attemptTokens, openers, startVoiceWorker);
  teardown.add(() => pool.close());
  const onMissingChannel = warnerOfMissing(context);
  const farEnds = new FarEnds({ store, clock, pool, onTrouble });
  // Before any of these calls is given up.
  await farEnds.look([]);
  const { inHand } = context;
  await noteWorkLeft(context);
  const dispatcher = startDispatcher(context, { pool, nodeName, inHand, farEnds, onMissingChannel });
  teardown.add(() => dispatcher.stop());
  teardown.add(() => inHand.close());
  const decider = startDecider(context, onMissingChannel);
  teardown.add(() => decider.stop());
  if (channelsUp(pool.providers(), config.calling.hasSimulator) === 'all')
    log.info('phones are only simulated: nobody is called for real, see docs/channels.md');
  const onGaps = (count: number): void => log.warn({ count }, 'the auditor has mended calls that nobody was seeing to');
  const { heartbeatUrl } = config;
  const isHealthy = async (): Promise<boolean> => (await health()).troubles.length === 0;
  const auditor: CallAuditor = new CallAuditor({
    ...{ store, clock, work: context.work },
    ...{ heartbeatUrl, isHealthy, onTrouble, onGaps },
  });
  teardown.add(() => auditor.stop());
  const health = (): Promise<CallingHealth> =>
    callingHealth({ store: context.requestStore, clock, nodeName, auditor, decider, dispatcher });
  const events = watchEvents(store, nodeName, onTrouble);
  teardown.add(() => events.stop());
  const sendCode = codeSender(pool, config.calling.hasSimulator, onTrouble);
  return {
    polled: { decider, dispatcher, auditor },
    decider,
    dispatcher,
    auditor,
    pool,
    nodeName,
    health,
    sendCode,
    attemptTokens,
  };
}

/** The key is made at the first start, and again after a restore, whose links are then wrong. */
async function openAttemptTokens({ store }: NodeContext): Promise<AttemptTokens> {
  const secret = randomBytes(32).toString('base64');
  const stored = await store.write(ensureSigningKey, { name: 'attempts', secret });
  return new AttemptTokens(Buffer.from(stored, 'base64'));
}

async function storeCallPolicy({ store, config, log }: NodeContext): Promise<void> {
  const { calling, timeZone, given } = config;
  const stored = await store.write(seedCallPolicy, policyFrom(calling));
  const overruled = overruledSettings(given, calling, stored);
  if (overruled.length > 0)
    log.warn({ settings: overruled }, 'the call policy was changed since and counts: these settings have no effect');
  if (!stored.callAgain || given.includes('TOCSIN_CALL_AGAIN'))
    log.warn('people are called again for each new alarm: TOCSIN_CALL_AGAIN and callAgain have no effect any more');
  await store.write(setCallingMeans, { hasSimulator: calling.hasSimulator, timeZone });
}

type OnMissingChannel = (channel: string) => void;

/** Warns at most once a minute for each channel. */
function warnerOfMissing({ clock, log }: NodeContext): OnMissingChannel {
  const warnedAt = new Map<string, number>();
  return (channel) => {
    const now = clock.now();
    if (now - (warnedAt.get(channel) ?? Number.NEGATIVE_INFINITY) < warnEveryMs) return;
    warnedAt.set(channel, now);
    log.warn({ channel }, 'calls fail because no such channel is set up');
  };
}

function startDecider(
  { store, clock, nodeId, work, onTrouble }: NodeContext,
  onMissingChannel: OnMissingChannel,
): CallDecider {
  return new CallDecider({ store, clock, nodeId, work, onTrouble, onMissingChannel });
}

/** Stores what was under way when the process before this one ended without being stopped. */
async function noteWorkLeft({ store, config, log, inHand, work }: NodeContext): Promise<void> {
  const { left, leftAt } = inHand;
  if (left.length > 0) {
    const end = { works: left, node: config.nodeName, mark: leftAt };
    const givenUp = await store.write(noteUnplannedEnd, end);
    log.warn({ work: left.length }, 'the server ended without being stopped, with calls or other work under way');
    if (givenUp > 0)
      log.error({ work: givenUp }, 'work was given up: the server ended each time while one piece of it was under way');
  }
  inHand.open();
  work.open();
}

type DispatcherParts = Pick<CallDispatcherParts, 'pool' | 'nodeName' | 'inHand' | 'farEnds' | 'onMissingChannel'>;

function startDispatcher(context: NodeContext, parts: DispatcherParts): CallDispatcher {
  const { store, clock, feed, nodeId, onTrouble } = context;
  return new CallDispatcher({ store, clock, feed, nodeId, onTrouble, ...parts });
}
