// Row types of media.

import type { Instant } from '../../store/store.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    media: {
      name: string;
      /** As in NamedRow. */
      words: string;
      type: string;
      size: number;
      last_change: Instant;
    };
    /** The content of media in parts; each is base64. */
    media_parts: { name: string; place: number; content: string };
  }
}
