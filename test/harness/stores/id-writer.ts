// A program that allocates ids as fast as it can until it is killed: `node id-writer.ts FOLDER`.

import { terminalCaller } from '../../../src/domain/access/access.ts';
import { openStore } from '../../../src/open-store.ts';
import { createPlantEntry } from '../../../src/operations/plant/change-resource.ts';

const store = await openStore(
  { dataDir: process.argv[2] ?? '', databaseUrl: undefined },
  {
    clock: { now: Date.now },
    exclusive: true,
    schemaChange: 'make-or-upgrade',
    onTrouble: console.error,
    onNotice: console.error,
    onBroken: console.error,
  },
);

async function write(writer: number): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `${process.pid} ${writer} ${n}`;
    await store.write(createPlantEntry, { kind: 'tagGroup', caller: terminalCaller, name, stationId: 1 });
  }
}

await Promise.all(Array.from({ length: 200 }, (_, writer) => write(writer)));
