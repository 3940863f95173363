// Row types of sessions, API keys and the sign-in throttle.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    sessions: {
      id: Generated<number>;
      user_id: number;
      token_hash: string;
      address: string;
      created_at: Instant;
      expires_at: Instant;
    };
    /** The networks, and the marks of browsers as `device:<hash>`, from which a user has signed in lately. */
    sign_in_addresses: { user_id: number; network: string; last_success_at: Instant };
    /** Sign-ins that failed or are being checked. */
    sign_in_guesses: {
      id: Generated<number>;
      /** SHA-256 of the folded name, which need not be a user's: people type passwords into the wrong field. */
      account: string;
      /** The network, or a browser known to the account. */
      network: string;
      at: Instant;
      /** Whether the account had not signed in from the network. */
      is_new_address: Flag;
    };
    api_keys: {
      id: Generated<number>;
      name: string;
      token_hash: string;
      /** JSON list of scopes. */
      scopes: string;
      created_by: string;
      created_at: Instant;
      expires_at: Instant;
      last_used_at: Instant | null;
      /** The smallest number of days before expiry for which a warning was given. */
      warned_days: number | null;
    };
    api_key_stations: { api_key_id: number; station_id: number };
    /** Keys that were revoked before they expired; a restore does not bring them back. */
    revoked_keys: {
      token_hash: string;
      key_id: number;
      name: string;
      expires_at: Instant;
      revoked_at: Instant;
      /** JSON lists of what the key was allowed to do, and where. */
      scopes: Generated<string>;
      station_ids: Generated<string>;
    };
  }
}
