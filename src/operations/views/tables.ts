// Row type of the lists of saved views.

import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    view_lists: {
      /** `user:3`, `station:2` or `all`. */
      owner: string;
      user_id: number | null;
      station_id: number | null;
      /** JSON of the views, in their order. */
      views: string;
      last_change: Instant;
    };
  }
}
