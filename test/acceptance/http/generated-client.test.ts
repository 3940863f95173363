// A client that a published generator makes of the OpenAPI document compiles under `strict`, and carries an alarm from its
// raise to its history.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { adminPassword, startTestApp } from '../../harness/site/app.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What somebody would write who has generated `api.ts`. */
const story = `import * as api from './api.ts';
import type { Alarm, AlarmBody, AlarmHistory } from './api.ts';

export type Outcome = { id: number; raised: Alarm; acknowledged: Alarm; history: AlarmHistory[]; again: string };

export async function run(baseUrl: string, password: string): Promise<Outcome> {
  api.defaults.baseUrl = baseUrl;
  const { access_token } = await api.signIn({ grant_type: 'password', username: 'admin', password });
  api.defaults.headers = { Authorization: \`Bearer \${access_token}\` };
  const body: AlarmBody = { path: 'Pump 7', alarmMessage: 'Too hot', priority: 2, stationId: null };
  const id = await api.sendAlarm(body);
  const find = async (): Promise<Alarm> => {
    const { items, paging } = await api.listAlarms({ search: 'pump', sort: '-id', limit: 5 });
    const [first] = items;
    if (first === undefined || paging.total !== 1) throw new Error('the alarm is not listed');
    return first;
  };
  const raised = await find();
  const state: 0 | 1 | 2 | 3 = raised.state;
  if (state !== 3) throw new Error('the alarm is not active');
  const isDone: true = await api.acknowledgeAlarm(id, { comment: 'On my way' });
  const acknowledged = await find();
  const history = await api.listAlarmHistories({ stationId: [1] });
  const again = await api.acknowledgeAlarm(id).catch((error) => String(error.data.code));
  return { id, raised, acknowledged, history: history.items, again: isDone && String(again) };
}
`;

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom'],
  types: [],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

type Outcome = {
  readonly id: number;
  readonly raised: { readonly id: number; readonly state: number; readonly message: string };
  readonly acknowledged: { readonly state: number; readonly ackUser: string; readonly comment: string };
  readonly history: readonly { readonly tagId: number; readonly comment: string }[];
  readonly again: string;
};

for (const document of ['openapi.json', 'openapi-3.0.json']) {
  test(`a client generated from ${document} compiles under strict and drives a story`, async (t) => {
    const app = await startTestApp(t, 'sqlite');
    // Within the project, so that it finds the generator's runtime.
    await mkdir(join(root, '.cache'), { recursive: true });
    const folder = await mkdtemp(join(root, '.cache', 'client-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const source = await generateSource(`${app.url}/api/v1/${document}`, { optimistic: true });
    await writeFile(join(folder, 'api.ts'), source);
    await writeFile(join(folder, 'story.ts'), story);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch((error) => error);
    assert.equal(stdout, '', 'the compiler finds nothing');
    const { run } = await import(pathToFileURL(join(folder, 'story.ts')).href);
    const { id, raised, acknowledged, history, again }: Outcome = await run(app.url, adminPassword);
    assert.deepEqual([raised.id, raised.state, raised.message], [id, 3, 'Too hot']);
    assert.deepEqual([acknowledged.state, acknowledged.ackUser, acknowledged.comment], [1, 'admin', 'On my way']);
    assert.deepEqual(
      history.map(({ tagId, comment }) => [tagId, comment]),
      [[id, 'On my way']],
    );
    assert.equal(again, 'already-done');
  });
}
