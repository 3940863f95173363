// Row types of the demo plant.

import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** One row with the id 1 while there is a demo plant. */
    demo_plants: {
      id: number;
      state: DemoState;
      /** The step that is made or removed next, and how many of its rows are done. */
      step: string;
      done: number;
      seed: number;
      time_zone: string;
      /** The actors who asked for it and for its removal. */
      made_by: string;
      made_at: Instant;
      removed_by: string | null;
      /** How many moves were made: alarms that came, went or were acknowledged. */
      moves: number;
      /** When the next is due; null while it is made or removed. */
      next_move_at: Instant | null;
    };
    /** The entries that belong to the demo plant, by their names in its plan (domain/demo/). */
    demo_entries: { kind: DemoKind; name: string; entry_id: number };
  }
}

export type DemoState = 'making' | 'ready' | 'removing';

export type DemoKind = 'station' | 'tagGroup' | 'alarm' | 'user' | 'team' | 'schedule' | 'callGroup' | 'scenario';
