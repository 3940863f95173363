// Opens the store for one CLI command, possibly beside a running server, and closes it afterwards.

import type { Environment } from '../config.ts';
import { readConfig } from '../config.ts';
import { StartError } from '../errors.ts';
import { openStore } from '../open-store.ts';
import { isStoreEmpty } from '../operations/access/queries.ts';
import type { Store } from '../store/store.ts';

export async function withStore<T>(environment: Environment, work: (store: Store) => Promise<T>): Promise<T> {
  const config = readConfig(environment);
  const store = await openStore(config, {
    clock: { now: () => Date.now() },
    exclusive: false,
    onTrouble: () => {},
    onNotice: (sentence) => console.error(sentence),
    onBroken: () => {},
  });
  try {
    if (await store.read(isStoreEmpty, {})) {
      throw new StartError(
        'There is nothing here yet: start Tocsin once with "npm start", then try again.',
        'bad-usage',
      );
    }
    return await work(store);
  } finally {
    await store.close();
  }
}
