// The user agent: opens the sockets, places calls, and hands on those that arrive.

import { type Authentication, DigestServer } from '../auth/digest-server.ts';
import { guardOf, type OnFault } from '../guard.ts';
import { checkAddress, checkHost, checkText } from '../message/caller-values.ts';
import {
  type Cancel,
  guardedTimers,
  patience,
  standardTiming,
  systemTimers,
  type Timers,
  type Timing,
} from '../transaction/timers.ts';
import { TransactionLayer } from '../transaction/transaction-layer.ts';
import { localAddressToward } from '../transport/datagrams.ts';
import { guardedReceiver, isSameFamily, type Network, type Protocol, type Receiver } from '../transport/network.ts';
import { addressOf, type Listener, type Listening, Sockets } from '../transport/sockets.ts';
import { type AccountCheck, checkAccount } from './account-check.ts';
import { Endpoint } from './endpoint.ts';
import type { IncomingCall } from './incoming-call.ts';
import type { InviteOptions } from './invite-request.ts';
import { type CallContext, type Closable, OutgoingCall } from './outgoing-call.ts';
import { type AccountOptions, Registration, type RegistrationOptions } from './registration.ts';
import { type Released, type ReleaseOptions, releaseCall } from './release.ts';
import { RequestRouter } from './request-router.ts';
import type { SavedCall } from './saved-call.ts';
import type { Session } from './session.ts';
import { type Health, Supervision, type SupervisionOptions } from './supervision.ts';
import { destinationOf, type Trunk } from './trunk.ts';

export type UserAgentOptions = {
  /** Where requests are awaited; without an entry sockets are opened on any port when they are needed. */
  readonly listen?: readonly Listening[];
  /** The local address of sockets that are opened to call from; the system chooses when absent. */
  readonly localAddress?: string;
  /**
   * The name or address by which peers reach this machine, in place of the local one: behind an address translation that
   * forwards the ports of `listen`. A peer of another family than that of an address is told the local one.
   */
  readonly publicAddress?: string;
  /** The value of User-Agent; none is sent when absent. */
  readonly name?: string;
  /** Takes calls; without it they are refused with 480. */
  readonly onInvite?: (call: IncomingCall) => void;
  /** Asks who calls for a name and a password; without it the caller of every INVITE is taken at its word. */
  readonly authentication?: Authentication;
  /** Replaces the sockets, for tests and for other ways to carry messages; `listen` is then not looked at. */
  readonly network?: (receiver: Receiver) => Network;
  /** The clock; that of the system when absent. */
  readonly timers?: Timers;
  /**
   * Told of errors that nobody expected, in handlers of the user and in the package: they end the call, the request or the
   * message that they belong to, never the process. Absent, they are dropped.
   */
  readonly onFault?: OnFault;
  /** The intervals T1, T2 and T4 of RFC 3261 in milliseconds: 500, 4,000 and 5,000 when absent. */
  readonly timing?: Timing;
};

export class UserAgent {
  readonly #network: Network;
  readonly #sockets: Sockets | undefined;
  readonly #localAddress: string | undefined;
  readonly #publicAddress: string | undefined;
  readonly #layer: TransactionLayer;
  readonly #endpoint: Endpoint;
  readonly #context: CallContext;
  /** Calls that have not ended yet. */
  readonly #calls = new Set<Closable>();
  readonly #registrations = new Set<Registration>();
  readonly #supervisions = new Set<Supervision>();
  #isRetired = false;
  #onIdle: () => void = () => {};
  #stopWaiting: Cancel = () => {};
  #closed: Promise<void> | undefined;

  static async start(options: UserAgentOptions = {}): Promise<UserAgent> {
    const agent = new UserAgent(options);
    try {
      for (const at of options.listen ?? []) await agent.#sockets?.listen(at);
    } catch (error) {
      await agent.close();
      throw error;
    }
    return agent;
  }

