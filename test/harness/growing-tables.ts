// Finds in the plans of statements what reads a table that grows with what happens from end to end.

import type { Plan } from './stores/plans.ts';

/** Tables that grow with what happens. The others have as many rows as somebody has entered, or as the last minutes brought. */
const growing =
  /\b(alarm_histories|history_\w+|intervention_counts|call_(?!group|turns)\w+|conversations|phone_messages|inbound_messages|intake_refusals|command_runs|audit_\w+|events|idempotency_keys|sessions|alarm_descriptions|sign_in_\w+)\b/;

/** Read from one end, with a limit before any condition. */
const fromTheEnd: readonly RegExp[] = [
  /from "?events"? where "?position"? is not null (and "at" < .* )?order by "?position"?/s,
  /from "alarm_histories" where "reset_at" is not null order by "id" limit/,
  /^select max\("position"\) as "position" from "events"$/,
  /from "audit_seals" order by "id" desc limit/,
];

/** Indexes of rows that are open or wait, which are few, and the end of one. */
const fewRows =
  /_open\w*|call_attempts_(due|leased)\b|call_causes_(exhausted|set_aside)|command_runs_(due|leased)|audit_entries_unsealed|audit_entries_by_seal/;

const isScan = {
  // A search without a condition goes from an end of the table until it finds a row, and one for ids above some reads most of it.
  sqlite: (step: string) => /^SCAN (?!CONSTANT|json_each|oldest)|^SEARCH [^(]*$|^SEARCH .*\(\w+_id>\?\)/.test(step),
  postgres: (step: string) => /Seq Scan/.test(step) || (/Index/.test(step) && !/ \(/.test(step)),
};

/** All attempts for a person are a history of years: those since some time are read. */
const isOfSomebody = (step: string): boolean => /call_attempts_by_user\b(?!.*created_at)/.test(step);

/** The steps that read a growing table from end to end, or all of it that concerns somebody; `allowed` are known ones. */
export function scansOf(
  plans: readonly Plan[],
  kind: keyof typeof isScan,
  allowed: readonly RegExp[] = [],
): readonly string[] {
  return plans.flatMap(({ text, steps }) =>
    [...fromTheEnd, ...allowed].some((known) => known.test(text))
      ? []
      : steps
          .filter((step) => (isScan[kind](step) && growing.test(step) && !fewRows.test(step)) || isOfSomebody(step))
          .map((step) => `${step}: ${text}`),
  );
}
