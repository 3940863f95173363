// Opens calling: frees the leases of ended nodes, then starts the dispatcher with its channels and the auditor.

import type { Channel } from '../channels/channel.ts';
import { Simulator } from '../channels/simulator.ts';
import { CallAuditor } from '../dispatch/call-auditor.ts';
import { CallDispatcher } from '../dispatch/call-dispatcher.ts';
import { callingHealth } from '../dispatch/calling-health.ts';
import type { ChannelsUp } from '../domain/calls/call.ts';
import type { CallingHealth } from '../domain/calls/calling-health.ts';
import type { CodeMessage, Delivery } from '../domain/calls/delivery.ts';
import { lapseLeases } from '../operations/calls/advance.ts';

import { seedCallPolicy, setCallingMeans } from '../operations/calls/control/call-policy.ts';
import { codeSender } from './code-sender.ts';

import type { NodeContext } from './part-context.ts';
import { overruledSettings, policyFrom } from './seed-call-policy.ts';

type Channels = ReadonlyMap<string, Channel>;

type Calling = {
  readonly dispatcher: CallDispatcher;
  readonly auditor: CallAuditor;
  readonly health: () => Promise<CallingHealth>;
  /** Tells somebody a code at a number that is being verified. */
  readonly sendCode: (message: CodeMessage) => Promise<Delivery>;
};

export async function openCalling(
  context: NodeContext,
  channels: Channels,
  endedNodes: string | undefined,
): Promise<Calling> {
  const { store, clock, config, log, onTrouble, teardown } = context;
  if (endedNodes !== undefined) await store.write(lapseLeases, { ofNodes: endedNodes });
  const { hasSimulator } = config.calling;
  const simulator = hasSimulator ? new Simulator(store, clock, context.feed, onTrouble) : undefined;
  const dispatcher = await startDispatcher(context, channels, simulator);
  teardown.add(() => dispatcher.stop());
  const onGaps = (count: number): void => log.warn({ count }, 'the auditor has mended calls that nobody was seeing to');
  const { heartbeatUrl } = config;
  const isHealthy = async (): Promise<boolean> => (await health()).troubles.length === 0;
  const auditor: CallAuditor = new CallAuditor({ store, clock, heartbeatUrl, isHealthy, onTrouble, onGaps });
  teardown.add(() => auditor.stop());
  const healthParts = { store, clock, auditor, dispatcher, channels: [...channels.keys()], hasSimulator };
  const health = (): Promise<CallingHealth> => callingHealth(healthParts);
  return { dispatcher, auditor, health, sendCode: codeSender(channels, simulator, onTrouble) };
}

/** Simulated phones do not count once a real channel is set up, so that nobody looks reachable who is not. */
function channelsUp(channels: Channels, hasSimulator: boolean): ChannelsUp {
  if (channels.size > 0) return [...channels.keys()];
  return hasSimulator ? 'all' : [];
}

async function startDispatcher(
  { store, clock, feed, nodeId, config, log, onTrouble }: NodeContext,
  channels: Channels,
  simulator: Channel | undefined,
): Promise<CallDispatcher> {
  const { calling, timeZone, given } = config;
  const stored = await store.write(seedCallPolicy, policyFrom(calling));
  const overruled = overruledSettings(given, calling, stored);
  if (overruled.length > 0)
    log.warn({ settings: overruled }, 'the call policy was changed since and counts: these settings have no effect');
  const { hasSimulator } = calling;
  await store.write(setCallingMeans, { hasSimulator, channels: channelsUp(channels, hasSimulator), timeZone });
  const onMissingChannel = (channel: string): void =>
    log.warn({ channel }, 'calls fail because no such channel is set up');
  return new CallDispatcher({ store, clock, feed, nodeId, channels, simulator, onTrouble, onMissingChannel });
}
