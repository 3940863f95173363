// A mounted hub: its connections and groups, and sending to all, to some or to a group.

import type {
  ConnectionFilter,
  Cursor,
  HubConnection,
  HubContext,
  HubDefinition,
  HubMethod,
  HubStream,
} from './hub.ts';
import { Payload } from './payload.ts';
import type { SendScheduler } from './send-scheduler.ts';

/** Serializes calls of client functions in one protocol. */
export interface Encoding<P extends Payload = Payload> {
  encodeCall(target: string, args: readonly unknown[]): P;
}

/** A call of a client function to many connections, serialized once per encoding. */
export class SharedCall {
  readonly target: string;
  readonly args: readonly unknown[];
  readonly cursor: Cursor | undefined;
  readonly #payloads = new Map<Encoding, Payload>();
  #closed: CallBundle | undefined;

  constructor(target: string, args: readonly unknown[], cursor?: Cursor) {
    this.target = target;
    this.args = args;
    this.cursor = cursor;
  }

  payloadFor<P extends Payload>(encoding: Encoding<P>): P {
    const known = this.#payloads.get(encoding);
    if (known !== undefined) return known as P;
    const payload = encoding.encodeCall(this.target, this.args);
    this.#payloads.set(encoding, payload);
    return payload;
  }

  /** Returns the call followed by a call of `target` with its cursor, one bundle for all connections that want that. */
  closedBy(target: string): CallBundle {
    this.#closed ??= closed([this], target);
    return this.#closed;
  }
}

/** Several calls to many connections, serialized as one payload, once per encoding. */
export class CallBundle {
  readonly calls: readonly SharedCall[];
  readonly #payloads = new Map<Encoding, Payload>();
  #closed: CallBundle | undefined;

  constructor(calls: readonly SharedCall[]) {
    this.calls = calls;
  }

  payloadFor(encoding: Encoding): Payload {
    const known = this.#payloads.get(encoding);
    if (known !== undefined) return known;
    const payload = Payload.join(this.calls.map((call) => call.payloadFor(encoding)));
    this.#payloads.set(encoding, payload);
    return payload;
  }

  /**
   * Returns the calls followed by a call of `target` with the newest cursor, one bundle for all connections that want
   * that.
   */
  closedBy(target: string): CallBundle {
    this.#closed ??= closed(this.calls, target);
    return this.#closed;
  }
}

function closed(calls: readonly SharedCall[], target: string): CallBundle {
  const newest = calls.findLast(({ cursor }) => cursor !== undefined);
  if (newest === undefined || newest.target === target) return new CallBundle(calls);
  return new CallBundle([...calls, new SharedCall(target, [newest.cursor])]);
}

/** A connection as its hub uses it. */
export interface Member extends HubConnection {
  /** Sends at once, past the scheduler. */
  deliver(call: SharedCall): void;
  /** Sends several calls in one write, where the connection can do that. Throws before anything was sent. */
  deliverTogether?(bundle: CallBundle): void;
}

/** The members that a call is sent to, each with the value of the hub's counter when it joined. */
type Recipients = Map<Member, number>;

const membersPerStep = 32;
/** Bounds the time that serializing one bundle takes. */
const callsPerBatch = 64;

