// Fills an empty store with a year of generated history: the plant and users by the server's own operations, the rest
// in bulk, with everything the server derives from it.

import { join } from 'node:path';
import { hashPassword } from '../../src/access/password.ts';
import { systemCaller } from '../../src/domain/access/access.ts';
import { defaultStationId } from '../../src/domain/plant/entities.ts';
import { StartError } from '../../src/errors.ts';
import { openStore } from '../../src/open-store.ts';
import { isStoreEmpty } from '../../src/operations/access/queries.ts';
import { addUser } from '../../src/operations/people/users.ts';
import { createPlantEntry } from '../../src/operations/plant/change-resource.ts';
import { listPlantEntries } from '../../src/operations/plant/queries.ts';
import { firstStart } from '../../src/operations/system/first-start.ts';
import { databaseFileName } from '../../src/store/sqlite/database-file.ts';
import type { Store } from '../../src/store/store.ts';
import type { BulkLoader, Values } from './bulk.ts';
import { bulkPostgres } from './bulk-postgres.ts';
import { bulkSqlite } from './bulk-sqlite.ts';
import { Counts } from './counts.ts';
import { groupNames, plantOf, type StationIds, serverNames, stationCount } from './plant.ts';
import { alarmColumns, historyColumns, seriesColumns, TagLives, type Users } from './tag-lives.ts';
import { occurrencesIn } from './year.ts';

type Seed = {
  /** The data folder of the server. */
  readonly folder: string;
  /** Set for PostgreSQL. */
  readonly databaseUrl?: string | undefined;
  readonly rows: number;
  readonly tags: number;
  readonly users: number;
  /** The time span of the entries, up to `now`. */
  readonly spanMs: number;
  readonly now: number;
  readonly adminPassword: string;
  readonly onRows?: (rows: number) => void;
  readonly onStep?: (doing: string) => void;
};

/** Large enough to be fast, small enough for memory. */
const rowsPerWrite = 20_000;

export async function seedStore(seed: Seed): Promise<void> {
  const { stations, users } = await makePlantAndUsers(seed);
  const { databaseUrl, folder, onStep = () => {} } = seed;
  const loader =
    databaseUrl === undefined ? bulkSqlite(join(folder, databaseFileName)) : await bulkPostgres(databaseUrl);
  try {
    await load(loader, seed, stations, users);
    await loader.finish(onStep);
  } finally {
    await loader.close();
  }
}

async function load(
  loader: BulkLoader,
  { rows, tags, spanMs, now, onRows = () => {} }: Seed,
  stations: readonly StationIds[],
  users: Users,
): Promise<void> {
  const plant = plantOf(stations, tags, users.ids.length);
  const lives = new TagLives(plant, users, now - spanMs / 2);
  const counts = new Counts(plant.locations, users.ids);
  let entries: Values[] = [];
  let words: Values[] = [];
  const write = async (isEnd: boolean): Promise<void> => {
    await loader.insert('alarm_histories', historyColumns, entries);
    await loader.insert('history_comment_words', ['word', 'history_id'], words);
    await counts.write(loader, isEnd);
    onRows(entries.length);
    [entries, words] = [[], []];
  };
  for (const occurrence of occurrencesIn(plant, { count: rows, spanMs, end: now })) {
    const { id, comment } = occurrence;
    const { row, locationIndex, textId } = lives.add(occurrence);
    counts.add(occurrence, locationIndex);
    entries.push(row);
    if (comment !== '') words.push(...lives.wordsOf(textId, comment).map((word) => [word, id]));
    if (entries.length === rowsPerWrite) await write(false);
  }
  await write(true);
  await loader.insert('alarms', alarmColumns, lives.alarmRows(now - spanMs));
  await loader.insert('alarm_words', ['word', 'alarm_id'], lives.alarmWordRows());
  await loader.insert('history_series', seriesColumns, lives.seriesRows());
  await loader.insert('history_texts', ['id', 'alarm_id', 'tag_name', 'message', 'last_entry_id'], lives.textRows());
  await loader.insert('history_text_words', ['word', 'text_id'], lives.textWordRows());
}

/** Creates the store, its administrator, stations with servers and groups, and users. */
async function makePlantAndUsers({ folder, databaseUrl, users, now, adminPassword }: Seed) {
  const store = await openStore(
    { dataDir: folder, databaseUrl },
    {
      clock: { now: () => now },
      exclusive: false,
      schemaChange: 'make-or-upgrade',
      onTrouble: () => {},
      onNotice: () => {},
      onBroken: () => {},
    },
  );
  try {
    if (!(await store.read(isStoreEmpty, {}))) {
      throw new StartError('There is data here already: made-up history goes into an empty store only.', 'bad-usage');
    }
    const passwordHash = await hashPassword(adminPassword);
    await store.write(firstStart, { epoch: `seed-${now}`, adminPasswordHash: passwordHash });
    const stations: StationIds[] = [];
    for (let number = 1; number <= stationCount; number++) stations.push(await makeStation(store, number));
    const names = Array.from({ length: users }, (_, index) => `Operator ${index + 1}`);
    const ids: number[] = [];
    for (const name of names) {
      const user = { name, role: 'operator', passwordHash, stationIds: [] } as const;
      ids.push(await store.write(addUser, { caller: systemCaller, ...user }));
    }
    return { stations, users: { ids, names } };
  } finally {
    await store.close();
  }
}

/** Creates a station's servers and groups; the first station and each station's built-in server exist already. */
async function makeStation(store: Store, number: number): Promise<StationIds> {
  const make = (kind: 'station' | 'dataServer' | 'tagGroup', name: string, stationId: number) =>
    store.write(createPlantEntry, { kind, caller: systemCaller, name, stationId });
  const id = number === 1 ? defaultStationId : await make('station', `Station ${number}`, 0);
  const ofStation = { caller: systemCaller, stationId: id, search: '', order: 'asc', limit: 1, offset: 0 } as const;
  const { items } = await store.read(listPlantEntries, { kind: 'dataServer', ...ofStation });
  const dataServerIds = items.map((server) => server.id);
  const tagGroupIds: number[] = [];
  for (const name of serverNames) dataServerIds.push(await make('dataServer', name, id));
  for (const name of groupNames) tagGroupIds.push(await make('tagGroup', name, id));
  return { id, dataServerIds, tagGroupIds };
}
