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

/** Sends a request with the token. A refused token ends the session, so that the sign-in opens over the screen. */
async function request(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const token = currentSession()?.token;
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  headers.set('Accept-Language', currentLanguage());
  const response = await fetch(input, { ...init, headers }).catch((cause) => {
    throw new NoAnswer('The server does not answer.', { cause });
  });
  if (response.status === 401 && token !== undefined && token === currentSession()?.token) expireSession();
  return response;
}

/** Returns the sentence that says why a request was refused or not answered. */
export function reasonOf(error: unknown): string {
  const problem = problemOf(error);
  if (problem !== undefined) return problem.detail ?? problem.title;
  return error instanceof Error ? error.message : String(error);
}

/** Returns why a list could not be read, as the server says it; empty if it did not answer. */
export function failureReasonOf(error: unknown): string {
  if (error instanceof NoAnswer) return '';
  return error instanceof HttpError && problemOf(error) === undefined ? `HTTP ${error.status}` : reasonOf(error);
}

/** Returns the content of a file below `/api/v1`, which needs the token and so cannot be the address of an image. */
export async function readFile(path: string): Promise<Blob> {
  const response = await request(`${location.origin}${basePath}${path}`);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.blob();
}
