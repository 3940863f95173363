// Sends a request again when the server could not take it or when it got lost on the way, for a limited time.

import { keyedPaths } from './keyed-paths.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export type PersistentFetchOptions = {
  /** The function that sends each single request; the global `fetch` if absent. */
  readonly fetch?: Fetch;
  /** The pauses before each further try; the last one repeats. A longer `Retry-After` of the server wins. */
  readonly pausesMs?: readonly number[];
  /** For how long it tries in all; the last response or error is then the outcome. */
  readonly forMs?: number;
};

const defaultPausesMs = [500, 1_000, 2_000, 5_000, 10_000];
const defaultForMs = 120_000;

/** Responses that say that nothing was done. */
const refusedForNow: ReadonlySet<number> = new Set([408, 429, 503]);
/** Responses that leave open whether it was done. */
const unclear: ReadonlySet<number> = new Set([500, 502, 504]);

/**
 * Returns a `fetch` that survives a server that restarts, is busy or cannot be reached. A POST that makes something gets
 * an `Idempotency-Key`, unless it has one, so that a repetition makes nothing twice; what could have another effect the
 * second time is not repeated when it is unclear whether the first was carried out.
 */
export function persistentFetch({
  fetch: send = fetch,
  pausesMs = defaultPausesMs,
  forMs = defaultForMs,
}: PersistentFetchOptions = {}): Fetch {
  return async (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
    const signal = init.signal ?? request?.signal;
    const headers = new Headers(init.headers ?? request?.headers);
    const isKeyed = method === 'POST' && takesKey(request?.url ?? String(input));
    if (isKeyed && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID());
    // A stream can be read once.
    if (init.body instanceof ReadableStream) return send(input, { ...init, headers });
    const isRepeatable = isKeyed || hasSameEffect(method, headers);
    const endsAt = performance.now() + forMs;
    for (let tries = 0; ; tries++) {
      // The body of a request can be sent once.
      const sent = request?.clone() ?? input;
      const outcome = await send(sent, { ...init, headers }).then(
        (response) => ({ response }),
        (error: unknown) => ({ error }),
      );
      // Told apart by the promise, because the answer of another `fetch` is of a class of its own.
      const response = 'response' in outcome ? outcome.response : undefined;
      const pauseMs = pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0;
      const waitMs = response === undefined ? pauseMs : Math.max(pauseMs, retryAfterMs(response));
      const isFinal =
        signal?.aborted === true ||
        performance.now() + waitMs > endsAt ||
        !(isRepeatable || isRefusedForNow(response)) ||
        (response !== undefined && !refusedForNow.has(response.status) && !unclear.has(response.status));
      if (isFinal && 'error' in outcome) throw outcome.error;
      if (isFinal && response !== undefined) return response;
      // A body that is not read would hold the connection.
      await response?.body?.cancel();
      await pause(waitMs, signal);
    }
  };
}

function takesKey(url: string): boolean {
  const [path = ''] = url.split('?');
  return keyedPaths.some((keyed) => new RegExp(`${keyed.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
}

/** Whether sending it twice is the same as sending it once, and is answered the same. */
function hasSameEffect(method: string, headers: Headers): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'PUT' && !headers.has('If-Match'));
}

function isRefusedForNow(response: Response | undefined): boolean {
  return response !== undefined && refusedForNow.has(response.status);
}

/** `Retry-After` is a number of seconds, or a date by the clock of the server, which may differ from the one here. */
function retryAfterMs({ headers }: Response): number {
  const value = headers.get('Retry-After') ?? '';
  const serverNow = Date.parse(headers.get('Date') ?? '') || Date.now();
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - serverNow;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
