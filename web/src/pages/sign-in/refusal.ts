// Why a sign-in was refused, and how long to wait before the next one.

import { HttpError } from '@tocsin/client';
import { reasonOf } from '../../data/server.ts';

export function refusalOf(error: unknown): { readonly text: string; readonly waitSeconds: number } {
  if (!(error instanceof HttpError)) return { text: reasonOf(error), waitSeconds: 0 };
  const data: { readonly error_description?: string; readonly detail?: string } = error.data ?? {};
  const waitSeconds = error.status === 429 ? Number(error.headers.get('retry-after') ?? 0) : 0;
  return { text: data.error_description ?? data.detail ?? error.message, waitSeconds };
}
