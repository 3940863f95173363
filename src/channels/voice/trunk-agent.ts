// The user agent of a trunk, and the port on which people ring in: changed settings get another one, calls under way keep theirs.

import { type IncomingCall, MediaSession, type Trunk, UserAgent } from '@tocsin/sip';
import type { SipSettings } from '../../domain/channels/kinds/sip.ts';
import { type ProviderReason, storedReason } from '../../domain/channels/words/provider-reason.ts';
import { faultIn, type VoicePorts } from './connect-talk.ts';
import { RingIns } from './ring-ins.ts';

type AgentParts = {
  readonly providerId: number;
  readonly ports: VoicePorts;
  /** As they are now. */
  readonly settings: () => SipSettings;
  readonly trunk: () => Trunk;
  readonly isRegistered: () => boolean;
};

export class TrunkAgent {
  readonly #parts: AgentParts;
  #agent: Promise<UserAgent>;
  /** The settings that the agent was started with. */
  #key: string;
  /** Agents whose calls are not over yet. */
  readonly #former = new Set<Promise<UserAgent>>();
  /** Why nobody can ring in; undefined if they can, or are not to. */
  #ringInProblem: ProviderReason | undefined;
  /** Whether the port was taken: another program may give it back. */
  #isPortTaken = false;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#key = keyOf(parts.settings());
    this.#agent = this.#reported(this.#open());
  }

  get current(): Promise<UserAgent> {
    return this.#agent;
  }

  /** Opens the sound of a call. */
  async openMedia(): Promise<MediaSession> {
    const { rtpPortFrom: from, rtpPortTo: to } = this.#parts.settings();
    const addresses = await (await this.#agent).mediaAddressesFor(this.#parts.trunk());
    return MediaSession.open({ ...addresses, ...(from !== undefined && to !== undefined && { ports: { from, to } }) });
  }

  get ringInProblem(): string | undefined {
    const why = this.#ringInProblem;
    return why && storedReason({ code: 'ring-in-closed', why });
  }

  /** Starts another agent if the settings have changed so that they ask for one; returns whether it did. */
  followSettings(): boolean {
    if (keyOf(this.#parts.settings()) !== this.#key) return this.#startAnew();
    // Saving a provider has ended the alarms about it.
    if (this.#ringInProblem !== undefined) void this.#agent.then(() => this.#note(this.#ringInProblem));
    return this.retryPort();
  }

  /** Asks again for a port that was taken; returns whether another agent was started for it. */
  retryPort(): boolean {
    return this.#isPortTaken && this.#startAnew();
  }

  #startAnew(): true {
    const former = this.#agent;
    this.#key = keyOf(this.#parts.settings());
    this.#isPortTaken = false;
    this.#agent = this.#reported(this.#replace(former));
    this.#retire(former);
    return true;
  }

  /** An agent without calls gives its port back before the next one asks for it. */
  async #replace(former: Promise<UserAgent>): Promise<UserAgent> {
    const agent = await former.catch(() => undefined);
    if (agent?.isIdle) await agent.close();
    return this.#open();
  }

  #retire(former: Promise<UserAgent>): void {
    this.#former.add(former);
    void former
      .then((agent) => agent.retire())
      .finally(() => this.#former.delete(former))
      .catch(this.#parts.ports.onTrouble);
  }

  async close(): Promise<void> {
    const agents = await Promise.allSettled([this.#agent, ...this.#former]);
    await Promise.all(agents.map((agent) => (agent.status === 'fulfilled' ? agent.value.close() : undefined)));
  }

  #reported(agent: Promise<UserAgent>): Promise<UserAgent> {
    agent.catch(this.#parts.ports.onTrouble);
    return agent;
  }

  /** A port that others use must not keep people from being called: then only nobody can ring in. */
  async #open(): Promise<UserAgent> {
    const { ringIn, listenPort, listenAddress, publicAddress, register, transport } = this.#parts.settings();
    const { ports, isRegistered } = this.#parts;
    const onFault = (error: unknown, subject: string): void => ports.onTrouble(faultIn(subject, error));
    if (ringIn || this.#ringInProblem !== undefined) this.#note(undefined);
    const basics = {
      ...{ name: 'Tocsin', onFault },
      ...(listenAddress !== undefined && { localAddress: listenAddress }),
      ...(publicAddress !== undefined && { publicAddress }),
    };
    if (!ringIn) return UserAgent.start(basics);
    const ringIns = new RingIns({
      ...ports,
      providerId: this.#parts.providerId,
      host: () => this.#parts.settings().host,
      allowFrom: () => this.#parts.settings().allowFrom ?? [],
      openMedia: () => this.openMedia(),
      isRegistered,
    });
    const options = { ...basics, onInvite: (call: IncomingCall) => ringIns.take(call) };
    if (listenPort === undefined || transport === 'tls') {
      if (!register) this.#note({ code: 'ring-in-needs-port' });
      return UserAgent.start(options);
    }
    const listen = [{ protocol: transport, address: listenAddress ?? '0.0.0.0', port: listenPort }];
    return UserAgent.start({ ...options, listen }).catch((error: unknown) => {
      this.#isPortTaken = true;
      const isElsewhere = (error as NodeJS.ErrnoException).code === 'EADDRNOTAVAIL';
      const said = error instanceof Error ? error.message : String(error);
      if (isElsewhere && listenAddress !== undefined) this.#note({ code: 'address-not-here', address: listenAddress });
      else this.#note({ code: 'port-unusable', port: listenPort, said });
      return UserAgent.start(options);
    });
  }

  #note(problem: ProviderReason | undefined): void {
    this.#ringInProblem = problem;
    this.#parts.ports.note?.(this.#parts.providerId, 'ring-in', problem && storedReason(problem));
  }
}

/** What a running agent cannot change. */
function keyOf({ ringIn, listenPort, listenAddress, publicAddress, register, transport }: SipSettings): string {
  const isListening = listenPort !== undefined && transport !== 'tls';
  const ringingIn = isListening ? [listenPort, transport] : [register];
  return JSON.stringify([listenAddress, publicAddress, ringIn && ringingIn]);
}
