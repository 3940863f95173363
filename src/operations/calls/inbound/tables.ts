// Row types of inbound messages and of the keys that sign links.

import type { Generated } from 'kysely';
import type { Instant } from '../../../store/store.ts';

declare module '../../../store/tables.ts' {
  interface Tables {
    /** Messages that came from people; a message that comes twice counts once. */
    inbound_messages: {
      id: Generated<number>;
      /** Where it came in, such as `provider:3`. */
      source: string;
      /** The key of the message, unique within its source. */
      message_key: string;
      /** The person whom it was taken to be from; null if nobody. */
      user_id: number | null;
      attempt_id: number | null;
      /** `answered`, or why it was refused: an `InboundRefusal`. */
      outcome: string;
      created_at: Instant;
    };
    /** Keys of HMACs, the same for all nodes. */
    signing_keys: { name: string /** Base64. */; secret: string; created_at: Instant };
  }
}
