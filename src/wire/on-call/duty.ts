// The JSON of a schedule preview: who has the duty when, uncovered times, and times that two entries claim.

import { type Static, Type } from 'typebox';
import type { CoverageWarnings } from '../../domain/on-call/coverage-warnings.ts';
import type { DutySlot, Schedule } from '../../domain/on-call/schedule.ts';
import type { UnusedEntry } from '../../domain/on-call/unused-entries.ts';
import { instantText, printInstant } from '../date-time.ts';
import { idOrNull } from '../entry.ts';
import { uint } from '../paging.ts';

const period = { from: instantText('The beginning.'), to: instantText('The end.') };

const slot = Type.Object(
  {
    ...period,
    teamId: idOrNull('Who has the duty: a team,'),
    userId: idOrNull('or one person; neither: a gap, or the duty is locked.'),
    locked: Type.Boolean({ description: 'Whether nobody is called.' }),
    source: Type.String({ description: 'The schedule entry that determines the holder.', examples: ['weekly[0]'] }),
    reason: Type.String({ description: 'Why, as the schedule says.' }),
  },
  { title: 'DutySlot', description: 'A time with one holder of the duty.' },
);
const gap = Type.Object(period, { title: 'DutyGap', description: 'A time at which nobody has the duty.' });
const overlap = Type.Object(
  {
    entries: Type.Array(Type.String(), {
      description: 'The two entries of the schedule.',
      examples: [['weekly[0]', 'weekly[2]']],
    }),
    ...period,
    times: uint({ description: 'Number of overlaps in the period; `from` and `to` are those of the first.' }),
  },
  { title: 'DutyOverlap', description: 'A time that two entries claim.' },
);

const unused = Type.Object(
  {
    entry: Type.String({ description: 'The entry of the schedule.', examples: ['weekly[0]'] }),
    reason: Type.String({ description: 'Why it never applies.', examples: ['later entries cover all of its time'] }),
  },
  { title: 'UnusedDuty', description: 'An entry by which nobody has the duty in the coming year.' },
);
const whyUnused: Readonly<Record<UnusedEntry['cause'], string>> = {
  covered: 'later entries cover all of its time',
  'no-day': 'none of its days comes within a year',
};

export const previewSchema = Type.Object(
  {
    slots: Type.Array(slot, { description: 'Who has the duty when.' }),
    gaps: Type.Array(gap, { description: 'Times at which nobody has the duty.' }),
    overlaps: Type.Array(overlap, {
      description: 'Two entries of one layer that name different holders for the same time; the later one wins.',
    }),
    unused: Type.Array(unused, { description: 'Weekly entries and rotations that never apply.' }),
    hasMore: Type.Boolean({ description: 'There are more gaps or overlaps than are listed.' }),
  },
  { title: 'SchedulePreview', description: 'The duty that a schedule gives.' },
);

export function printPreview(
  { timeZone }: Pick<Schedule, 'timeZone'>,
  slots: readonly DutySlot[],
  { gaps, overlaps, hasMore }: CoverageWarnings,
  unused: readonly UnusedEntry[],
): Static<typeof previewSchema> {
  const times = ({ from, to }: { readonly from: number; readonly to: number }) => ({
    from: printInstant(from, timeZone),
    to: printInstant(to, timeZone),
  });
  return {
    slots: slots.map(({ holder, source, reason, ...slot }) => ({
      ...times(slot),
      teamId: holder?.kind === 'team' ? holder.teamId : null,
      userId: holder?.kind === 'user' ? holder.userId : null,
      locked: holder?.kind === 'locked',
      source,
      reason,
    })),
    gaps: gaps.map(times),
    overlaps: overlaps.map(({ entries, times: count, ...slot }) => ({
      entries: [...entries],
      ...times(slot),
      times: count,
    })),
    unused: unused.map(({ entry, cause }) => ({ entry, reason: whyUnused[cause] })),
    hasMore,
  };
}

/** Prints the warnings as sentences without full stops; only the first gap is printed. */
export function printCoverageWarnings(
  { timeZone }: Schedule,
  { gaps, overlaps }: CoverageWarnings,
  unused: readonly UnusedEntry[],
): readonly string[] {
  const [gap] = gaps;
  const between = ({ from, to }: { readonly from: number; readonly to: number }): string =>
    `from ${printInstant(from, timeZone)} to ${printInstant(to, timeZone)}`;
  return [
    ...(gap === undefined
      ? []
      : [`nobody has the duty ${between(gap)}${gaps.length > 1 ? ', and at other times' : ''}`]),
    ...overlaps.map(({ entries: [one, other], ...slot }) => `${one} and ${other} both give the duty ${between(slot)}`),
    ...unused.map(({ entry, cause }) => `${entry} never applies: ${whyUnused[cause]}`),
  ];
}
