// Row type of the simulator's messages.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** Calls and texts of the simulator's phones, in both directions. */
    phone_messages: {
      id: Generated<number>;
      user_id: number;
      attempt_id: number | null;
      channel: string;
      address: string;
      /** `to` the person or `from` them. */
      direction: string;
      text: string;
      /** `ringing`, `answered`, `ended` for a call; `delivered` for a text. */
      state: string;
      outcome: string;
      created_at: Instant;
      answered_at: Instant | null;
      ended_at: Instant | null;
    };
  }
}
