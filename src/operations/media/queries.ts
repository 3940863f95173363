// Queries on media: lists without content, the content in parts, and which of some names exist.

import { sql } from 'kysely';
import type { MediaFile, MediaType } from '../../domain/media.ts';
import { searchPatterns } from '../../domain/search.ts';
import { sqlStatement, statement, textRows } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Query, ReadTx } from '../../store/store.ts';

/** A multiple of three, so that the base64 of a part has no padding except in the last. */
const bytesPerPart = 96 * 1024;

/** Splits content into base64 parts, because rows hold only texts and numbers. */
export function partsOf(content: Uint8Array): readonly string[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const count = Math.ceil(bytes.length / bytesPerPart);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * bytesPerPart, (index + 1) * bytesPerPart).toString('base64'),
  );
}

type MediaRow = { name: string; type: string; size: number; last_change: number };

function fileOf({ name, type, size, last_change }: MediaRow): MediaFile {
  return { name, type: type as MediaType, size, lastChange: last_change };
}

const selectFile = statement((db, args: { name: string }) =>
  db.selectFrom('media').select(['name', 'type', 'size', 'last_change']).where('name', '=', args.name),
);

const selectParts = statement((db, args: { name: string }) =>
  db.selectFrom('media_parts').select('content').where('name', '=', args.name).orderBy('place'),
);

export async function findMedia(tx: ReadTx, name: string): Promise<MediaFile | undefined> {
  const row = await tx.one(selectFile, { name });
  return row && fileOf(row);
}

type MediaContent = { readonly type: MediaType; readonly bytes: Uint8Array };

export const getMediaContent: Query<{ name: string }, MediaContent | undefined> = {
  name: 'get-media-content',
  run: (tx, { name }) => loadContent(tx, name),
};

export async function loadContent(tx: ReadTx, name: string): Promise<MediaContent | undefined> {
  const file = await findMedia(tx, name);
  if (file === undefined) return undefined;
  const parts = await tx.all(selectParts, { name });
  return { type: file.type, bytes: Buffer.from(parts.map(({ content }) => content).join(''), 'base64') };
}

type Filter = { patterns: string };
type LimitOffset = { limit: number; offset: number };

const page = (order: 'asc' | 'desc') =>
  sqlStatement<Filter & LimitOffset, MediaRow>(
    (args, kind) => sql`select name, type, size, last_change from ${table('media')}
      where not exists (select 1 from ${textRows(args.patterns, kind)} where words not like list.value)
      order by name ${sql.raw(order)} limit ${args.limit} offset ${args.offset}`,
  );

const selectPage = { asc: page('asc'), desc: page('desc') };

const countFiles = sqlStatement<Filter, { total: number }>(
  (args, kind) => sql`select count(*) as total from ${table('media')}
    where not exists (select 1 from ${textRows(args.patterns, kind)} where words not like list.value)`,
);

type MediaListing = LimitOffset & { readonly search: string; readonly order: 'asc' | 'desc' };
type MediaPage = { readonly items: readonly MediaFile[]; readonly total: number };

export const listMedia: Query<MediaListing, MediaPage> = {
  name: 'list-media',
  async run(tx, { search, order, limit, offset }) {
    const patterns = JSON.stringify(searchPatterns(search));
    const count = await tx.one(countFiles, { patterns });
    const rows = limit === 0 ? [] : await tx.all(selectPage[order], { patterns, limit, offset });
    return { items: rows.map(fileOf), total: count?.total ?? 0 };
  },
};

const selectNamesAmong = sqlStatement<{ names: string }, { name: string }>(
  (args, kind) =>
    sql`select name from ${table('media')} where name in (select list.value from ${textRows(args.names, kind)})`,
);

/** Returns which of the names exist. Any text may be passed: an invalid name is simply not found. */
export async function mediaNamesAmong(tx: ReadTx, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const rows = await tx.all(selectNamesAmong, { names: JSON.stringify(names) });
  return new Set(rows.map(({ name }) => name));
}
