// Row type of the nodes.

import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** The nodes that serve this database now. */
    nodes: {
      id: string;
      /** Null for a node of an earlier version. */
      name: string | null;
      address: string;
      seen_at: Instant;
    };
  }
}
