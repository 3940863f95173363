// The client package as it is published: its README's example compiles against its types and follows a running server.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LiveFeed } from '@tocsin/client';
import { adminPassword } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { until } from '../../harness/until.ts';

const root = process.cwd();
const home = join(root, 'packages/client');
const read = (name: string): string => readFileSync(join(home, name), 'utf8');
const example = /```ts\n(.*?)```/s.exec(read('README.md'))?.[1] ?? '';

/** Builds the package and installs it in a folder of its own, as npm would. */
function installPackage(t: TestContext): string {
  execFileSync(process.execPath, [join(root, 'scripts/build-package.ts')], { cwd: home, stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { name, dependencies } = JSON.parse(read('dist/package.json'));
  const modules = join(folder, 'node_modules');
  cpSync(join(home, 'dist'), join(modules, name), { recursive: true });
  for (const dependency of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(join(modules, dependency, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', dependency), join(modules, dependency));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/** Runs a program that prints lines; `line` returns the next one that matches. */
function startProgram(t: TestContext, folder: string, file: string) {
  const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout);
  t.after(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  return async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [line] = (await once(lines, 'line')) as [string];
      if (pattern.test(line)) return line;
    }
  };
}

/** Starts a server in front of another one; it refuses the first request to each path, as one that has just started does. */
async function startBusyFront(t: TestContext, target: string): Promise<{ url: string; refused: readonly string[] }> {
  const refused: string[] = [];
  const front = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (!refused.includes(path)) {
      refused.push(path);
      response.writeHead(503, { 'retry-after': '1', 'content-type': 'application/problem+json' }).end('{}');
      return;
    }
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...(authorization === '' ? {} : { authorization }), ...(type === '' ? {} : { 'content-type': type }) },
      ...(body.length === 0 ? {} : { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  t.after(() => {
    front.closeAllConnections();
    front.close();
  });
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, refused };
}

test("the built client compiles its README's example, which survives a 503 and shows alarms as they come and change", async (t) => {
  const site = await startSite(t, 'sqlite');
  const folder = installPackage(t);
  assert.deepEqual(
    globSync('**/*', { cwd: join(home, 'dist') }).filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name)),
    [],
  );

  const compiler = join(fileURLToPath(import.meta.resolve('typescript/package.json')), '../bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const compile = (code: string): string => {
    writeFileSync(join(folder, 'example.ts'), code);
    return spawnSync(process.execPath, [compiler, ...options, 'example.ts'], { cwd: folder, encoding: 'utf8' }).stdout;
  };
  assert.equal(compile(example), '');
  assert.match(compile(example.replace('alarm.name', 'alarm.nam')), /nam/);

  const front = await startBusyFront(t, site.app.url);
  const here = example
    .replace('http://localhost:8080/alarmHub', `${site.app.url}/alarmHub`)
    .replace('http://localhost:8080', front.url)
    .replace('PASSWORD', adminPassword);
  assert.doesNotMatch(here, /localhost:8080|PASSWORD/);
  writeFileSync(join(folder, 'example.js'), here);
  const line = startProgram(t, folder, 'example.js');
  await line(/^current/);
  assert.deepEqual(front.refused, ['/api/v1/auth/login', '/api/v1/alarms']);
  const raised = line(/^raised/);
  const id = await site.alarms.send({ path: 'Pump7', priority: 1 });
  assert.equal(await raised, 'raised Pump7');
  const changed = line(/^changed/);
  await site.request('POST', `/alarms/${id}/acknowledge`);
  assert.equal(await changed, 'changed Pump7 1');
});

test('an onRestart that throws once is called again, and the feed is not live before it has succeeded', async (t) => {
  const site = await startSite(t, 'sqlite');
  const token = await site.app.signIn();
  const seen: string[] = [];
  const feed = new LiveFeed({
    url: `${site.app.url}/alarmHub`,
    token: () => token,
    listener: {
      onRestart: async () => {
        seen.push('restart');
        if (seen.filter((event) => event === 'restart').length === 1) throw new Error('the list could not be read');
      },
      onState: ({ kind }) => seen.push(kind),
      onAlarm: ({ name }) => seen.push(name),
    },
  });
  t.after(() => feed.stop());
  feed.start();
  await until(
    () => feed.state.kind,
    (kind) => kind === 'live',
  );
  assert.deepEqual(seen, ['connecting', 'restart', 'lost', 'connecting', 'restart', 'live']);
  await site.alarms.send({ path: 'Pump7', priority: 1 });
  await until(
    () => seen.at(-1),
    (last) => last === 'Pump7',
  );
});
