// Row type of the nodes.

import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** The nodes that serve this database now. */
    nodes: { id: string; address: string; seen_at: Instant };
  }
}