/** A call to the members present when it was made, and the promise that resolves when it was written to all of them. */
type PendingCall = {
  readonly call: SharedCall;
  readonly madeAt: number;
  readonly filter: ConnectionFilter | undefined;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Sends calls to its recipients, a few members per step. Calls made before the batch begins join it: there is more to
 * send than fits in one time slice then, and most of the cost is per write, not per byte.
 */
class BroadcastBatch {
  readonly recipients: Recipients;
  #calls: PendingCall[] = [];
  #members: Iterator<[Member, number]> | undefined;
  /** The bundle for members that get every call of the batch. */
  #wholeBundle: CallBundle | undefined;

  constructor(recipients: Recipients) {
    this.recipients = recipients;
  }

  get isOpen(): boolean {
    return this.#members === undefined && this.#calls.length < callsPerBatch;
  }

  add(pending: PendingCall): void {
    this.#calls.push(pending);
  }

  /** Returns true when every member was written to. */
  readonly step = (): boolean => {
    this.#members ??= this.recipients.entries();
    try {
      for (let count = 0; count < membersPerStep; count++) {
        const next = this.#members.next();
        if (next.done) {
          for (const pending of this.#calls) pending.resolve();
          return true;
        }
        this.#send(...next.value);
      }
      return false;
    } catch (error) {
      for (const pending of this.#calls) pending.reject(error);
      return true;
    }
  };

  #send(member: Member, joinedAt: number): void {
    const due: PendingCall[] = [];
    for (const pending of this.#calls) {
      // The iterator also visits members that joined after the call was made; the call is not for them.
      if (joinedAt <= pending.madeAt && (pending.filter?.(member) ?? true)) due.push(pending);
    }
    if (due.length > 1 && this.#deliverTogether(member, due)) return;
    for (const pending of due) this.#deliver(member, pending);
  }

  /** Returns false when the member cannot do that, or one of the calls cannot be serialized. */
  #deliverTogether(member: Member, due: readonly PendingCall[]): boolean {
    if (member.deliverTogether === undefined) return false;
    const isWhole = due.length === this.#calls.length;
    const bundle = (isWhole ? this.#wholeBundle : undefined) ?? new CallBundle(due.map(({ call }) => call));
    if (isWhole) this.#wholeBundle = bundle;
    try {
      member.deliverTogether(bundle);
      return true;
    } catch {
      return false;
    }
  }

  #deliver(member: Member, pending: PendingCall): void {
    try {
      member.deliver(pending.call);
    } catch (error) {
      pending.reject(error);
      this.#calls = this.#calls.filter((one) => one !== pending);
      this.#wholeBundle = undefined;
    }
  }
}

export class LiveHub implements HubContext {
  readonly definition: HubDefinition;
  readonly scheduler: SendScheduler;
  readonly #members: Recipients = new Map();
  readonly #groups = new Map<string, Recipients>();
  readonly #groupsOf = new Map<Member, Set<string>>();
  readonly #methods: ReadonlyMap<string, HubMethod>;
  readonly #streams: ReadonlyMap<string, HubStream>;
  readonly #onError: (error: unknown) => void;
  #newestBatch: BroadcastBatch | undefined;
  #joinCounter = 0;
  #runningDisconnects = 0;

  constructor(definition: HubDefinition, scheduler: SendScheduler, onError: (error: unknown) => void) {
    this.definition = definition;
    this.scheduler = scheduler;
    this.#onError = onError;
    this.#methods = byLowerCase(definition.methods ?? {});
    this.#streams = byLowerCase(definition.streams ?? {});
  }

  get size(): number {
    return this.#members.size;
  }

  /** Connection tokens negotiated for one hub open nothing else. */
  get tokenScope(): string {
    return `hub:${this.definition.name}`;
  }

  /** Whether no `onDisconnected` is running. */
  get isQuiet(): boolean {
    return this.#runningDisconnects === 0;
  }

  connections(): Iterable<HubConnection> {
    return this.#members.keys();
  }

  method(name: string): HubMethod | undefined {
    return this.#methods.get(name.toLowerCase());
  }

  stream(name: string): HubStream | undefined {
    return this.#streams.get(name.toLowerCase());
  }

  broadcast(target: string, args: readonly unknown[], filter?: ConnectionFilter, cursor?: Cursor): Promise<void> {
    return this.#send(this.#members, new SharedCall(target, args, cursor), filter);
  }

  sendToGroup(name: string, target: string, args: readonly unknown[], filter?: ConnectionFilter): Promise<void> {
    return this.#send(this.#groups.get(name) ?? new Map(), new SharedCall(target, args), filter);
  }

  add(member: Member): void {
    this.#members.set(member, ++this.#joinCounter);
  }

  remove(member: Member): void {
    this.#members.delete(member);
    for (const name of this.#groupsOf.get(member) ?? []) this.leave(member, name);
    this.#groupsOf.delete(member);
  }

  /** Calls the hub's `onDisconnected`. Never rejects. */
  async callDisconnected(connection: HubConnection, error: Error | undefined): Promise<void> {
    this.#runningDisconnects += 1;
    try {
      await this.definition.onDisconnected?.(connection, error);
    } catch (failure) {
      this.#onError(failure);
    }
    this.#runningDisconnects -= 1;
  }

  join(member: Member, name: string): void {
    if (!this.#members.has(member)) return;
    const group = this.#groups.get(name) ?? new Map<Member, number>();
    if (!group.has(member)) group.set(member, ++this.#joinCounter);
    this.#groups.set(name, group);
    this.#groupsOf.set(member, (this.#groupsOf.get(member) ?? new Set()).add(name));
  }

  leave(member: Member, name: string): void {
    const group = this.#groups.get(name);
    if (group?.delete(member) && group.size === 0) this.#groups.delete(name);
    this.#groupsOf.get(member)?.delete(name);
  }

  #send(recipients: Recipients, call: SharedCall, filter: ConnectionFilter | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const pending = { call, madeAt: this.#joinCounter, filter, resolve, reject };
      const newest = this.#newestBatch;
      // Joins the batch only if nothing was posted after it, so that no call overtakes another.
      if (newest?.isOpen && newest.recipients === recipients && this.scheduler.newest === newest.step) {
        newest.add(pending);
        return;
      }
      const batch = new BroadcastBatch(recipients);
      this.#newestBatch = batch;
      batch.add(pending);
      this.scheduler.post(batch.step);
    });
  }
}

function byLowerCase<T>(methods: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
}
