// A hub while the server runs: who is connected, in which groups, and sending to all, to some or to a group.

import type { HubConnection, HubDefinition, HubMethod, HubStream } from './hub.ts';
import type { Outbox } from './outbox.ts';
import type { Payload } from './payload.ts';

/** Writes calls of client functions as one protocol wants them. */
export interface Encoding {
  encodeCall(target: string, args: readonly unknown[]): Payload;
}

/** A call of a client function on its way to many: written once per encoding. */
export class SharedCall {
  readonly target: string;
  readonly args: readonly unknown[];
  readonly #payloads = new Map<Encoding, Payload>();

  constructor(target: string, args: readonly unknown[]) {
    this.target = target;
    this.args = args;
  }

  payloadFor(encoding: Encoding): Payload {
    const known = this.#payloads.get(encoding);
    if (known !== undefined) return known;
    const payload = encoding.encodeCall(this.target, this.args);
    this.#payloads.set(encoding, payload);
    return payload;
  }
}

/** A connection as its hub sees it. */
export interface Member extends HubConnection {
  /** Sends at once; order is the caller's business. */
  deliver(call: SharedCall): void;
}

/** Those who hear something, each with the place in time at which it joined. */
type Audience = Map<Member, number>;

const membersPerStep = 32;

export class LiveHub {
  readonly definition: HubDefinition;
  readonly outbox: Outbox;
  readonly #members: Audience = new Map();
  readonly #groups = new Map<string, Audience>();
  readonly #groupsOf = new Map<Member, Set<string>>();
  readonly #methods: ReadonlyMap<string, HubMethod>;
  readonly #streams: ReadonlyMap<string, HubStream>;
  readonly #onTrouble: (error: unknown) => void;
  #moment = 0;
  #farewells = 0;

  constructor(definition: HubDefinition, outbox: Outbox, onTrouble: (error: unknown) => void) {
    this.definition = definition;
    this.outbox = outbox;
    this.#onTrouble = onTrouble;
    this.#methods = byLowerCase(definition.methods ?? {});
    this.#streams = byLowerCase(definition.streams ?? {});
  }

  get size(): number {
    return this.#members.size;
  }

  /** How many `onDisconnected` are still running. */
  get farewells(): number {
    return this.#farewells;
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
   * all of them; rejects when the arguments cannot be written.
   */
  broadcast(target: string, args: readonly unknown[], filter?: (connection: HubConnection) => boolean): Promise<void> {
    return this.#tell(this.#members, new SharedCall(target, args), filter);
  }

  /** Like broadcast, to those who are in the group now. */
  sendToGroup(
    name: string,
    target: string,
    args: readonly unknown[],
    filter?: (connection: HubConnection) => boolean,
  ): Promise<void> {
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
      this.#onTrouble(failure);
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

  #tell(
    audience: Audience,
    call: SharedCall,
    filter: ((connection: HubConnection) => boolean) | undefined,
  ): Promise<void> {
    // Members who join while the call is on its way are met by the iterator too, but it is not for them.
    const sentAt = this.#moment;
    const members = audience.entries();
    const step = (): boolean => {
      for (let count = 0; count < membersPerStep; count++) {
        const next = members.next();
        if (next.done) return true;
        const [member, joinedAt] = next.value;
        if (joinedAt <= sentAt && (filter?.(member) ?? true)) member.deliver(call);
      }
      return false;
    };
    return new Promise((resolve, reject) => {
      this.outbox.post(() => {
        try {
          const isDone = step();
          if (isDone) resolve();
          return isDone;
        } catch (error) {
          reject(error);
          return true;
        }
      });
    });
  }
}

function byLowerCase<T>(methods: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(methods).map(([name, method]) => [name.toLowerCase(), method]));
}
