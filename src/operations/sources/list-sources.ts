// Lists sources as a caller sees them: the keys and data servers of its stations, and what came from each.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Query } from '../../store/store.ts';
import { type Holder, listHolders, sourceOf } from './holders.ts';

export type Source = Holder & {
  /** Undefined if nothing has come yet. */
  readonly lastAt: Instant | undefined;
  readonly usualMs: number | undefined;
  /** The silence that is unusual; undefined if the source is not regular, or not known long enough. */
  readonly silentAfterMs: number | undefined;
  readonly isSilent: boolean;
};

type Listing = {
  readonly caller: Pick<Caller, 'stationIds'>;
  readonly now: Instant;
  readonly stationId: number | undefined;
  readonly limit: number;
  readonly offset: number;
};

export const listSources: Query<Listing, { readonly items: readonly Source[]; readonly total: number }> = {
  name: 'list-sources',
  async run(tx, { caller, now, stationId, limit, offset }) {
    const holders = (await listHolders(tx, now)).filter(
      (holder) => isSeen(caller, holder) && (stationId === undefined || holder.stationIds.includes(stationId)),
    );
    const reports = new Map((await tx.all(selectReports, {})).map((row) => [row.source, row]));
    const items = holders.slice(offset, offset + limit).map((holder): Source => {
      const row = reports.get(sourceOf(holder));
      return {
        ...holder,
        lastAt: row?.last_at,
        usualMs: row?.usual_ms ?? undefined,
        silentAfterMs: row === undefined || row.silent_at === null ? undefined : row.silent_at - row.last_at,
        isSilent: row?.is_silent === 1,
      };
    });
    return { items, total: holders.length };
  },
};

/** A key that is bound to no station, or also to others, is not of the caller's stations alone. */
function isSeen(caller: Pick<Caller, 'stationIds'>, { kind, stationIds }: Holder): boolean {
  const isOfStations = kind === 'dataServer' || stationIds.length > 0 || caller.stationIds.length === 0;
  return isOfStations && stationIds.every((id) => seesStation(caller, id));
}

const selectReports = statement((db) =>
  db.selectFrom('source_reports').select(['source', 'last_at', 'usual_ms', 'silent_at', 'is_silent']),
);
