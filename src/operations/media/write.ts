// Stores and removes media. Media belong to no station, so only callers bound to no station may change them.

import { sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import { largestMediaStore, type MediaFile, type MediaType } from '../../domain/media.ts';
import { searchableText } from '../../domain/search.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { insertRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { Operation, Tx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { contentTagOf, type IfMatch, refuseOtherTag } from '../entity-tag.ts';
import { loadContent, partsOf } from './queries.ts';

type NewMedia = {
  readonly caller: Caller;
  readonly name: string;
  readonly type: MediaType;
  readonly content: Uint8Array;
  readonly ifMatch?: IfMatch;
};

/** Stores a file, replacing one of the same name, and returns its description. */
export const storeMedia: Operation<NewMedia, MediaFile> = {
  name: 'store-media',
  async run(tx, now, { caller, name, type, content, ifMatch }) {
    refuseBound(caller);
    await refuseOtherContent(tx, name, ifMatch);
    const size = content.length;
    await refuseWithoutRoom(tx, name, size);
    const before = await tx.one(selectFile, { name });
    await tx.run(putFile, { name, words: searchableText(name), type, size, now });
    await tx.run(removeParts, { name });
    await tx.each(
      insertParts,
      partsOf(content).map((part, place) => ({ name, place, content: part })),
    );
    await appendEvent(tx, now, { kind: 'media.stored', actor: caller.actor, data: { name, type, size } });
    const after = { type, size };
    await appendAudit(tx, now, { kind: 'media.stored', origin: caller, subject: `media:${name}`, before, after });
    return { name, type, size, lastChange: now };
  },
};

export const removeMedia: Operation<{ caller: Caller; name: string; ifMatch?: IfMatch }, void> = {
  name: 'remove-media',
  async run(tx, now, { caller, name, ifMatch }) {
    refuseBound(caller);
    const before = await tx.one(selectFile, { name });
    if (before !== undefined) await refuseOtherContent(tx, name, ifMatch);
    const removed = await tx.run(removeFile, { name });
    if (removed === 0) throw new AppError('not-found', `There is no media file ${name}.`);
    await appendEvent(tx, now, { kind: 'media.removed', actor: caller.actor, data: { name } });
    await appendAudit(tx, now, { kind: 'media.removed', origin: caller, subject: `media:${name}`, before });
  },
};

/** The tag of a file is that of its content. */
async function refuseOtherContent(tx: Tx, name: string, ifMatch: IfMatch): Promise<void> {
  if (ifMatch === undefined) return;
  const stored = await loadContent(tx, name);
  refuseOtherTag(stored && contentTagOf(stored.bytes), ifMatch);
}

function refuseBound({ stationIds }: Caller): void {
  if (stationIds.length === 0) return;
  throw new AppError('unprocessable', 'Media are shared by all stations: a caller bound to some cannot change them.');
}

async function refuseWithoutRoom(tx: Tx, name: string, size: number): Promise<void> {
  const used = (await tx.one(sumOthers, { name }))?.total ?? 0;
  if (used + size <= largestMediaStore) return;
  throw new AppError(
    'unprocessable',
    `The media store is full: it takes ${largestMediaStore} bytes in all, ${used} are used and this file has ${size}. Remove files that are no longer needed.`,
  );
}

const selectFile = statement((db, args: { name: string }) =>
  db.selectFrom('media').select(['type', 'size']).where('name', '=', args.name),
);

const sumOthers = statement((db, args: { name: string }) =>
  db
    .selectFrom('media')
    .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('total'))
    .where('name', '<>', args.name),
);

const putFile = statement<{ name: string; words: string; type: string; size: number; now: number }>((db, args) =>
  db
    .insertInto('media')
    .values({ name: args.name, words: args.words, type: args.type, size: args.size, last_change: args.now })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ type: args.type, size: args.size, last_change: args.now }),
    ),
);

const removeParts = statement<{ name: string }>((db, args) =>
  db.deleteFrom('media_parts').where('name', '=', args.name),
);

const insertParts = insertRows('media_parts', { name: 'text', place: 'int', content: 'text' });

const removeFile = statement<{ name: string }>((db, args) => db.deleteFrom('media').where('name', '=', args.name));
