// The order of messages on channels whose receivers are programs: a message about an alarm is not sent to an address before an
// earlier one about it was delivered or given up.

import { sql } from 'kysely';
import { sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';

/**
 * Due attempts that are too early. A message is the first try at an address and its repetitions: only a first try waits, for
 * any other message that is under way, about to be repeated, or was due before; so no two wait for each other.
 */
export const selectEarly = sqlStatement<Record<string, never>, { id: number }>(
  () => sql`select mine.id from ${table('call_attempts')} as mine
    join ${table('call_cycles')} as my_cycle on my_cycle.id = mine.cycle_id
    where mine.state = 'due' and mine.channel = 'webhook' and my_cycle.tries = 0 and exists (
      select 1 from ${table('call_causes')} as my_cause
      join ${table('call_causes')} as cause on cause.alarm_id = my_cause.alarm_id and cause.ended_at is null
      join ${table('call_attempts')} as other on other.call_id = cause.call_id
      join ${table('call_cycles')} as cycle on cycle.id = other.cycle_id
      where my_cause.call_id = mine.call_id and my_cause.ended_at is null
        and other.channel = mine.channel and other.address = mine.address and other.cycle_id <> mine.cycle_id
        and (other.state = 'started'
          or (other.state = 'due' and (other.id < mine.id or cycle.tries > 0))
          or (other.state = 'failed' and cycle.phase = 'pausing' and cycle.pause = 'retry' and cycle.number_id = other.number_id)))`,
);
