// Row type of conversations.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** Telephone conversations of any channel; what the person hears and presses changes the row. */
    conversations: {
      id: Generated<number>;
      /** Null if the person rang in. */
      attempt_id: number | null;
      user_id: number;
      /** JSON of `StoredMenu`. */
      menu: string;
      began_at: Instant;
      ended_at: Instant | null;
    };
  }
}
