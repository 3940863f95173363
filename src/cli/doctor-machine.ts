// The checks of `tocsin doctor` on the machine: runtime, clock, data folder and the disk it is on.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { refuseOldSqlite } from '../store/sqlite/database-file.ts';
import { type Finding, ok, problem, reasonOf, warning } from './doctor-finding.ts';

const gigabyte = 2 ** 30;
const almostNothing = gigabyte / 10;

export function* checkRuntime(): Generator<Finding> {
  const { node, sqlite = 'unknown' } = process.versions;
  try {
    refuseOldSqlite(sqlite);
    yield ok(`Node ${node} with SQLite ${sqlite}.`);
  } catch (error) {
    yield problem(reasonOf(error));
  }
}

export function* checkClock(timeZone: string): Generator<Finding> {
  const now = new Date();
  const year = now.getUTCFullYear();
  if (year < 2025 || year > 2100) yield problem(`The clock of this machine says ${now.toISOString()}: set it.`);
  else yield ok(`The clock says ${now.toISOString()}; times are given in the zone ${timeZone}.`);
}

export function* checkDataFolder(folder: string): Generator<Finding> {
  const existing = nearestExisting(folder);
  if (!isWritableFolder(existing)) {
    yield problem(
      `The data folder ${folder} cannot be written: give its user the right to, or choose another with TOCSIN_DATA_DIR.`,
    );
    return;
  }
  if (existing === folder) yield* checkOwner(folder);
  else yield ok(`The data folder ${folder} is not there yet; the first start makes it.`);
  yield* checkSpace(existing);
}

function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function* checkOwner(folder: string): Generator<Finding> {
  const { uid: owner } = statSync(folder);
  const self = process.getuid?.();
  if (self === undefined || owner === self) yield ok(`The data folder ${folder} can be written.`);
  else {
    yield warning(
      `The data folder ${folder} belongs to user ${owner}, and this is user ${self}: run commands as the user who runs the server, or files will be left that it cannot open.`,
    );
  }
}

function* checkSpace(folder: string): Generator<Finding> {
  yield spaceFinding(folder, statfsSync(folder));
}

type Space = { readonly bavail: number; readonly bsize: number; readonly blocks: number };

export function spaceFinding(folder: string, { bavail, bsize, blocks }: Space): Finding {
  const free = bavail * bsize;
  const share = bavail / blocks;
  const found = `${(free / gigabyte).toFixed(1)} GB (${Math.floor(share * 100)} %) of the disk of ${folder} are free`;
  if (free < almostNothing || share < 0.01)
    return problem(`Only ${found}: alarms are refused, or will be soon, so free some now.`);
  if (free < gigabyte || share < 0.1)
    return warning(`Only ${found}: alarms are refused when it is full, so free some.`);
  return ok(`${found}.`);
}
