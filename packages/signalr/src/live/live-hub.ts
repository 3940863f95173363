// A mounted hub: its connections and groups, and sending to all or to some of them.

import type { Audience, ConnectionFilter, Cursor, HubConnection, HubContext, HubDefinition } from '../hub.ts';
import { type Callable, callables } from '../parameters.ts';
import type { SendScheduler } from '../sending/send-scheduler.ts';
import { BroadcastBatch, type Member, type Recipients } from './broadcast-batch.ts';
import { SharedCall } from './shared-call.ts';

export class LiveHub implements HubContext {
  readonly definition: HubDefinition;
  readonly scheduler: SendScheduler;
  readonly #members: Recipients = new Map();
  readonly #groups = new Map<string, Recipients>();
  readonly #groupsOf = new Map<Member, Set<string>>();
  readonly #byId = new Map<string, Member>();
  readonly #methods: ReadonlyMap<string, Callable<unknown>>;
  readonly #streams: ReadonlyMap<string, Callable<AsyncIterable<unknown>>>;
  readonly #onError: (error: unknown) => void;
  #newestBatch: BroadcastBatch | undefined;
  #joinCounter = 0;
  #runningDisconnects = 0;

  constructor(definition: HubDefinition, scheduler: SendScheduler, onError: (error: unknown) => void) {
    this.definition = definition;
    this.scheduler = scheduler;
    this.#onError = onError;
    this.#methods = callables(definition.methods);
    this.#streams = callables(definition.streams);
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

  connection(id: string): HubConnection | undefined {
    return this.#byId.get(id);
  }

  method(name: string): Callable<unknown> | undefined {
    return this.#methods.get(name.toLowerCase());
  }

  stream(name: string): Callable<AsyncIterable<unknown>> | undefined {
    return this.#streams.get(name.toLowerCase());
  }

  broadcast(target: string, args: readonly unknown[], filter?: ConnectionFilter, cursor?: Cursor): Promise<void> {
    return this.#send(this.#members, new SharedCall(target, args, cursor), filter);
  }

  sendTo(audience: Audience, target: string, args: readonly unknown[]): Promise<void> {
    const { connections, users, groups, except = [] } = audience;
    const isForAll = connections === undefined && users === undefined && groups === undefined;
    // A member of a list that was made for this call may have left before its turn.
    const filter = (one: HubConnection) => this.#members.has(one as Member) && !except.includes(one.id);
    return this.#send(isForAll ? this.#members : this.#recipientsOf(audience), new SharedCall(target, args), filter);
  }

  add(member: Member): void {
    this.#members.set(member, ++this.#joinCounter);
    this.#byId.set(member.id, member);
  }

  remove(member: Member): void {
    this.#members.delete(member);
    if (this.#byId.get(member.id) === member) this.#byId.delete(member.id);
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

  #recipientsOf({ connections = [], users = [], groups = [] }: Audience): Recipients {
    const [group = ''] = groups;
    // The list of one group is used as it is, so that calls to it join one batch.
    if (groups.length === 1 && connections.length + users.length === 0) return this.#groups.get(group) ?? new Map();
    const named = connections.flatMap((id) => this.#byId.get(id) ?? []);
    const ofUsers =
      users.length === 0 ? [] : [...this.#members.keys()].filter((one) => users.includes(one.principal.id));
    const grouped = groups.flatMap((name) => [...(this.#groups.get(name)?.keys() ?? [])]);
    return new Map([...named, ...ofUsers, ...grouped].map((member) => [member, 0]));
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
