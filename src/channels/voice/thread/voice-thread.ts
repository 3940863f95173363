// Telephone calls in a thread of their own, as the server sees them: started with the first provider, and started again when it ends
// by a fault, with the calls that were under way as failed. No datagram and no load of the server holds up the other side.

import { Worker } from 'node:worker_threads';
import type { Provider } from '../../../domain/channels/provider.ts';
import type { OpenProvider } from '../../channel.ts';
import type { VoicePorts } from '../connect-talk.ts';
import type { Conversations } from '../conversations.ts';
import type { RecordingStore } from '../speech-recordings.ts';
import { LeftBehind } from './left-behind.ts';
import { ThreadCalls, type ThreadPort } from './thread-calls.ts';
import { ThreadEnded, ThreadProvider } from './thread-provider.ts';
import type { ServerFunctions, VoiceFunctions, VoiceThreadData } from './voice-functions.ts';

/** The part of a worker thread that is used. */
export type VoiceWorker = ThreadPort & {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
  terminate(): Promise<unknown>;
};

export type StartVoiceWorker = (data: VoiceThreadData) => VoiceWorker;

/** A thread that takes more than that ends alone. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** Starts threads that run `module`: src/voice-worker.ts. */
export function voiceWorkersOf(module: URL): StartVoiceWorker {
  return (workerData) => new Worker(module, { workerData, resourceLimits });
}

export type VoiceThreadParts = {
  readonly startWorker: StartVoiceWorker;
  readonly data: VoiceThreadData;
  readonly conversations: Conversations;
  readonly recordings: RecordingStore;
  readonly note?: VoicePorts['note'];
  /** How often the thread is asked whether it stands still; tests ask more often than a server. */
  readonly askEveryMs?: number;
  /** Called when the thread has ended by a fault. */
  readonly onEnded: (error: unknown) => void;
  /** Called with errors in single calls. */
  readonly onTrouble: (error: unknown) => void;
};

/** Pauses before a thread that has ended is started again; one that worked for a while is started at once. */
const pausesMs = [0, 0, 1_000, 5_000, 15_000] as const;
const workedMs = 60_000;
/** A thread that answers none of so many questions in a row stands still. */
const defaultAskEveryMs = 5_000;
const mostUnanswered = 6;

type Running = { readonly worker: VoiceWorker; readonly calls: ThreadCalls<VoiceFunctions> };

export class VoiceThread {
  readonly #parts: VoiceThreadParts;
  readonly #providers = new Set<ThreadProvider>();
  #running: Running | undefined;
  #pause: NodeJS.Timeout | undefined;
  /** Those who wait for the end of the pause. */
  #waiting: ((calls: ThreadCalls<VoiceFunctions> | undefined) => void)[] = [];
  /** How often it has ended soon after it was started. */
  #soonEnded = 0;
  #lastKey = 0;

  constructor(parts: VoiceThreadParts) {
    this.#parts = parts;
  }

  open(provider: Provider, secrets: Readonly<Record<string, string>>): OpenProvider {
    const opened = new ThreadProvider(
      { key: ++this.#lastKey, provider, secrets },
      {
        calls: () => this.#running?.calls,
        callsAfterPause: () => this.#callsAfterPause(),
        onClosed: (closed) => this.#remove(closed),
        onTrouble: this.#parts.onTrouble,
      },
    );
    this.#providers.add(opened);
    if (this.#running !== undefined) opened.openIn(this.#running.calls);
    else if (this.#pause === undefined) this.#start();
    return opened;
  }

  async #remove(provider: ThreadProvider): Promise<void> {
    this.#providers.delete(provider);
    if (this.#providers.size > 0) return;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    const { worker } = this.#running ?? {};
    this.#running = undefined;
    this.#endWaiting();
    await worker?.terminate();
  }

  #callsAfterPause(): Promise<ThreadCalls<VoiceFunctions> | undefined> {
    if (this.#pause === undefined) return Promise.resolve(this.#running?.calls);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #endWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(this.#running?.calls);
  }

  /** A machine that has no room for a thread now, may have it later. */
  #start(): void {
    this.#pause = undefined;
    try {
      this.#run(this.#parts.startWorker(this.#parts.data));
    } catch (error) {
      this.#startAgain(error, 0);
    }
  }

  #run(worker: VoiceWorker): void {
    const left = new LeftBehind(this.#parts.conversations, this.#parts.onTrouble);
    const calls = new ThreadCalls<VoiceFunctions>(worker, this.#functions(left), this.#parts.onTrouble);
    const running = { worker, calls };
    this.#running = running;
    const startedAt = performance.now();
    let fault: unknown;
    worker.on('error', (error) => {
      fault ??= error;
    });
    const stopNews = this.#parts.conversations.onNews(() => calls.send('news', undefined));
    const stopAsking = askAgainAndAgain(calls, this.#parts.askEveryMs ?? defaultAskEveryMs, () => {
      fault ??= new Error('it does not answer');
      void worker.terminate();
    });
    worker.once('exit', () => {
      stopNews();
      stopAsking();
      if (this.#running === running) this.#startAgain(fault, performance.now() - startedAt);
      calls.fail(new ThreadEnded());
      left.clear();
    });
    for (const provider of this.#providers) provider.openIn(calls);
    this.#endWaiting();
  }

  #startAgain(fault: unknown, livedMs: number): void {
    this.#running = undefined;
    this.#soonEnded = livedMs < workedMs ? this.#soonEnded + 1 : 0;
    const pauseMs = pausesMs[Math.min(this.#soonEnded, pausesMs.length - 1)] ?? 0;
    if (pauseMs === 0) this.#start();
    else this.#pause = setTimeout(() => this.#start(), pauseMs);
    this.#parts.onEnded(fault);
  }

  #functions(left: LeftBehind): ServerFunctions {
    const { conversations, recordings, note, onTrouble } = this.#parts;
    return {
      begin: ({ input: { message } }) => conversations.begin(message),
      beginRingIn: ({ input: { line } }) => left.beginRingIn(line),
      answered: ({ input: { attemptId } }) => conversations.answered(attemptId),
      keys: ({ input: { attemptId, keys } }) => conversations.keys(attemptId, keys),
      silence: ({ input: { attemptId } }) => conversations.silence(attemptId),
      tell: ({ input: { attemptId } }) => conversations.news(attemptId),
      ended: ({ input: { attemptId } }) => left.ended(attemptId),
      findRecording: ({ input: { recording } }) => recordings.find(recording),
      note: (call) => note?.(...call.input.note),
      program: ({ input: { pid, runs } }) => left.noteProgram(pid, runs),
      trouble: ({ input: { error } }) => onTrouble(error),
    };
  }
}

/** Calls back once when the thread has not answered for a while; not by the clock, because the machine may stand still as a whole. */
function askAgainAndAgain(
  calls: ThreadCalls<VoiceFunctions>,
  askEveryMs: number,
  onStandstill: () => void,
): () => void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (++unanswered > mostUnanswered) {
      clearInterval(timer);
      onStandstill();
      return;
    }
    if (unanswered > 1) return;
    calls.call('ping', undefined).then(
      () => {
        unanswered = 0;
      },
      () => {},
    );
  }, askEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
