// Makes the provider of the simulated phones, once in the life of a database: one that was removed stays removed.

import { simulatorKind } from '../../domain/channels/provider.ts';
import { searchableText } from '../../domain/search.ts';
import { setMeta } from '../../store/meta.ts';
import { statement } from '../../store/statement.ts';
import type { Operation } from '../../store/store.ts';
import { incrementPeopleVersion } from '../people/version.ts';
import { insertProvider } from './provider-rows.ts';

const key = 'simulator_made';
const name = 'Simulated phones';

const selectFlag = statement((db) => db.selectFrom('meta').select('value').where('key', '=', key));

export const seedSimulator: Operation<Record<string, never>, void> = {
  name: 'seed-simulator',
  async run(tx, now) {
    if ((await tx.one(selectFlag, {})) !== undefined) return;
    await setMeta(tx, key, '1');
    await tx.insert(insertProvider, {
      name,
      words: searchableText(name),
      channel: simulatorKind,
      kind: simulatorKind,
      place: 0,
      isEnabled: 1,
      lines: null,
      perSecond: null,
      perDay: null,
      costMicros: 0,
      countries: '[]',
      node: null,
      settings: '{}',
      secrets: '{}',
      now,
    });
    await incrementPeopleVersion(tx, 'provider', 0);
  },
};
