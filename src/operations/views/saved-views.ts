// Reads and replaces lists of saved views: the caller's own, and those that are shared.

import type { Caller } from '../../domain/access/access.ts';
import {
  mayWriteViews,
  ownerWord,
  repeatedName,
  type SavedView,
  seesViews,
  type ViewOwner,
} from '../../domain/views.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Query, ReadTx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { entityTagOf, type IfMatch, refuseOtherVersion } from '../entity-tag.ts';

type ViewList = { readonly views: readonly SavedView[]; readonly lastChange: Instant };
export type TaggedViews = { readonly views: readonly SavedView[]; readonly tag: string };
export type SharedView = SavedView & { readonly stationId: number | undefined };
type ByStations = Pick<Caller, 'stationIds'>;

/** Returns one list; that of a station which the caller does not see is empty. */
export const getViews: Query<{ readonly caller: ByStations; readonly owner: ViewOwner }, TaggedViews> = {
  name: 'get-views',
  run: async (tx, { caller, owner }) =>
    tagged(seesViews(caller, owner) ? await findList(tx, owner) : { views: [], lastChange: 0 }),
};

/** Returns the shared views that the caller sees: first those of all stations, then those of each station. */
export const listSharedViews: Query<{ readonly caller: ByStations }, readonly SharedView[]> = {
  name: 'list-shared-views',
  async run(tx, { caller }) {
    const rows = await tx.all(selectShared, {});
    return rows.flatMap(({ station_id, views }) => {
      const owner: ViewOwner = station_id === null ? { kind: 'all' } : { kind: 'station', id: station_id };
      const shown = seesViews(caller, owner) ? (JSON.parse(views) as SavedView[]) : [];
      return shown.map((view) => ({ ...view, stationId: station_id ?? undefined }));
    });
  },
};

type NewViews = {
  readonly caller: Caller;
  readonly owner: ViewOwner;
  readonly views: readonly SavedView[];
  readonly ifMatch: IfMatch;
};

export const replaceViews: Operation<NewViews, TaggedViews> = {
  name: 'replace-views',
  async run(tx, now, { caller, owner, views, ifMatch }) {
    await refuseForeign(tx, caller, owner);
    const before = await findList(tx, owner);
    refuseOtherVersion(before, ifMatch);
    refuseRepeated(views);
    const stationId = owner.kind === 'station' ? owner.id : undefined;
    const row = {
      owner: ownerWord(owner),
      user_id: owner.kind === 'user' ? owner.id : null,
      station_id: stationId ?? null,
      views: JSON.stringify(views),
      last_change: Math.max(now, before.lastChange + 1),
    };
    await tx.run(putList, row);
    const subject = `views:${row.owner}`;
    const names = (list: readonly SavedView[]) => ({ names: list.map(({ name }) => name) });
    const change = { before: names(before.views), after: names(views) };
    await appendEvent(tx, now, {
      kind: 'views.changed',
      actor: caller.actor,
      ...(stationId === undefined ? {} : { stationId }),
      data: { owner: row.owner },
    });
    await appendAudit(tx, now, { kind: 'views.changed', origin: caller, stationId, subject, ...change });
    return tagged({ views, lastChange: row.last_change });
  },
};

function tagged(list: ViewList): TaggedViews {
  return { views: list.views, tag: entityTagOf(list) };
}

async function findList(tx: ReadTx, owner: ViewOwner): Promise<ViewList> {
  const row = await tx.one(selectList, { owner: ownerWord(owner) });
  return row === undefined
    ? { views: [], lastChange: 0 }
    : { views: JSON.parse(row.views), lastChange: row.last_change };
}

async function refuseForeign(tx: ReadTx, caller: Caller, owner: ViewOwner): Promise<void> {
  if (owner.kind === 'all' && !mayWriteViews(caller, owner))
    throw new AppError(
      'unprocessable',
      'These views are shared by all stations: a caller bound to some cannot change them; name a station.',
    );
  if (owner.kind !== 'station') return;
  const isThere = mayWriteViews(caller, owner) && (await tx.one(selectStation, { id: owner.id })) !== undefined;
  const message = 'names a station that does not exist';
  if (!isThere)
    throw new AppError('unprocessable', `stationId ${message}.`, { errors: [{ field: 'stationId', message }] });
}

function refuseRepeated(views: readonly SavedView[]): void {
  const index = repeatedName(views);
  if (index === undefined) return;
  const field = `views[${index}].name`;
  throw new AppError('unprocessable', `${field} is the name of an earlier view.`, {
    errors: [{ field, message: 'is the name of an earlier view' }],
  });
}

const selectList = statement((db, args: { owner: string }) =>
  db.selectFrom('view_lists').select(['views', 'last_change']).where('owner', '=', args.owner),
);

/** In the order of the word of the owner: `all` is before `station:2`. */
const selectShared = statement((db) =>
  db.selectFrom('view_lists').select(['station_id', 'views']).where('user_id', 'is', null).orderBy('owner'),
);

const selectStation = statement((db, args: { id: number }) =>
  db.selectFrom('stations').select('id').where('id', '=', args.id),
);

type ListRow = {
  owner: string;
  user_id: number | null;
  station_id: number | null;
  views: string;
  last_change: number;
};

const putList = statement<ListRow>((db, args) =>
  db
    .insertInto('view_lists')
    .values({
      owner: args.owner,
      user_id: args.user_id,
      station_id: args.station_id,
      views: args.views,
      last_change: args.last_change,
    })
    .onConflict((conflict) =>
      conflict.column('owner').doUpdateSet({ views: args.views, last_change: args.last_change }),
    ),
);
