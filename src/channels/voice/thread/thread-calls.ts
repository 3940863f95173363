// Calls of functions across two threads, in both directions over one port: with results, errors, progress, and giving up.

import { AppError, type ErrorCode } from '../../../errors.ts';
import { guard } from '../../../guard.ts';
import { callEnded, leaseLost, notAccepted } from '../../channel.ts';

/** The part of a message port, or of a worker, that calls use. */
export type ThreadPort = {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: ThreadMessage) => void): unknown;
};

/** The functions of one side, by name; those that are sent return nothing. Arguments and results are plain data. */
export type ThreadFunctions = Readonly<Record<string, (call: never) => unknown>>;

/** One call as the called side sees it. */
export type ThreadCall<Input, Progress = never> = {
  readonly input: Input;
  /** Aborts when the caller gives up, with the reason of the caller if that is one of a channel. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
};

type InputOf<F extends ThreadFunctions, Name extends keyof F> = F[Name] extends (
  call: ThreadCall<infer Input, infer _>,
) => unknown
  ? Input
  : never;
type ProgressOf<F extends ThreadFunctions, Name extends keyof F> = F[Name] extends (
  call: ThreadCall<infer _, infer Progress>,
) => unknown
  ? Progress
  : never;
type ResultOf<F extends ThreadFunctions, Name extends keyof F> = Awaited<ReturnType<F[Name]>>;

export type ThreadMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly kind: 'sent'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly kind: 'abort'; readonly id: number; readonly reason: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: Error; readonly code: ErrorCode | undefined };

type Pending = {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  readonly report: (progress: never) => void;
};

/** The reasons to give up that channels tell apart: an error is another object in another thread. */
const reasons: readonly Error[] = [callEnded, leaseLost, notAccepted];
const otherReason = new Error('the call was given up');

/** `Other`: the functions of the other side. */
export class ThreadCalls<Other extends ThreadFunctions> {
  readonly #port: ThreadPort;
  readonly #functions: ThreadFunctions;
  readonly #onTrouble: (error: unknown) => void;
  readonly #pending = new Map<number, Pending>();
  /** Calls from the other side that are under way. */
  readonly #underWay = new Map<number, AbortController>();
  #lastId = 0;
  #failure: Error | undefined;

  /** `functions`: those of this side. `onTrouble` is told of errors in those that nobody waits for. */
  constructor(port: ThreadPort, functions: ThreadFunctions, onTrouble: (error: unknown) => void) {
    this.#port = port;
    this.#functions = functions;
    this.#onTrouble = onTrouble;
    port.on('message', (message: ThreadMessage) => this.#guard(message, () => this.#take(message)));
  }

  async call<Name extends keyof Other & string>(
    name: Name,
    input: InputOf<Other, Name>,
    { signal, report = () => {} }: { signal?: AbortSignal; report?: (progress: ProgressOf<Other, Name>) => void } = {},
  ): Promise<ResultOf<Other, Name>> {
    if (this.#failure !== undefined) throw this.#failure;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<ResultOf<Other, Name>>();
    this.#post({ kind: 'call', id, name, input });
    this.#pending.set(id, { resolve, reject, report });
    const abort = (): void =>
      guard(this.#onTrouble, () => this.#post({ kind: 'abort', id, reason: reasons.indexOf(signal?.reason as Error) }));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Calls without waiting for a result. */
  send<Name extends keyof Other & string>(name: Name, input: InputOf<Other, Name>): void {
    if (this.#failure === undefined) this.#post({ kind: 'sent', name, input });
  }

  /** The other side is gone: all calls to it fail, now and later, and those of it are given up. */
  fail(failure: Error): void {
    this.#failure = failure;
    for (const { reject } of this.#pending.values()) reject(failure);
    this.#pending.clear();
    for (const abort of this.#underWay.values()) abort.abort(failure);
  }

  /** An error in Tocsin fails the one call that the message is about. */
  #guard(message: ThreadMessage, take: () => void): void {
    try {
      take();
    } catch (error) {
      this.#onTrouble(error);
      if (message.kind === 'call') this.#refuse(message.id, error);
      else if (message.kind === 'result' || message.kind === 'error') {
        this.#pending.get(message.id)?.reject(error);
        this.#pending.delete(message.id);
      }
    }
  }

  #post(message: ThreadMessage): void {
    this.#port.postMessage(message);
  }

  #take(message: ThreadMessage): void {
    if (message.kind === 'sent') void this.#runSent(message).catch(this.#onTrouble);
    else if (message.kind === 'call') void this.#run(message);
    else if (message.kind === 'abort') this.#underWay.get(message.id)?.abort(reasons[message.reason] ?? otherReason);
    else if (message.kind === 'progress') this.#passOn(message);
    else this.#settle(message);
  }

  /** An error of who is told of progress ends the call. */
  #passOn({ id, progress }: Extract<ThreadMessage, { kind: 'progress' }>): void {
    const pending = this.#pending.get(id);
    try {
      pending?.report(progress as never);
    } catch (error) {
      this.#pending.delete(id);
      pending?.reject(error);
      this.#post({ kind: 'abort', id, reason: -1 });
    }
  }

  async #runSent({ name, input }: Extract<ThreadMessage, { kind: 'sent' }>): Promise<void> {
    await this.#functionNamed(name)({ input } as never);
  }

  async #run({ id, name, input }: Extract<ThreadMessage, { kind: 'call' }>): Promise<void> {
    const abort = new AbortController();
    this.#underWay.set(id, abort);
    const report = (progress: unknown): void => this.#post({ kind: 'progress', id, progress });
    try {
      const result = await this.#functionNamed(name)({ input, signal: abort.signal, report } as never);
      if (this.#failure === undefined) this.#post({ kind: 'result', id, result });
    } catch (error) {
      this.#refuse(id, error);
    } finally {
      this.#underWay.delete(id);
    }
  }

  #refuse(id: number, error: unknown): void {
    if (this.#failure === undefined) this.#post({ kind: 'error', id, error: plainError(error), code: codeOf(error) });
  }

  #functionNamed(name: string): (call: never) => unknown {
    const found = this.#functions[name];
    if (found === undefined) throw new Error(`The other thread has no function ${name}`);
    return found;
  }

  #settle(message: Extract<ThreadMessage, { kind: 'result' | 'error' }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === 'result') pending?.resolve(message.result as never);
    else pending?.reject(thrownFrom(message));
  }
}

/** A refusal keeps its code in the other thread. */
function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof AppError ? error.code : undefined;
}

function thrownFrom({ error, code }: Extract<ThreadMessage, { kind: 'error' }>): Error {
  return code === undefined ? error : new AppError(code, error.message, { cause: error });
}

/** What can be sent to another thread: an error may carry anything. */
export function plainError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const plain = new Error(error.message, error.cause === undefined ? {} : { cause: plainError(error.cause) });
  if (error.stack !== undefined) plain.stack = error.stack;
  return plain;
}
