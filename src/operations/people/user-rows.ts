// Loads users from the store, with their stations and contact numbers.

import type { Generated } from 'kysely';
import { isRole } from '../../domain/access/access.ts';
import type { Stored, User } from '../../domain/people/entities.ts';
import type { ContactNumber } from '../../domain/people/person.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, ReadTx } from '../../store/store.ts';
import { type Ids, idsArgument, isAmong } from '../named-rows.ts';
import { loadIdentities } from './users/identity-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    users: {
      id: Generated<number>;
      name: string;
      /** The name folded by domain/search.ts: two users may not differ only by case or accents. */
      folded_name: string;
      role: string;
      password_hash: string | null;
      last_change: Instant;
      /** Search words, as in NamedRow, of all its names. */
      words: Generated<string>;
      first_name: Generated<string>;
      last_name: Generated<string>;
      display_name: Generated<string>;
      language: Generated<string>;
      time_zone: Generated<string>;
      status_id: Generated<number>;
      on_duty: Generated<Flag>;
      replaced_by_id: number | null;
      virtual: Generated<Flag>;
      pin_hash: string | null;
    };
    user_stations: { user_id: number; station_id: number };
    /** `place` is the order in which the numbers are tried; times are seconds. */
    user_numbers: {
      id: Generated<number>;
      user_id: number;
      place: number;
      channel: string;
      address: string;
      valid: Flag;
      verified: Flag;
      final: Flag;
      count_try: number;
      time_to_retry: number;
      count_ack: number;
      time_to_ack: number;
      ack_auto_default: Flag;
      schedule_id: number | null;
      /** The alarms it is used for; both null: all. */
      priority_from: number | null;
      priority_to: number | null;
      is_stand_in: Generated<Flag>;
      /** Whether it gets follow-ups: that an alarm was taken, or is back to normal. */
      tells_taken: Generated<Flag>;
      tells_back: Generated<Flag>;
    };
  }
}

const selectUsers = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'role', 'last_change', 'first_name', 'language', 'time_zone', 'status_id', 'on_duty'])
    .select(['last_name', 'display_name', 'replaced_by_id', 'virtual'])
    .where(isAmong('id', args.ids, kind))
    .orderBy('id'),
);

const selectStations = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('user_stations')
    .select(['user_id', 'station_id'])
    .where(isAmong('user_id', args.ids, kind))
    .orderBy('station_id'),
);

const selectNumbers = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('user_numbers')
    .select(['id', 'user_id', 'channel', 'address', 'valid', 'verified', 'final', 'count_try', 'time_to_retry'])
    .select([
      'count_ack',
      'time_to_ack',
      'ack_auto_default',
      'schedule_id',
      'priority_from',
      'priority_to',
      'is_stand_in',
      'tells_taken',
      'tells_back',
    ])
    .where(isAmong('user_id', args.ids, kind))
    .orderBy('place')
    .orderBy('id'),
);

/** Returns the users in order of id. */
export async function loadUsers(tx: ReadTx, which: Ids): Promise<readonly Stored<User>[]> {
  const args = idsArgument(which);
  if (args === undefined) return [];
  const rows = await tx.all(selectUsers, args);
  const stations = Map.groupBy(await tx.all(selectStations, args), ({ user_id }) => user_id);
  const numbers = Map.groupBy(await tx.all(selectNumbers, args), ({ user_id }) => user_id);
  const identities = await loadIdentities(tx, which);
  return rows.map((row) => {
    const stationIds = (stations.get(row.id) ?? []).map(({ station_id }) => station_id);
    return {
      id: row.id,
      name: row.name,
      firstName: row.first_name,
      lastName: row.last_name,
      displayName: row.display_name,
      language: row.language,
      timeZone: row.time_zone,
      role: isRole(row.role) ? row.role : 'observer',
      statusId: row.status_id,
      onDuty: row.on_duty === 1,
      replacedById: row.replaced_by_id ?? undefined,
      virtual: row.virtual === 1,
      identities: identities.get(row.id) ?? [],
      // Same rule as at sign-in: a user bound to stations never has administrator rights.
      isAdministrator: row.role === 'administrator' && stationIds.length === 0,
      stationIds,
      numbers: (numbers.get(row.id) ?? []).map(numberOf),
      lastChange: row.last_change,
    };
  });
}

type NumberRow = {
  id: number;
  channel: string;
  address: string;
  valid: number;
  verified: number;
  final: number;
  count_try: number;
  time_to_retry: number;
  count_ack: number;
  time_to_ack: number;
  ack_auto_default: number;
  schedule_id: number | null;
  priority_from: number | null;
  priority_to: number | null;
  is_stand_in: number;
  tells_taken: number;
  tells_back: number;
};

function numberOf(row: NumberRow): ContactNumber {
  return {
    id: row.id,
    channel: row.channel,
    address: row.address,
    valid: row.valid === 1,
    verified: row.verified === 1,
    final: row.final === 1,
    countTry: row.count_try,
    timeToRetrySeconds: row.time_to_retry,
    countAck: row.count_ack,
    timeToAckSeconds: row.time_to_ack,
    acksWhenReached: row.ack_auto_default === 1,
    scheduleId: row.schedule_id ?? undefined,
    priorities:
      row.priority_from === null || row.priority_to === null
        ? undefined
        : { from: row.priority_from, to: row.priority_to },
    ...(row.tells_taken + row.tells_back > 0
      ? { followUps: { taken: row.tells_taken === 1, back: row.tells_back === 1 } }
      : {}),
    ...(row.is_stand_in === 1 ? { isStandIn: true as const } : {}),
  };
}
