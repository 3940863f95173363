// Opens the store and gives this node its id, after it has taken the data folder of a PostgreSQL node.

import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { holdFolder, openStore, type StoreNeeds } from '../open-store.ts';
import type { Store } from '../store/store.ts';
import type { Teardown } from './teardown.ts';

type NodeStore = {
  readonly store: Store;
  readonly nodeId: string;
  /**
   * Prefix of node ids: every other node whose id has it has ended, so its leases can be taken over at once. Undefined if
   * other nodes may still run.
   */
  readonly endedNodes: string | undefined;
};

export async function openNodeStore(
  config: Config,
  needs: Omit<StoreNeeds, 'exclusive' | 'schemaChange'>,
  teardown: Teardown,
): Promise<NodeStore> {
  const held = config.databaseUrl === undefined ? undefined : holdFolder(config.dataDir, needs.onNotice);
  const folder = held === 'taken' ? undefined : held;
  teardown.add(() => folder?.release());
  const store = await openStore(config, { ...needs, exclusive: held !== 'taken', schemaChange: 'make-or-upgrade' });
  teardown.add(() => store.close());
  const lineage = folder?.lineage;
  return {
    store,
    nodeId: lineage === undefined ? randomUUID() : `${lineage}.${randomUUID()}`,
    // On SQLite any earlier node is gone; on PostgreSQL the earlier holders of the folder lock are.
    endedNodes: config.databaseUrl === undefined ? '' : lineage,
  };
}
