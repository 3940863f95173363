// The hub calls of one ASP.NET Core client: methods run one after another, streams and uploads concurrently.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { failureText } from '../failure-text.ts';
import { type HubCall, type HubConnection, HubException } from '../hub.ts';
import type { LiveHub } from '../live/live-hub.ts';
import { type Callable, checkArguments, checkUploads, InvalidArguments } from '../parameters.ts';
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
  /** Whether a client that is connected does not read what it was sent. */
  isBehind(): boolean;
  /** Resolves when that is over, or the connection has ended. */
  untilCaughtUp(): Promise<void>;
  onError(error: unknown): void;
  /** Whether the client learns the details of every error. */
  readonly isDetailed: boolean;
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
    for (;;) {
      // The results of a client that calls and does not read would wait without limit.
      if (this.#replies.isBehind()) await this.#replies.untilCaughtUp();
      const task = this.#queue.shift();
      if (task === undefined) break;
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
    const { parameters } = method ?? stream ?? {};
    try {
      if (method === undefined && stream === undefined) throw new HubException('Method does not exist.');
      checkArguments(parameters, call.args);
    } catch (error) {
      return this.#fail(call, `Failed to invoke '${call.target}' due to an error on the server.`, error);
    }
    const wantsStream = call.type === messageType.streamInvocation;
    if (wantsStream && stream === undefined) {
      return this.#complete(call, { error: modeError('non-streaming', call.target, 'a streaming') });
    }
    if (!wantsStream && method === undefined) {
      return this.#complete(call, { error: modeError('streaming', call.target, 'a non-streaming') });
    }
    try {
      checkUploads(parameters, hubCall.uploads.length);
      if (wantsStream && stream !== undefined) await this.#stream(call, stream, hubCall);
      else this.#complete(call, { result: await method?.run(hubCall, ...call.args) });
    } catch (error) {
      this.#fail(call, `An unexpected error occurred invoking '${call.target}' on the server.`, error);
    }
  }

  /** Throws what the stream throws before its first item: it fails like a method then. */
  async #stream(call: StreamInvocation, stream: Callable<AsyncIterable<unknown>>, hubCall: HubCall): Promise<void> {
    const { signal } = hubCall;
    const iterator = stream.run(hubCall, ...call.args)[Symbol.asyncIterator]();
    const advance = () => unlessAborted(signal, () => iterator.next());
    let next = await advance();
    try {
      for (let count = 1; next !== undefined && !next.done; count++) {
        this.#replies.item(call.invocationId, next.value);
        await unlessAborted(signal, () => this.#replies.untilSent());
        // A stream that never awaits anything slow would starve the event loop.
        if (count % itemsPerTurn === 0) await nextTurn();
        next = await advance();
      }
      // The return is not awaited, because a generator suspended in an `await` ends only after that.
      if (next === undefined) iterator.return?.().catch((error) => this.#replies.onError(error));
      this.#complete(call, {});
    } catch (error) {
      this.#fail(call, 'An error occurred on the server while streaming results.', error);
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

  /**
   * Completes the call with an error. A `HubException` and arguments that do not fit are not passed to `onError`, since
   * they are for the client alone.
   */
  #fail(call: Call, text: string, error: unknown): void {
    const isForClient = error instanceof HubException || error instanceof InvalidArguments;
    if (!isForClient && !this.#isOver) this.#replies.onError(error);
    this.#complete(call, { error: failureText(text, error, this.#replies.isDetailed) });
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
