// Starts the background work that is neither calling nor scripts: maintenance, delays and masks that end, hand-overs, holidays,
// the watches over disk and descriptors, over sources, what intakes refuse, backups, and the demo plant.

import { DemoPlants } from '../dispatch/demo/demo-plants.ts';
import { startDueAlarms } from '../dispatch/due/due-alarms.ts';
import { startPendingWork } from '../dispatch/due/pending-work.ts';
import { startHandOvers } from '../dispatch/hand-overs.ts';
import { HolidayImport } from '../dispatch/holiday-import.ts';
import { IntakeRefusals } from '../dispatch/intake-refusals.ts';
import { Maintenance } from '../dispatch/maintenance-loop.ts';
import { SourceWatch } from '../dispatch/source-watch.ts';
import { readDescriptorUse, watchDescriptors } from '../dispatch/watches/descriptor-watch.ts';
import { usedShare, watchDisk } from '../dispatch/watches/disk-watch.ts';
import { ScheduledBackups } from '../dispatch/watches/scheduled-backups.ts';
import { startBackup } from '../open-store.ts';
import type { StartWorker } from '../store/threads/worker-thread.ts';
import type { NodeContext } from './part-context.ts';

/** Parts that look for due work at intervals, by name; `poll` resolves when a part has looked and done what was due. */
export type Polled = Readonly<Record<string, { poll(): Promise<unknown> }>>;

type BackgroundWork = {
  readonly descriptors: ReturnType<typeof watchDescriptors>;
  readonly intakeRefusals: IntakeRefusals;
  readonly sourceWatch: SourceWatch;
  readonly demoPlants: DemoPlants;
  /** The parts that have work at intervals, which tests begin by themselves. */
  readonly polled: Polled;
};

export function startBackgroundWork(
  { store, clock, config, log, nodeId, onTrouble, teardown, work }: NodeContext,
  startStoreWorker: StartWorker | undefined,
): BackgroundWork {
  const nodeName = config.nodeName;
  const maintenance = new Maintenance({ store, clock, retention: config, work, onTrouble });
  teardown.add(() => maintenance.stop());
  const dueAlarms = startDueAlarms({ store, clock, work, onTrouble });
  teardown.add(() => dueAlarms.stop());
  const pendingWork = startPendingWork({ store, clock, nodeId, work, onTrouble });
  teardown.add(() => pendingWork.stop());
  const handOvers = startHandOvers({ store, clock, work, onTrouble });
  teardown.add(() => handOvers.stop());
  const holidayImport = new HolidayImport({
    store,
    clock,
    allowsPrivate: config.allowsPrivateAddresses,
    work,
    onTrouble,
  });
  teardown.add(() => holidayImport.stop());
  const disk = watchDisk(store, nodeName, () => usedShare(config.dataDir), onTrouble);
  teardown.add(() => disk.stop());
  const descriptors = watchDescriptors(store, nodeName, readDescriptorUse, onTrouble);
  teardown.add(() => descriptors.stop());
  const intakeRefusals = new IntakeRefusals(store, clock, {
    onTrouble,
    onNotKept: (about, err) => log.error({ err, ...about }, 'a refused request could not be kept'),
  });
  teardown.add(() => intakeRefusals.stop());
  const backups = new ScheduledBackups({
    ...{ store, clock, node: nodeName, settings: config.backups },
    onTrouble: (err) => log.warn({ err }, 'trouble with the scheduled backup'),
    start: (file) => startBackup(config, file, startStoreWorker),
    onMade: (file) => log.info({ file }, 'a backup was made and checked'),
  });
  teardown.add(() => backups.stop());
  const sourceWatch = new SourceWatch({ store, clock, work, onTrouble });
  teardown.add(() => sourceWatch.stop());
  const demoPlants = new DemoPlants({ store, clock, timeZone: config.timeZone, work, onTrouble });
  teardown.add(() => demoPlants.stop());
  const polled = {
    dueAlarms,
    pendingWork: pendingWork.loop,
    handOvers,
    intakeRefusals,
    sourceWatch,
    holidayImport,
    demoPlants,
    backups,
  };
  return { descriptors, intakeRefusals, sourceWatch, demoPlants, polled };
}
