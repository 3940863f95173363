// Reads the journal of a site for tests of the audit trail.

import assert from 'node:assert/strict';
import type { Caller, Row } from './site-caller.ts';

export type Entry = {
  readonly id: number;
  readonly time: string;
  readonly kind: string;
  readonly actor: string;
  readonly address?: string | undefined;
  readonly stationId?: number | undefined;
  readonly subject?: string | undefined;
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
  readonly sealed: boolean;
};

type JournalPage = {
  readonly items: readonly Entry[];
  readonly paging: { readonly limit: number; readonly next?: string };
};

export function journalPage(caller: Caller, query = ''): Promise<JournalPage> {
  return caller.ask<JournalPage>('GET', `/journal${query}`);
}

/** The entries, newest first; `query` has further parameters, such as `&kind=sign-in`. */
export async function journalOf(caller: Caller, query = ''): Promise<readonly Entry[]> {
  return (await journalPage(caller, `?limit=1000${query}`)).items;
}

/** The newest entry of a kind. */
export async function newest(caller: Caller, kind: string, query = ''): Promise<Entry> {
  const [entry] = await journalOf(caller, `&kind=${kind}${query}`);
  return entry ?? assert.fail(`there is no entry ${kind}`);
}
