// Finds a folder in memory for the databases of tests, so that every commit is synced and still fast.

import { statfs } from 'node:fs/promises';

const folder = '/dev/shm';

/** Returns undefined where there is none, or too little room: containers often have 64 MB there. */
export async function memoryFolder(): Promise<string | undefined> {
  const free = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > 2 ** 30 ? folder : undefined;
}
