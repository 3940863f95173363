// The journal: the audit trail over the interface.

import { Type } from 'typebox';
import { callerOf } from '../domain/access/access.ts';
import { AppError } from '../errors.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { listJournal } from '../operations/audit/list-journal.ts';
import type { Store } from '../store/store.ts';
import { dateTimeText, parsePeriod } from '../wire/date-time.ts';
import { journalEntrySchema, parseCursor, printCursor, printJournalEntry } from '../wire/journal.ts';
import { only, optionalText, pageOf, uint } from '../wire/paging.ts';

const defaultLimit = 10;

const journalPaging = Type.Object(
  {
    limit: uint({ description: 'The limit that was applied.', examples: [10] }),
    next: Type.Optional(Type.String({ description: 'The cursor of the next page; absent on the last page.' })),
  },
  { title: 'JournalPaging', description: 'The place of this page in the journal.' },
);

const journalPage = Type.Object(
  { items: Type.Array(journalEntrySchema, { description: 'The page, newest first.' }), paging: journalPaging },
  { title: 'JournalEntryPage', description: 'A part of the journal.' },
);

export function journalRoute({ store, timeZone }: { readonly store: Store; readonly timeZone: string }): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/journal',
    scope: 'audit:read',
    tag: 'Journal',
    operationId: 'listJournal',
    summary: 'List the journal',
    description:
      'Who did what, when, from where, with the values before and after; newest first. A caller bound to stations gets the entries of its stations, without those that name people of other stations.',
    query: Type.Object({
      limit: Type.Optional(uint({ description: 'Maximum number of entries; capped at 1000.', default: defaultLimit })),
      cursor: optionalText(64, { description: '`paging.next` of the page before.' }),
      from: Type.Optional(dateTimeText({ description: 'Only entries at or after this time.' })),
      to: Type.Optional(dateTimeText({ description: 'Only entries before this time.' })),
      actor: optionalText(64, { description: 'Only by this actor.', examples: ['user:3'] }),
      kind: optionalText(64, { description: 'Only of this kind.', examples: ['alarm.masked'] }),
      subject: optionalText(256, { description: 'Only about this subject.', examples: ['alarm:12'] }),
      stationId: only('of this station'),
    }),
    responses: { 200: journalPage },
    refusals: [],
    handle: async ({ query, principal }) => {
      const { actor, kind, subject, stationId } = query;
      const { limit } = pageOf(query, defaultLimit);
      const { items, hasMore } = await store.read(listJournal, {
        caller: callerOf(principal),
        filter: { ...parsePeriod(query, timeZone), actor, kind, subject, stationId },
        after: placeOf(query.cursor),
        limit,
      });
      const last = hasMore ? items.at(-1) : undefined;
      return {
        items: items.map((row) => printJournalEntry(row, timeZone)),
        paging: { limit, ...(last === undefined ? {} : { next: printCursor(last) }) },
      };
    },
  });
}

function placeOf(cursor: string | undefined) {
  const place = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor === undefined || place !== undefined) return place;
  const message = 'must be the paging.next of another page';
  throw new AppError('invalid-input', `cursor ${message}.`, { errors: [{ field: 'cursor', message }] });
}
