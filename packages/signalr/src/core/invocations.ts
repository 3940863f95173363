// The hub calls of one ASP.NET Core client: methods run one after another, streams and uploads concurrently.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HubCall, type HubConnection, HubException } from '../hub.ts';
import type { LiveHub } from '../live-hub.ts';
import { type Invocation, messageType, type Outcome, type StreamInvocation } from './protocol/messages.ts';
import type { Uploads } from './upload-stream.ts';

type Call = Invocation | StreamInvocation;

const itemsPerTurn = 16;

/** The functions of the connection that calls reply through. */
export interface Replies {
  complete(invocationId: string, outcome: Outcome): void;
  item(invocationId: string, item: unknown): void;
  /** Resolves when there is room for more items. */
  untilSent(): Promise<void>;
  onError(error: unknown): void;
  /** The queue of calls has become shorter. */
  onDequeued(): void;
}

export class Invocations {
  readonly #hub: LiveHub;
  readonly #connection: HubConnection;
  readonly #uploads: Uploads;
  readonly #replies: Replies;
  readonly #queue: (() => Promise<void> | void)[] = [];
  /** Both are created with the first call: most clients only listen. */
  #running: Map<string, AbortController> | undefined;
  #controllers: Set<AbortController> | undefined;
  #isBusy = false;
  #isOver = false;

  constructor(hub: LiveHub, connection: HubConnection, uploads: Uploads, replies: Replies) {
    this.#hub = hub;
    this.#connection = connection;
    this.#uploads = uploads;
    this.#replies = replies;
  }

  /** The number of queued calls. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** The number of calls, queued or running. */
  get size(): number {
    return this.#controllers?.size ?? 0;
  }

  /** Queues a task that runs before all later calls. */
  first(task: () => Promise<void>): void {
    this.#enqueue(task);
  }

  add(call: Call): void {
    const controller = new AbortController();
    const { invocationId, streamIds = [] } = call;
    const isTaken = invocationId !== undefined && this.#running?.has(invocationId) === true;
    const uploads = isTaken ? undefined : this.#uploads.open(streamIds);
    if (uploads === undefined) {
      this.#complete(call, { error: `Invocation ID '${invocationId}' is already in use.` });
      return;
    }
    this.#running ??= new Map();
    this.#controllers ??= new Set();
    if (invocationId !== undefined) this.#running.set(invocationId, controller);
    this.#controllers.add(controller);
    const hubCall = { connection: this.#connection, uploads, signal: controller.signal };
    // Runs concurrently: the items of an upload, and later calls during a stream, must not wait for the end of this
    // call.
    const isBeside = call.type === messageType.streamInvocation || streamIds.length > 0;
    this.#enqueue(() => {
      const done = this.#run(call, hubCall).finally(() => this.#forget(call, controller));
      if (!isBeside) return done;
      done.catch((error) => this.#replies.onError(error));
      return undefined;
    });
  }

  /** The call still gets its completion. A call that is not known has ended already. */
  cancel(invocationId: string): void {
    this.#running?.get(invocationId)?.abort();
  }

  /** The connection has ended: starts no more calls and aborts the running ones. */
  end(): void {
    this.#isOver = true;
    this.#queue.length = 0;
    for (const controller of [...(this.#controllers ?? [])]) controller.abort();
  }

  #enqueue(task: () => Promise<void> | void): void {
    this.#queue.push(task);
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
      try {
        await task();
      } catch (error) {
        this.#replies.onError(error);
      }
      this.#replies.onDequeued();
    }
    this.#isBusy = false;
  }

  async #run(call: Call, hubCall: HubCall): Promise<void> {
    const method = this.#hub.method(call.target);
    const stream = this.#hub.stream(call.target);
    if (method === undefined && stream === undefined) {
      return this.#complete(call, { error: `Unknown hub method '${call.target}'` });
    }
    if (call.type === messageType.streamInvocation) {
      if (stream !== undefined) return this.#stream(call, () => stream(hubCall, ...call.args), hubCall.signal);
      return this.#complete(call, { error: modeError('non-streaming', call.target, 'a streaming') });
    }
    if (method === undefined) {
      return this.#complete(call, { error: modeError('streaming', call.target, 'a non-streaming') });
    }
    try {
      this.#complete(call, { result: await method(hubCall, ...call.args) });
    } catch (error) {
      this.#complete(call, {
        error: this.#textOf(error, `An unexpected error occurred invoking '${call.target}' on the server.`),
      });
    }
  }

  async #stream(call: StreamInvocation, open: () => AsyncIterable<unknown>, signal: AbortSignal): Promise<void> {
    try {
      const iterator = open()[Symbol.asyncIterator]();
      for (let count = 1; ; count++) {
        const next = await unlessAborted(signal, () => iterator.next());
        if (next === undefined) {
          // Not awaited: a generator suspended in an `await` ends only after that.
          iterator.return?.().catch((error) => this.#replies.onError(error));
          break;
        }
        if (next.done) break;
        this.#replies.item(call.invocationId, next.value);
        await unlessAborted(signal, () => this.#replies.untilSent());
        // A stream that never awaits anything slow would starve the event loop.
        if (count % itemsPerTurn === 0) await nextTurn();
      }
      this.#complete(call, {});
    } catch (error) {
      this.#complete(call, { error: this.#textOf(error, 'An error occurred on the server while streaming results.') });
    }
  }

  #complete({ invocationId }: Call, outcome: Outcome): void {
    if (invocationId !== undefined && !this.#isOver) this.#replies.complete(invocationId, outcome);
  }

  #forget({ invocationId, streamIds = [] }: Call, controller: AbortController): void {
    this.#controllers?.delete(controller);
    if (invocationId !== undefined) this.#running?.delete(invocationId);
    for (const id of streamIds) this.#uploads.end(id);
    this.#replies.onDequeued();
  }

  /** Returns the part of an error that the client may read. */
  #textOf(error: unknown, text: string): string {
    if (error instanceof HubException) return `${text} HubException: ${error.message}`;
    if (!this.#isOver) this.#replies.onError(error);
    return text;
  }
}

function modeError(kind: string, target: string, invocation: string): string {
  return `The client attempted to invoke the ${kind} '${target}' method with ${invocation} invocation.`;
}

/** Resolves to the result of the work, or to undefined as soon as the signal is aborted. */
function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort);
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
