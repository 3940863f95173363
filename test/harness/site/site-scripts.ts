// The scripts of a site: a folder of script files, the marks that they leave, and how the runs of an alarm ended.

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { until } from '../until.ts';
import type { Caller, Row } from './site-caller.ts';

/** Root must run scripts as another user. */
export const scriptsUser = process.getuid?.() === 0 ? { TOCSIN_SCRIPTS_USER: '65534' } : {};

/** The text of script files by file name; `MARKS` in a text stands for the folder of marks. */
export type ScriptFiles = Readonly<Record<string, string>>;
export type ScriptFolder = Awaited<ReturnType<typeof scriptFolder>>;

/** Creates a folder of scripts and one in which scripts leave marks; both are removed after the test. */
export async function scriptFolder(t: TestContext, files: ScriptFiles) {
  const root = await mkdtemp(join(tmpdir(), 'tocsin-scripts-'));
  t.after(() => t.after(() => rm(root, { recursive: true, force: true })));
  const [folder, marks] = [join(root, 'scripts'), join(root, 'marks')];
  await chmod(root, 0o755);
  await mkdir(folder);
  await mkdir(marks);
  await chmod(folder, 0o755);
  await chmod(marks, 0o777);
  const put = async (name: string, text: string, mode = 0o755): Promise<void> => {
    await writeFile(join(folder, name), text.replaceAll('MARKS', marks));
    await chmod(join(folder, name), mode);
  };
  for (const [name, text] of Object.entries(files)) await put(name, text);
  return {
    folder,
    put,
    settings: { TOCSIN_SCRIPTS_DIR: folder, ...scriptsUser },
    mark: (name: string) => writeFile(join(marks, name), ''),
    marks: () => readdir(marks),
    /** Waits until a script has written a line to the mark; returns its text. */
    marked: (name: string) =>
      until(
        () => readFile(join(marks, name), 'utf8').catch(() => ''),
        (text) => text.endsWith('\n'),
      ).then((text) => text.trim()),
  };
}

/** The script runs of a site that was started with a folder of scripts, or on the database of one. */
export class Scripts {
  readonly #caller: Caller;
  readonly #folder: ScriptFolder | undefined;

  constructor(caller: Caller, folder?: ScriptFolder) {
    this.#caller = caller;
    this.#folder = folder;
  }

  get #files(): ScriptFolder {
    assert.ok(this.#folder, 'the site was started without scripts');
    return this.#folder;
  }

  /** Leaves a mark for a script that waits for it. */
  mark(name: string): Promise<void> {
    return this.#files.mark(name);
  }

  /** The names of all marks. */
  marks(): Promise<readonly string[]> {
    return this.#files.marks();
  }

  /** Waits until a script has written a line to the mark; returns its text. */
  marked(name: string): Promise<string> {
    return this.#files.marked(name);
  }

  /** The results of the ended script runs of an alarm, oldest first. */
  async endings(id: number): Promise<readonly Row[]> {
    const events = await this.#caller.alarms.timeline(id);
    return events.filter(({ event }) => event === 'command-ended').map(({ data }) => data);
  }

  /** Waits until `count` script runs of the alarm have ended; returns the result of the newest. */
  async ended(id: number, count = 1): Promise<Row> {
    const poll = () => {
      void this.#caller.app.poll();
      return this.endings(id);
    };
    return (await until(poll, (rows) => rows.length >= count)).at(-1) ?? {};
  }
}

/** Whether the process runs; a zombie does not. */
export async function isAlive(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) [ZX] /.test(status);
}
