// The folder in which reports wait until the server has them; one that it refuses goes to `refused/`.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, syncFolder } from '../../store/backup/durable-file.ts';
import { type Item, itemFrom, itemNames, namesToDrop, nextName, textOf } from './item.ts';
import type { Kind } from './report.ts';

const refusedFolder = 'refused';

export class Spool {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Keeps a report on stable storage and returns its name; throws when it cannot. */
  async keep(item: Item, kind: Kind): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const waiting = await this.names();
    const dropped = namesToDrop(waiting, kind);
    if (dropped === undefined) throw new Error('it is full of raises and returns, which no value displaces');
    for (const name of dropped) {
      await this.remove(name);
      console.error(`The spool is full: ${name} was removed without being sent.`);
    }
    const name = nextName(waiting, kind, randomBytes(16).toString('hex'));
    await replaceFile(join(this.folder, name), textOf(item, new Date().toISOString()));
    return name;
  }

  async names(): Promise<readonly string[]> {
    return itemNames(await readdir(this.folder));
  }

  holds(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  hasRefused(name: string): boolean {
    return existsSync(join(this.folder, refusedFolder, name));
  }

  /** Returns undefined for one that was removed meanwhile, `unreadable` for a file that is not a report. */
  async read(name: string): Promise<Item | 'unreadable' | undefined> {
    try {
      return itemFrom(await readFile(join(this.folder, name), 'utf8')) ?? 'unreadable';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** One that comes back after a power cut is sent again and changes nothing, by its key. */
  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }

  async refuse(name: string): Promise<void> {
    const refused = join(this.folder, refusedFolder);
    await mkdir(refused, { recursive: true, mode: 0o700 });
    await rename(join(this.folder, name), join(refused, name));
    await syncFolder(refused);
  }
}
