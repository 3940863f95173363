// A hub while the server runs: who is connected, in which groups, and sending to all, to some or to a group.

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

/** Writes calls of client functions as one protocol wants them. */
export interface Encoding<P extends Payload = Payload> {
  encodeCall(target: string, args: readonly unknown[]): P;
}

/** A call of a client function on its way to many: written once per encoding. */
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

  /** With a call of `target` that has its cursor, the same for all who want that. */
  closedBy(target: string): CallBundle {
    this.#closed ??= closed([this], target);
    return this.#closed;
  }
}

/** Several calls on their way to many: written as one, once per encoding. */
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

  /** With a call of `target` that has the newest cursor, the same for all who want that. */
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

/** A connection as its hub sees it. */
export interface Member extends HubConnection {
  /** Sends at once; order is the caller's business. */
  deliver(call: SharedCall): void;
  /** The same with several, for those who can write them together. Nothing is sent when it throws. */
  deliverTogether?(bundle: CallBundle): void;
}

/** Those who hear something, each with the place in time at which it joined. */
type Audience = Map<Member, number>;

const membersPerStep = 32;
/** So that no bundle grows too long to be written in no time. */
const callsPerRound = 64;

/** A call on its way to those who were there when it was made, and who waits for it to be handed to all. */
type Telling = {
  readonly call: SharedCall;
  readonly madeAt: number;
  readonly filter: ConnectionFilter | undefined;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Goes through an audience, a few members at a time. Calls that are made while it waits to begin go with it: then there is
 * more to send than can be sent at once, and most of the cost is for each writing, not for what is written.
 */
class Round {
  readonly audience: Audience;
  #tellings: Telling[] = [];
  #members: Iterator<[Member, number]> | undefined;
  /** For those who get all of it. */
  #whole: CallBundle | undefined;

  constructor(audience: Audience) {
    this.audience = audience;
  }

  get isOpen(): boolean {
    return this.#members === undefined && this.#tellings.length < callsPerRound;
  }

  add(telling: Telling): void {
    this.#tellings.push(telling);
  }

  /** True when everybody has been told. */
  readonly step = (): boolean => {
    this.#members ??= this.audience.entries();
    try {
      for (let count = 0; count < membersPerStep; count++) {
        const next = this.#members.next();
        if (next.done) {
          for (const telling of this.#tellings) telling.resolve();
          return true;
        }
        this.#tell(...next.value);
      }
      return false;
    } catch (error) {
      for (const telling of this.#tellings) telling.reject(error);
      return true;
    }
  };

  #tell(member: Member, joinedAt: number): void {
    const due: Telling[] = [];
    for (const telling of this.#tellings) {
      // Members who join while a call is on its way are met by the iterator too, but it is not for them.
      if (joinedAt <= telling.madeAt && (telling.filter?.(member) ?? true)) due.push(telling);
    }
    if (due.length > 1 && this.#deliverTogether(member, due)) return;
    for (const telling of due) this.#deliver(member, telling);
  }

  /** False when the member does not do that, or one of the calls cannot be written. */
  #deliverTogether(member: Member, due: readonly Telling[]): boolean {
    if (member.deliverTogether === undefined) return false;
    const isWhole = due.length === this.#tellings.length;
    const bundle = (isWhole ? this.#whole : undefined) ?? new CallBundle(due.map(({ call }) => call));
    if (isWhole) this.#whole = bundle;
    try {
      member.deliverTogether(bundle);
      return true;
    } catch {
      return false;
    }
  }

  #deliver(member: Member, telling: Telling): void {
    try {
      member.deliver(telling.call);
    } catch (error) {
      telling.reject(error);
      this.#tellings = this.#tellings.filter((one) => one !== telling);
      this.#whole = undefined;
    }
  }
}

export class LiveHub implements HubContext {
  readonly definition: HubDefinition;
  readonly scheduler: SendScheduler;
  readonly #members: Audience = new Map();
  readonly #groups = new Map<string, Audience>();
  readonly #groupsOf = new Map<Member, Set<string>>();
  readonly #methods: ReadonlyMap<string, HubMethod>;
  readonly #streams: ReadonlyMap<string, HubStream>;
  readonly #onError: (error: unknown) => void;
  #newestRound: Round | undefined;
  #moment = 0;
  #farewells = 0;

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

  /** What was negotiated for one hub opens nothing else. */
  get tokenScope(): string {
    return `hub:${this.definition.name}`;
  }

  /** Whether no `onDisconnected` is still running. */
  get isQuiet(): boolean {
    return this.#farewells === 0;
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

  /**
   * Calls a function of every client connected now, or of those that pass the filter. Resolves when it has been handed to
   * all of them; rejects when the arguments cannot be written. The cursor is as in `HubConnection.send`.
   */
  broadcast(target: string, args: readonly unknown[], filter?: ConnectionFilter, cursor?: Cursor): Promise<void> {
    return this.#tell(this.#members, new SharedCall(target, args, cursor), filter);
  }

  /** Like broadcast, to those who are in the group now. */
  sendToGroup(name: string, target: string, args: readonly unknown[], filter?: ConnectionFilter): Promise<void> {
    return this.#tell(this.#groups.get(name) ?? new Map(), new SharedCall(target, args), filter);
  }

  add(member: Member): void {
    this.#members.set(member, ++this.#moment);
  }

  remove(member: Member): void {
    this.#members.delete(member);
    for (const name of this.#groupsOf.get(member) ?? []) this.leave(member, name);
    this.#groupsOf.delete(member);
  }

  /** Tells the hub that a connection has ended. Never rejects. */
  async bidFarewell(connection: HubConnection, error: Error | undefined): Promise<void> {
    this.#farewells += 1;
    try {
      await this.definition.onDisconnected?.(connection, error);
    } catch (failure) {
      this.#onError(failure);
    }
    this.#farewells -= 1;
  }

  join(member: Member, name: string): void {
    if (!this.#members.has(member)) return;
    const group = this.#groups.get(name) ?? new Map<Member, number>();
    if (!group.has(member)) group.set(member, ++this.#moment);
    this.#groups.set(name, group);
    this.#groupsOf.set(member, (this.#groupsOf.get(member) ?? new Set()).add(name));
  }

  leave(member: Member, name: string): void {
    const group = this.#groups.get(name);
    if (group?.delete(member) && group.size === 0) this.#groups.delete(name);
    this.#groupsOf.get(member)?.delete(name);
  }

  #tell(audience: Audience, call: SharedCall, filter: ConnectionFilter | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const telling = { call, madeAt: this.#moment, filter, resolve, reject };
      const newest = this.#newestRound;
      // Only when nothing else was posted since: nothing may overtake anything.
      if (newest?.isOpen && newest.audience === audience && this.scheduler.newest === newest.step) {
        newest.add(telling);
        return;
      }
      const round = new Round(audience);
      this.#newestRound = round;
      round.add(telling);
      this.scheduler.post(round.step);
    });
  }
}

function byLowerCase<T>(methods: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
}
