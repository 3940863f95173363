// Row type of refused intakes.

import type { Generated } from 'kysely';
import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    intake_refusals: {
      id: Generated<number>;
      at: Instant;
      actor: string;
      /** JSON of the caller with the rights that it had. */
      principal: string;
      address: string;
      /** The method and the path of the route. */
      route: string;
      code: string;
      reason: string;
      content_type: string;
      /** The beginning of the body, in base64: it need not be text. */
      body: string;
      /** The length of the whole body in bytes. */
      body_length: number;
      retried_at: Instant | null;
      retried_by: string | null;
    };
  }
}
