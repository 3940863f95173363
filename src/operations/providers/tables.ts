// Row types of providers, their health and their leases.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    providers: {
      id: Generated<number>;
      name: string;
      /** Search words of the name. */
      words: string;
      channel: string;
      kind: string;
      /** The order among the providers of its channel. */
      place: number;
      is_enabled: Flag;
      lines: number | null;
      per_second: number | null;
      per_day: number | null;
      /** The cost of one delivery in millionths of the currency. */
      cost_micros: number;
      /** JSON list of prefixes of telephone numbers. */
      countries: string;
      node: string | null;
      /** JSON object; the kind of the provider knows its fields. */
      settings: string;
      /** JSON object: the name of each secret and its encrypted value. */
      secrets: string;
      last_change: Instant;
    };
    /** Missing as long as a provider was neither used nor checked. */
    provider_health: {
      provider_id: number;
      /** A ProviderState. */
      state: string;
      since: Instant;
      failures: number;
      /** JSON list of FailedAddress. */
      failed: string;
      probe_at: Instant;
      /** For people; no rule reads it. */
      reason: string;
    };
    /** The node that holds what only one node may hold of a provider, such as a registration. */
    provider_leases: { provider_id: number; node: string; until: Instant };
    /** Which node cannot open which provider, as one with another key for the secrets; the reason is for people. */
    unopened_providers: { provider_id: number; node: string; reason: string };
  }
}
