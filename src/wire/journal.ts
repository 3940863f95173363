// The JSON of journal entries, and the cursor of the journal.

import { type Static, Type } from 'typebox';
import type { AuditRow } from '../domain/audit/entry.ts';
import { auditKinds } from '../domain/audit/kinds.ts';
import { instantText, printInstant } from './date-time.ts';
import { idOf, uint } from './paging.ts';

const values = (description: string) => Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description }));

export const journalEntrySchema = Type.Object(
  {
    id: idOf('entry'),
    time: instantText('When it happened.'),
    kind: Type.String({ description: `What happened: one of ${auditKinds.map((kind) => `\`${kind}\``).join(', ')}.` }),
    actor: Type.String({
      description:
        'Who did it: `user:3`, `key:7`, `cli`, `system`, or `anonymous` for a request without a valid token.',
      examples: ['user:3'],
    }),
    address: Type.Optional(Type.String({ description: 'The network address or telephone number that it came from.' })),
    stationId: Type.Optional(
      uint({ description: 'The station it concerns; absent for what concerns the whole installation.' }),
    ),
    subject: Type.Optional(Type.String({ description: 'What it was done to.', examples: ['alarm:12'] })),
    before: values('The values before; of a change only the fields that differ, and the name.'),
    after: values('The values after, or what was done.'),
    sealed: Type.Boolean({
      description: 'Whether the entry is sealed: a later change of it is found by `tocsin audit verify`.',
    }),
  },
  { title: 'JournalEntry', description: 'One entry of the audit trail.' },
);

export function printJournalEntry(row: AuditRow, timeZone: string): Static<typeof journalEntrySchema> {
  const { id, at, kind, actor, address, stationId, subject, before, after, sealId } = row;
  return {
    id,
    time: printInstant(at, timeZone),
    kind,
    actor,
    ...(address === undefined ? {} : { address }),
    ...(stationId === undefined ? {} : { stationId }),
    ...(subject === undefined ? {} : { subject }),
    ...(before === undefined ? {} : { before: objectFrom(before) }),
    ...(after === undefined ? {} : { after: objectFrom(after) }),
    sealed: sealId !== undefined,
  };
}

/** A text that is not JSON was tampered with, and is shown as it is. */
function objectFrom(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

type Place = { readonly at: number; readonly id: number };

export function printCursor({ at, id }: Place): string {
  return `${at}-${id}`;
}

/** Returns undefined for a text that is no cursor. */
export function parseCursor(text: string): Place | undefined {
  const [, at, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return id === undefined ? undefined : { at: Number(at), id: Number(id) };
}
