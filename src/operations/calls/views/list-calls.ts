// Lists the calls that are running or waiting, and after them those that wait for their delay.

import type { Instant, Query } from '../../../store/store.ts';
import { countDelayed, listDelayed } from './delayed-calls.ts';
import { countOpen, listOpen } from './open-calls.ts';
import type { CallReader, OpenCall } from './shown-call.ts';

type Listing = {
  readonly now: Instant;
  readonly reader: CallReader;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
};

export const listOpenCalls: Query<Listing, { readonly items: readonly OpenCall[]; readonly total: number }> = {
  name: 'list-open-calls',
  isComputation: true,
  async run(tx, { now, reader, order, limit, offset }) {
    const open = { count: await countOpen(tx, reader), list: listOpen };
    const delayed = { count: await countDelayed(tx, reader), list: listDelayed };
    const items: OpenCall[] = [];
    let before = 0;
    for (const { count, list } of order === 'asc' ? [open, delayed] : [delayed, open]) {
      const first = Math.max(0, offset - before);
      const room = Math.min(limit - items.length, count - first);
      if (room > 0) items.push(...(await list(tx, now, reader, { order, limit: room, offset: first })));
      before += count;
    }
    return { items, total: open.count + delayed.count };
  },
};
