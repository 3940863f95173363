// Warns of API keys that are about to expire, by an event and a system alarm.

import { systemCaller } from '../../domain/access/access.ts';
import { dueWarning } from '../../domain/access/key-expiry.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Operation } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';

export const warnOfExpiringKeys: Operation<Record<string, never>, void> = {
  name: 'warn-of-expiring-keys',
  async run(tx, now) {
    for (const key of await tx.all(selectKeysToWatch, { before: now + 31 * 86_400_000 })) {
      const days = dueWarning(key.expires_at, key.warned_days ?? undefined, now);
      if (days === undefined) continue;
      await tx.run(updateWarned, { id: key.id, days });
      await appendEvent(tx, now, {
        kind: 'key.expiring',
        actor: systemCaller.actor,
        subjectId: key.id,
        data: { name: key.name, days },
      });
      await raiseSystemAlarm(tx, now, {
        path: `key-expiring/${key.id}`,
        stationId: key.station_id ?? defaultStationId,
        isRepeated: true,
        priority: days <= 1 ? 1 : 2,
        message: { code: 'key-expiring', parameters: { keyId: key.id, name: key.name, days } },
      });
    }
  },
};

const selectKeysToWatch = statement((db, args: { before: number }) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'expires_at', 'warned_days'])
    // The first station of a key that is bound to stations: a key is named only where it works.
    .select((eb) =>
      eb
        .selectFrom('api_key_stations')
        .select((inner) => inner.fn.min('station_id').as('station_id'))
        .whereRef('api_key_id', '=', 'api_keys.id')
        .as('station_id'),
    )
    .where('expires_at', '<', args.before),
);

const updateWarned = statement<{ id: number; days: number }>((db, args) =>
  db.updateTable('api_keys').set({ warned_days: args.days }).where('id', '=', args.id),
);
