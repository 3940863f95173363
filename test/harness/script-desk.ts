// A folder of scripts for commands of alarms, and a desk from which they are asked for and watched.

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { alarmDesk, type Row } from './alarm-desk.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { StoreName } from './stores.ts';
import { until } from './until.ts';

/** Where everybody may be, root gives the scripts away. */
export const scriptsUser = process.getuid?.() === 0 ? { TOCSIN_SCRIPTS_USER: '65534' } : {};

export type ScriptFolder = Awaited<ReturnType<typeof scriptFolder>>;

/** Files by name; `MARKS` in them stands for a folder in which scripts leave marks. */
export async function scriptFolder(t: TestContext, files: Readonly<Record<string, string>>) {
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
    /** What is in a mark, once it is there. */
    marked: (name: string) =>
      until(
        () => readFile(join(marks, name), 'utf8').catch(() => ''),
        (text) => text.endsWith('\n'),
      ).then((text) => text.trim()),
  };
}

/** A server that may run the scripts, and what its alarms have had run. */
export async function scriptDesk(t: TestContext, kind: StoreName, files: Readonly<Record<string, string>>) {
  const scripts = await scriptFolder(t, files);
  const app = await startTestApp(t, kind, { overrides: scripts.settings });
  return { scripts, ...(await commandDesk(app)) };
}

export async function commandDesk(app: TestApp) {
  const desk = await alarmDesk(app);
  const token = await app.signIn();
  const timeline = async (id: number) =>
    (await desk.ask('GET', `/${id}/timeline`)).body as readonly { event: string; data: Row }[];
  const endings = async (id: number) =>
    (await timeline(id)).filter(({ event }) => event === 'command-ended').map(({ data }) => data);
  return {
    ...desk,
    token,
    timeline,
    endings,
    /** Sends an alarm, as the administrator or with a key; answers its id and what of it comes to nothing. */
    report: async (body: object, as = token) => {
      const answer = await app.request('POST', '/api/v1/alarms', { token: as, body });
      assert.equal(answer.status, 200, answer.text);
      return { id: answer.body as number, warnings: answer.headers.get('tocsin-warnings') };
    },
    /** What became of the newest command of an alarm, once that is known. */
    ended: async (id: number, count = 1): Promise<Row> => {
      const poll = async () => {
        app.poll();
        return endings(id);
      };
      return (await until(poll, (rows) => rows.length >= count)).at(-1) ?? {};
    },
    systemAlarms: async () =>
      (await desk.list('?limit=1000')).items
        .filter(({ path }) => String(path).startsWith('system/'))
        .map(({ path, message }) => `${path}: ${message}`),
    keyFor: async (scopes: readonly string[]) => {
      const expiryTime = new Date(app.clock.now() + 86_400_000).toISOString();
      const body = { name: scopes.join(' '), expiryTime, scopes };
      const answer = await app.request('POST', '/api/v1/auth/keys', { token, body });
      assert.equal(answer.status, 200, answer.text);
      return (answer.body as { token: string }).token;
    },
  };
}

/** Whether a process is there; one that only waits to be buried is not. */
export async function isAlive(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) [ZX] /.test(status);
}
