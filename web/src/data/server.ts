// The server that served this page: its address, and requests with the token of the session.

import { defaults, HttpError, problemOf } from '@tocsin/client';
import { currentLanguage } from '../words/language.ts';
import { currentSession, expireSession } from './session.ts';

/** The base path without its last slash; empty at the root. */
export const basePath = new URL('.', document.baseURI).pathname.replace(/\/$/, '');
export const hubUrl = `${location.origin}${basePath}/alarmHub`;

export function connectServer(): void {
  defaults.baseUrl = `${location.origin}${basePath}`;
  defaults.fetch = request;
}

/** No answer came: the network is gone, or the server, or it took too long. */
class NoAnswer extends Error {}

/** What is not answered by then is given up: a network that swallowed a request would keep a screen waiting for ever. */
const readMs = 20_000;
/** For what the server does, such as asking a provider. */
const doMs = 60_000;

type Address = string | URL | Request;

/**
 * Sends a request with the token. A refused token ends the session, so that the sign-in opens over the screen; it is asked once
 * more before, because a proxy or a server that starts may refuse what is valid.
 */
async function request(input: Address, init: RequestInit = {}): Promise<Response> {
  const token = currentSession()?.token;
  const response = await answerTo(input, init, token);
  if (response.status !== 401 || token === undefined) return response;
  const again = await answerTo(input, init, token);
  if (again.status === 401 && token === currentSession()?.token) expireSession();
  return again;
}

async function answerTo(input: Address, init: RequestInit, token: string | undefined): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  headers.set('Accept-Language', currentLanguage());
  const isRead = (init.method ?? 'GET') === 'GET';
  const inTime = AbortSignal.timeout(isRead ? readMs : doMs);
  const signal = init.signal ? AbortSignal.any([init.signal, inTime]) : inTime;
  return await fetch(input, { ...init, headers, signal }).catch((cause) => {
    throw new NoAnswer('The server does not answer.', { cause });
  });
}

/** Returns the sentence that says why a request was refused or not answered. */
export function reasonOf(error: unknown): string {
  const problem = problemOf(error);
  if (problem !== undefined) return problem.detail ?? problem.title;
  return error instanceof Error ? error.message : String(error);
}

/** Also of an answer that began and did not end in time. */
function isWithoutAnswer(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** Returns why a list could not be read, as the server says it; empty if it did not answer. */
export function failureReasonOf(error: unknown): string {
  if (isWithoutAnswer(error)) return '';
  return error instanceof HttpError && problemOf(error) === undefined ? `HTTP ${error.status}` : reasonOf(error);
}

/** Returns the content of a file below `/api/v1`, which needs the token and so cannot be the address of an image. */
export async function readFile(path: string): Promise<Blob> {
  const response = await request(`${location.origin}${basePath}${path}`);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.blob();
}
