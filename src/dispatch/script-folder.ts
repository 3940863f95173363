// Reads the administrator's folder of scripts: finds the scripts that may run, and the reasons why other files may not.

import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { patternMistake } from '../domain/script.ts';

export type Script = { readonly file: string; readonly pattern: string | undefined };

export type FoundScripts = {
  readonly scripts: ReadonlyMap<number, Script>;
  /** One sentence for each file that is named like a script but is not accepted. */
  readonly refused: readonly string[];
};

/** `7`, or `7-` followed by any text, is the file of script 7. */
const scriptName = /^([1-9]\d{0,9})(?:-.*)?$/;

/** Returns the scripts currently in the folder. A script with a mistake is refused, never run with defaults. */
export async function readScripts(folder: string): Promise<FoundScripts> {
  const refusal = await folderMistake(folder);
  if (refusal !== undefined) return { scripts: new Map(), refused: [`the folder of scripts ${refusal}`] };
  const names = (await readdir(folder)).toSorted();
  const byId = Map.groupBy(
    names.filter((name) => scriptName.test(name)),
    (name) => Number(scriptName.exec(name)?.[1]),
  );
  const scripts = new Map<number, Script>();
  const refused: string[] = [];
  for (const [id, files] of byId) {
    const [name = '', another] = files;
    const file = join(folder, name);
    const mistake = another === undefined ? await fileMistake(file) : `has the same number as ${another}`;
    const { pattern, patternProblem } = await readPattern(folder, names, id);
    if (mistake === undefined && patternProblem === undefined) scripts.set(id, { file, pattern });
    else refused.push(mistake === undefined ? `${id}.pattern ${patternProblem}` : `${name} ${mistake}`);
  }
  return { scripts, refused };
}

async function folderMistake(folder: string): Promise<string | undefined> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return 'is not there';
  return isGuarded(stats) ? undefined : notGuarded;
}

async function fileMistake(file: string): Promise<string | undefined> {
  // The file may have been removed since it was listed.
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile()) return 'is no plain file';
  if (!isGuarded(stats)) return notGuarded;
  return (stats.mode & 0o111) === 0 ? 'is not executable' : undefined;
}

const notGuarded = 'may be written by others than its owner, or its owner is neither root nor the server';

/** Anybody who can write the file can run any program as the server. */
function isGuarded({ mode, uid }: { readonly mode: number; readonly uid: number }): boolean {
  return (mode & 0o022) === 0 && (uid === 0 || uid === process.getuid?.());
}

async function readPattern(
  folder: string,
  names: readonly string[],
  id: number,
): Promise<{ pattern?: string | undefined; patternProblem?: string | undefined }> {
  const name = `${id}.pattern`;
  if (!names.includes(name)) return {};
  const file = join(folder, name);
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile() || !isGuarded(stats))
    return { patternProblem: 'is not a plain file that its owner alone may write' };
  const pattern = (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  const patternProblem = patternMistake(pattern);
  return patternProblem === undefined ? { pattern } : { patternProblem };
}
