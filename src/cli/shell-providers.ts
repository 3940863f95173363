// Opens providers for one command, beside a running server or without one.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { existingKey, SecretBox } from '../access/secret-box.ts';
import { openersOf, unseal } from '../app/open-providers.ts';
import type { OpenProvider } from '../channels/channel.ts';
import type { Conversations } from '../channels/voice/conversations.ts';
import { MonotonicClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SealedProvider } from '../operations/providers/queries.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { Store } from '../store/store.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('the database is not used by this command'));

/** For commands that only look: a check of a provider needs no store. */
export const noStore: Store = {
  kind: 'sqlite',
  write: refuse,
  read: refuse,
  onEvents: () => () => {},
  eventDelayMs: () => 0,
  silentMs: () => 0,
  check: refuse,
  stats: () => ({ writes: 0, commits: 0, reads: 0 }),
  close: async () => {},
};

/** A command follows no events. */
const noFeed: EventFeed = { subscribe: () => () => {}, position: 0, stop: async () => {} };

/** Reads secrets, and makes no key if there is none. */
export function shellSecretBox({ secrets, dataDir }: Config): SecretBox {
  return new SecretBox(() => secrets.key ?? existingKey(dataDir), secrets.oldKeys);
}

type Parts = { readonly config: Config; readonly store: Store; readonly conversations?: Conversations };

/** Opens the provider, passes it on, and closes it. Throws an Error for administrators if it cannot be opened. */
export async function withProvider<T>(
  { provider, secrets }: SealedProvider,
  { config, store, conversations }: Parts,
  use: (open: OpenProvider) => Promise<T>,
): Promise<T> {
  const speechDir = mkdtempSync(join(tmpdir(), 'tocsin-speech-'));
  const clock = new MonotonicClock(Date.now());
  const context = { store, feed: noFeed, clock, config, onTrouble: () => {} };
  const opener = openersOf(context, { speechDir, ...(conversations && { conversations }) })[provider.kind];
  try {
    if (opener === undefined) throw new Error(`this version has no kind ${provider.kind}`);
    const open = opener(provider, unseal(secrets, shellSecretBox(config)));
    try {
      return await use(open);
    } finally {
      await open.close();
    }
  } finally {
    rmSync(speechDir, { recursive: true, force: true });
  }
}
