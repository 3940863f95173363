// The calls a client makes: one at a time in their order, streams beside them, each answered as it is owed.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HubCall, type HubConnection, HubException } from '../hub.ts';
import type { LiveHub } from '../live-hub.ts';
import { type Invocation, messageType, type Outcome, type StreamInvocation } from './protocol/messages.ts';
import type { Uploads } from './upload-stream.ts';

type Call = Invocation | StreamInvocation;

const itemsPerTurn = 16;

/** What answering needs of the connection. */
export interface Answers {
  complete(invocationId: string, outcome: Outcome): void;
  item(invocationId: string, item: unknown): void;
  /** Resolves when there is room for more items. */
  untilSent(): Promise<void>;
  trouble(error: unknown): void;
  /** The line of waiting calls has become shorter. */
  onShorter(): void;
}

export class Invocations {
  readonly #hub: LiveHub;
  readonly #connection: HubConnection;
  readonly #uploads: Uploads;
  readonly #answers: Answers;
  readonly #line: (() => Promise<void> | void)[] = [];
  /** Both made for the first call: most clients only listen. */
  #running: Map<string, AbortController> | undefined;
  #controllers: Set<AbortController> | undefined;
  #isBusy = false;
  #isOver = false;

  constructor(hub: LiveHub, connection: HubConnection, uploads: Uploads, answers: Answers) {
    this.#hub = hub;
    this.#connection = connection;
    this.#uploads = uploads;
    this.#answers = answers;
  }

  /** How many calls wait for their turn. */
  get waiting(): number {
    return this.#line.length;
  }

  /** How many calls there are, waiting or running. */
  get size(): number {
    return this.#controllers?.size ?? 0;
  }

  /** Runs before every call that comes later. */
  first(task: () => Promise<void>): void {
    this.#enqueue(task);
  }

  add(call: Call): void {
    const controller = new AbortController();
    const { invocationId, streamIds = [] } = call;
    const isTaken = invocationId !== undefined && this.#running?.has(invocationId) === true;
    const uploads = isTaken ? undefined : this.#uploads.open(streamIds);
    if (uploads === undefined) {
      this.#answer(call, { error: `Invocation ID '${invocationId}' is already in use.` });
      return;
    }
    this.#running ??= new Map();
    this.#controllers ??= new Set();
    if (invocationId !== undefined) this.#running.set(invocationId, controller);
    this.#controllers.add(controller);
    const hubCall = { connection: this.#connection, uploads, signal: controller.signal };
    // The items of an upload, and what else the client does during a stream, must not wait for the end of the call.
    const isBeside = call.type === messageType.streamInvocation || streamIds.length > 0;
    this.#enqueue(() => {
      const done = this.#run(call, hubCall).finally(() => this.#forget(call, controller));
      if (!isBeside) return done;
      done.catch((error) => this.#answers.trouble(error));
      return undefined;
    });
  }

  /** A completion is still owed; a call that is not known has ended already. */
  cancel(invocationId: string): void {
    this.#running?.get(invocationId)?.abort();
  }

  /** The client is gone: nothing more is started, and what runs is told. */
  end(): void {
    this.#isOver = true;
    this.#line.length = 0;
    for (const controller of [...(this.#controllers ?? [])]) controller.abort();
  }

  #enqueue(task: () => Promise<void> | void): void {
    this.#line.push(task);
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let task = this.#line.shift(); task !== undefined; task = this.#line.shift()) {
      try {
        await task();
      } catch (error) {
        this.#answers.trouble(error);
      }
      this.#answers.onShorter();
    }
    this.#isBusy = false;
  }

  async #run(call: Call, hubCall: HubCall): Promise<void> {
    const method = this.#hub.method(call.target);
    const stream = this.#hub.stream(call.target);
    if (method === undefined && stream === undefined) {
      return this.#answer(call, { error: `Unknown hub method '${call.target}'` });
    }
    if (call.type === messageType.streamInvocation) {
      if (stream !== undefined) return this.#stream(call, () => stream(hubCall, ...call.args), hubCall.signal);
      return this.#answer(call, { error: modeError('non-streaming', call.target, 'a streaming') });
    }
    if (method === undefined) {
      return this.#answer(call, { error: modeError('streaming', call.target, 'a non-streaming') });
    }
    try {
      this.#answer(call, { result: await method(hubCall, ...call.args) });
    } catch (error) {
      this.#answer(call, {
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
          // Not waited for: a generator that sits in an await comes to its end only after it.
          iterator.return?.().catch((error) => this.#answers.trouble(error));
          break;
        }
        if (next.done) break;
        this.#answers.item(call.invocationId, next.value);
        await unlessAborted(signal, () => this.#answers.untilSent());
        // A stream that never waits itself would keep everybody else waiting.
        if (count % itemsPerTurn === 0) await nextTurn();
      }
      this.#answer(call, {});
    } catch (error) {
      this.#answer(call, { error: this.#textOf(error, 'An error occurred on the server while streaming results.') });
    }
  }

  #answer({ invocationId }: Call, outcome: Outcome): void {
    if (invocationId !== undefined && !this.#isOver) this.#answers.complete(invocationId, outcome);
  }

  #forget({ invocationId, streamIds = [] }: Call, controller: AbortController): void {
    this.#controllers?.delete(controller);
    if (invocationId !== undefined) this.#running?.delete(invocationId);
    for (const id of streamIds) this.#uploads.end(id);
    this.#answers.onShorter();
  }

  /** What the client may know of an error. */
  #textOf(error: unknown, text: string): string {
    if (error instanceof HubException) return `${text} HubException: ${error.message}`;
    if (!this.#isOver) this.#answers.trouble(error);
    return text;
  }
}

function modeError(kind: string, target: string, invocation: string): string {
  return `The client attempted to invoke the ${kind} '${target}' method with ${invocation} invocation.`;
}

/** What the work comes to, or undefined as soon as the signal is aborted. */
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
