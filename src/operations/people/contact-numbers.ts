// Writes the contact numbers of a user, all at once and in the order in which they are tried.

import type { ContactNumber } from '../../domain/people/person.ts';
import { insertRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { Tx } from '../../store/store.ts';

/** A number with the id of an existing one keeps that id, so that records that refer to it stay valid. */
export async function putNumbers(
  tx: Tx,
  userId: number,
  numbers: readonly ContactNumber[],
  former: readonly ContactNumber[],
): Promise<void> {
  const free = new Set(former.map(({ id }) => id));
  const rows = numbers.map((number, index) => ({ id: number.id, row: rowOf(userId, index, number) }));
  const existing: ({ id: number } & NumberRow)[] = [];
  const added: NumberRow[] = [];
  for (const { id, row } of rows) {
    if (free.delete(id)) existing.push({ id, ...row });
    else added.push(row);
  }
  await tx.run(removeNumbers, { userId });
  await tx.each(insertExisting, existing);
  await tx.each(insertNew, added);
}

type NumberRow = ReturnType<typeof rowOf>;

function rowOf(userId: number, index: number, number: ContactNumber) {
  return {
    user_id: userId,
    place: index,
    channel: number.channel,
    address: number.address,
    valid: number.valid ? 1 : 0,
    verified: number.verified ? 1 : 0,
    final: number.final ? 1 : 0,
    count_try: number.countTry,
    time_to_retry: number.timeToRetrySeconds,
    count_ack: number.countAck,
    time_to_ack: number.timeToAckSeconds,
    ack_auto_default: number.acksWhenReached ? 1 : 0,
    schedule_id: number.scheduleId ?? null,
    is_stand_in: number.isStandIn ? 1 : 0,
    priority_from: number.priorities?.from ?? null,
    priority_to: number.priorities?.to ?? null,
    tells_taken: number.followUps?.taken ? 1 : 0,
    tells_back: number.followUps?.back ? 1 : 0,
  };
}

const removeNumbers = statement<{ userId: number }>((db, args) =>
  db.deleteFrom('user_numbers').where('user_id', '=', args.userId),
);

const columns = {
  user_id: 'int',
  place: 'int',
  channel: 'text',
  address: 'text',
  valid: 'int',
  verified: 'int',
  final: 'int',
  count_try: 'int',
  time_to_retry: 'int',
  count_ack: 'int',
  time_to_ack: 'int',
  ack_auto_default: 'int',
  schedule_id: 'int',
  is_stand_in: 'int',
  priority_from: 'int',
  priority_to: 'int',
  tells_taken: 'int',
  tells_back: 'int',
} as const;

const insertExisting = insertRows('user_numbers', { id: 'int', ...columns });
const insertNew = insertRows('user_numbers', columns);