  private constructor(options: UserAgentOptions) {
    const {
      timing = standardTiming,
      name,
      localAddress,
      publicAddress,
      authentication,
      onInvite,
      onFault = () => {},
    } = options;
    const timers = guardedTimers(options.timers ?? systemTimers, guardOf('timer', onFault));
    const gate = authentication && new DigestServer(authentication, () => timers.now());
    const sessions = new Map<string, Session>();
    this.#layer = new TransactionLayer(timers, timing, {
      onRequest: (transaction) => router.receive(transaction),
      onAck: (request, flow) => router.receiveAck(request, flow),
      onClosed: (flow) => {
        for (const registration of this.#registrations) registration.onClosed(flow);
      },
    });
    const receiver = guardedReceiver(this.#layer, guardOf('message', onFault));
    this.#network = options.network?.(receiver) ?? new Sockets(receiver, onFault, timing, localAddress);
    this.#localAddress = localAddress;
    this.#publicAddress = publicAddress;
    this.#sockets = this.#network instanceof Sockets ? this.#network : undefined;
    if (name !== undefined) checkText('name', name);
    if (localAddress !== undefined) checkAddress('localAddress', localAddress);
    if (publicAddress !== undefined) checkHost('publicAddress', publicAddress);
    const listens = (protocol: Protocol): boolean => this.listeners.some((listener) => listener.protocol === protocol);
    const identity = { name, publicAddress, listens };
    this.#endpoint = new Endpoint(this.#network, this.#layer, { timers, timing, onFault }, identity);
    this.#context = {
      endpoint: this.#endpoint,
      register: (session) => sessions.set(session.dialog.key, session),
      forget: (session) => sessions.delete(session.dialog.key),
      opened: (call) => this.#calls.add(call),
      ended: (call) => {
        this.#calls.delete(call);
        if (this.#calls.size === 0) this.#onIdle();
      },
    };
    const router = new RequestRouter({
      layer: this.#layer,
      context: this.#context,
      sessions,
      isAskedEarly: (request) =>
        [...this.#calls].some((call) => call instanceof OutgoingCall && call.isAskedEarly(request)),
      onInvite: onInvite && ((call) => (this.#isRetired ? call.reject(480) : onInvite(call))),
      challenge: async (request) => gate?.challenge(request),
    });
  }

  /** The addresses and ports that listen. */
  get listeners(): readonly Listener[] {
    return this.#sockets?.listeners ?? [];
  }

  /** Whether no call is under way. */
  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  /** The local address from which a trunk is sent to; a session description needs it before there is a call. */
  async localAddressFor(trunk: Trunk): Promise<string> {
    const { host, port } = destinationOf(trunk);
    const own = this.#localAddress;
    const address = await addressOf(host, own);
    return own !== undefined && isSameFamily(own, address) ? own : localAddressToward({ address, port });
  }

  /** The addresses of the sound of a call over a trunk: in its descriptions, and of its socket. */
  async mediaAddressesFor(trunk: Trunk): Promise<{ readonly address: string; readonly bindAddress: string }> {
    const bindAddress = await this.localAddressFor(trunk);
    const known = this.#publicAddress;
    const isPublic = known !== undefined && isSameFamily(known, bindAddress);
    return { address: isPublic ? await addressOf(known, bindAddress) : bindAddress, bindAddress };
  }

  /** Places a call. Throws an `InvalidValue` when a value cannot stand in a SIP message. */
  invite(options: InviteOptions): OutgoingCall {
    const call = new OutgoingCall(this.#context, options);
    call.start();
    return call;
  }

  /** Keeps an account registered until the registration or the user agent is closed. */
  register(options: RegistrationOptions): Registration {
    const registration = new Registration(this.#endpoint, options);
    this.#registrations.add(registration);
    registration.start();
    return registration;
  }

  /** Asks once whether a server would register the account, and changes nothing there. */
  checkAccount(options: AccountOptions): Promise<AccountCheck> {
    return checkAccount(this.#endpoint, options);
  }

  /** Watches a trunk until the supervision or the user agent is closed. */
  supervise(options: SupervisionOptions): Supervision {
    const supervision = new Supervision(this.#endpoint, options);
    this.#supervisions.add(supervision);
    supervision.start();
    return supervision;
  }

  /** Asks a trunk once, by OPTIONS, whether it is alive. */
  ask(trunk: Trunk): Promise<Health> {
    return new Supervision(this.#endpoint, { trunk }).check();
  }

  /**
   * Releases the far end of a call of a process that is gone. A call that was not answered yet can only be released from the
   * same local address and port, for the peer sends its answers there.
   */
  releaseCall(saved: SavedCall, options: ReleaseOptions): Promise<Released> {
    return releaseCall(this.#endpoint, saved, options);
  }

  /** Hangs up all calls, takes accounts off their servers, waits for the peers to confirm for at most `withinMs`, and closes the sockets. */
  close({ withinMs = 2_000 } = {}): Promise<void> {
    this.#closed ??= this.#close(withinMs);
    return this.#closed;
  }

  /** Takes no further calls, takes accounts off their servers, and closes when the calls under way have ended. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    for (const supervision of this.#supervisions) supervision.close();
    const departures = [...this.#registrations].map((registration) => registration.close());
    if (this.#calls.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await Promise.allSettled(departures);
    const { timers, timing } = this.#endpoint;
    // The peer of the last call may not have heard of its end yet.
    if (this.#closed === undefined)
      await new Promise<void>((resolve) => {
        const cancel = timers.after(patience(timing), resolve);
        this.#stopWaiting = () => {
          cancel();
          resolve();
        };
      });
    await this.close();
  }

  async #close(withinMs: number): Promise<void> {
    this.#onIdle();
    this.#stopWaiting();
    for (const supervision of this.#supervisions) supervision.close();
    const goodbyes = [...this.#calls].map((call) => call.hangUp());
    const departures = [...this.#registrations].map((registration) => registration.close());
    await this.#atMost(withinMs, Promise.all([...goodbyes, ...departures]));
    for (const call of this.#calls) call.dispose();
    this.#layer.close();
    await this.#network.close();
  }

  async #atMost(ms: number, work: Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#endpoint.timers.after(ms, resolve);
    await Promise.race([work, promise]);
    cancel();
  }
}
