// The first example of docs/hub.md works as it stands there, and survives a server that comes late and goes away.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startSite } from '../harness/site/site.ts';
import { until } from '../harness/until.ts';

const example = /```js\n(.*?)```/s.exec(readFileSync('docs/hub.md', 'utf8'))?.[1] ?? '';

/** A port that passes connections on only while it is open, and counts those it has turned away in a row. */
async function startGate(t: TestContext, target: number) {
  const gate = { port: 0, isOpen: false, turnedAway: 0, close: () => {} };
  const cuts = new Set<() => void>();
  const server = createServer((near) => {
    near.on('error', () => {});
    if (!gate.isOpen) {
      gate.turnedAway += 1;
      near.destroy();
      return;
    }
    const far = createConnection(target, '127.0.0.1').on('error', () => {});
    cuts.add(() => {
      near.destroy();
      far.destroy();
    });
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate.port = (server.address() as AddressInfo).port;
  gate.close = () => {
    gate.isOpen = false;
    gate.turnedAway = 0;
    for (const cut of cuts) cut();
    cuts.clear();
  };
  t.after(() => {
    gate.close();
    server.close();
  });
  return gate;
}

test('the first example of docs/hub.md does not give up: it follows again after any number of failures, and misses no alarm', async (t) => {
  const site = await startSite(t, 'sqlite');
  const gate = await startGate(t, Number(new URL(site.app.url).port));
  // Within the project, so that it finds the SignalR client.
  mkdirSync('.cache', { recursive: true });
  const folder = mkdtempSync(join('.cache', 'hub-example-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const shown = example.replace('localhost:8080', `127.0.0.1:${gate.port}`).replace('5_000', '20');
  assert.match(shown, new RegExp(`127.0.0.1:${gate.port}`));
  assert.match(shown, /, 20\)/);
  const file = join(folder, 'example.mjs');
  writeFileSync(file, `const token = '${await site.app.signIn()}';\n${shown}`);
  const program = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
  });
  let output = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const turnedAway = (times: number) =>
    until(
      () => gate.turnedAway,
      (count) => count >= times,
    );
  const shows = (text: string) =>
    until(
      () => output,
      (all) => all.includes(text),
    );

  await turnedAway(6);
  gate.isOpen = true;
  await shows('Read GET /api/v1/alarms now');
  await site.alarms.send({ path: 'Pump1', priority: 1 });
  await shows('Pump1');
  gate.close();
  await site.alarms.send({ path: 'Pump2', priority: 1 });
  await turnedAway(6);
  gate.isOpen = true;
  await shows('Pump2');
  assert.equal(output.match(/Pump1/g)?.length, 1);
  assert.equal(output.match(/Read GET/g)?.length, 1);
});
