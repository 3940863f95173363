// `tocsin send` and `contrib/tocsin-send`: a raise and a return, a spool while the server is away, refusals, two at once.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { runSender, type Sender, senders } from '../../harness/server/senders.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

/** What the program reports below a folder that is removed after the test; the key is in a file. */
function reporter(t: TestContext, sender: Sender, url: string, key: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-send-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [keyFile, spool] = [join(folder, 'key'), join(folder, 'spool')];
  writeFileSync(keyFile, `${key}\n`);
  const run = (...words: readonly string[]) => runSender(sender, ['--url', url, '--key-file', keyFile, ...words]);
  return {
    folder,
    spool,
    run,
    /** Asserts the exit code of a call with the spool. */
    async sends(code: number, ...words: readonly string[]): Promise<string> {
      const ended = await run('--spool', spool, ...words);
      assert.equal(ended.code, code, ended.output);
      return ended.output;
    },
    waiting: (): readonly string[] => readdirSync(spool).filter((name) => /^\d/.test(name)),
    refused: (): readonly string[] => readdirSync(join(spool, 'refused')),
  };
}

async function startSiteFor(t: TestContext, kind: Parameters<typeof startSite>[1], sender: Sender) {
  const port = await freePort();
  const site = await startSite(t, kind, { overrides: { TOCSIN_PORT: String(port) } });
  return { site, ...reporter(t, sender, `http://127.0.0.1:${port}/`, await site.keyFor(['alarms:write'])) };
}

/** What happened to each alarm, by its path. */
async function happened(site: Site): Promise<Readonly<Record<string, readonly string[]>>> {
  const { items } = await site.alarms.list('?alarmState=2');
  const raised = await site.alarms.list('?limit=100');
  const alarms = new Map([...items, ...raised.items].map(({ id, path }) => [Number(id), String(path)]));
  const entries = [...alarms].map(async ([id, path]) => [path, await eventsOf(site, id)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function eventsOf(site: Site, id: number): Promise<readonly string[]> {
  return (await site.alarms.timeline(id)).map(({ event }) => event);
}

/** The address at which it listens until the end of the test. */
async function urlOf(t: TestContext, server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const sender of senders) {
  const { name, skip } = sender;

  testOnAnyStore(
    `${name}: a raise and a return, with and without a spool`,
    async (t, kind) => {
      const { site, run, sends, waiting } = await startSiteFor(t, kind, sender);
      const message = 'Pump "7" \\ is hot:\n\t93 °C {path}';
      const group = await site.create('/callgroups', { name: 'Duty' });
      const hot = ['--path', 'Plant/Pump7', '--message', message, '--priority', '1', '--value', '93'];
      const raised = await run(...hot, '--group', String(group));
      assert.deepEqual([raised.code, raised.output], [0, '']);
      const alarm = await site.ask('GET', '/alarms/1?view=full');
      assert.deepEqual(
        [alarm.path, alarm.message, alarm.priority, alarm.value, alarm.state],
        ['Plant/Pump7', message, 1, '93', 3],
      );
      assert.match(JSON.stringify(alarm.actions), new RegExp(`"type":"CallGroup","id":${group}`));
      await sends(0, '--path', 'Plant/Pump7', '--normal', '--message', 'cool', '--value', '20');
      const returned = await site.ask('GET', '/alarms/1');
      assert.deepEqual([returned.state, returned.resetMessage, returned.value], [2, 'cool', '20']);
      assert.deepEqual(waiting(), []);
    },
    { skip },
  );

  testOnAnyStore(
    `${name}: what is reported while the server is away is sent in order later`,
    async (t, kind) => {
      const { site, run, sends, waiting } = await startSiteFor(t, kind, sender);
      const [raise, normal] = [['--message', 'hot'], ['--normal']];
      await site.app.stop();
      assert.equal((await run('--path', 'a', ...raise)).code, 75, 'without a spool');
      for (const words of [raise, normal, raise]) await sends(75, '--path', 'a', ...words);
      await sends(75, '--path', 'b', ...raise);
      await sends(75, '--flush');
      assert.equal(waiting().length, 4);
      await site.restart();
      await sends(0, '--path', 'b', '--normal');
      assert.deepEqual(await happened(site), { a: ['raised', 'returned', 'raised'], b: ['raised', 'returned'] });
      assert.deepEqual(waiting(), []);
      await site.app.stop();
      await sends(75, '--path', 'b', ...raise);
      await site.restart();
      await sends(0, '--flush');
      await sends(0, '--flush');
      assert.deepEqual((await happened(site)).b, ['raised', 'returned', 'raised']);
    },
    { skip },
  );

  testOnAnyStore(
    `${name}: what is refused is put aside, and does not hold up what comes after it`,
    async (t, kind) => {
      const { site, spool, folder, run, sends, waiting, refused } = await startSiteFor(t, kind, sender);
      writeFileSync(join(folder, 'key'), 'tock_nobody');
      assert.equal((await run('--path', 'a', '--message', 'hot')).code, 1);
      assert.match(await sends(1, '--path', 'a', '--message', 'hot'), /401/);
      assert.deepEqual([waiting().length, refused().length], [0, 1]);
      assert.match(readFileSync(join(spool, 'refused', refused()[0] ?? ''), 'utf8'), /"alarmMessage":"hot"/);
      assert.doesNotMatch(readFileSync(join(spool, 'refused', refused()[0] ?? ''), 'utf8'), /tock_/);
      writeFileSync(join(folder, 'key'), await site.keyFor(['alarms:write']));
      await sends(0, '--path', 'a', '--message', 'hot');
      assert.deepEqual(await happened(site), { a: ['raised'] });
    },
    { skip },
  );

  testOnAnyStore(
    `${name}: without a spool that can be written it is posted all the same, and says so`,
    async (t, kind) => {
      const { site, folder, run } = await startSiteFor(t, kind, sender);
      const words = ['--spool', join(folder, 'key', 'spool'), '--path', 'a', '--message', 'hot'];
      const ended = await run(...words);
      assert.deepEqual([ended.code, /spool/.test(ended.output)], [73, true], ended.output);
      assert.deepEqual(await happened(site), { a: ['raised'] });
      writeFileSync(join(folder, 'key'), 'x'.repeat(20));
      assert.equal((await run(...words)).code, 1, 'refused');
      assert.equal((await run('--spool', join(folder, 'none'), '--flush')).code, 73);
    },
    { skip },
  );

  testOnAnyStore(
    `${name}: several at once on one spool send each report once`,
    async (t, kind) => {
      const { site, sends, waiting } = await startSiteFor(t, kind, sender);
      const paths = ['a', 'b', 'c', 'd'];
      const inTurn = async (path: string): Promise<void> => {
        for (const words of [['--message', 'hot'], ['--normal'], ['--message', 'hot']])
          await sends(0, '--path', path, ...words);
      };
      await Promise.all(paths.map(inTurn));
      assert.deepEqual(waiting(), []);
      const each = ['raised', 'returned', 'raised'];
      assert.deepEqual(await happened(site), Object.fromEntries(paths.map((path) => [path, each])));
    },
    { skip },
  );

  testOnAnyStore(
    `${name}: a report whose answer was lost is carried out once`,
    async (t, kind) => {
      const site = await startSite(t, kind);
      let isCut = true;
      const between = createServer(async (request, response) => {
        const body = await text(request);
        const headers = { ...request.headers } as Record<string, string>;
        for (const own of ['connection', 'content-length', 'host']) delete headers[own];
        const answer = await fetch(`${site.app.url}${request.url}`, { method: 'POST', headers, body });
        if (isCut) response.destroy();
        else response.writeHead(answer.status).end(await answer.text());
      });
      const url = await urlOf(t, between);
      const { sends, waiting } = reporter(t, sender, url, await site.keyFor(['alarms:write']));
      await site.alarms.send({ path: 'a', raised: false, eventCondition: { reactivatable: true } });
      await sends(75, '--path', 'a', '--message', 'hot');
      assert.equal(waiting().length, 1);
      isCut = false;
      await sends(0, '--flush');
      assert.deepEqual(
        (await eventsOf(site, 1)).filter((event) => event !== 'defined'),
        ['raised'],
      );
    },
    { skip },
  );

  test(`${name}: an answer that is neither yes nor no holds up its own path alone`, { skip }, async (t) => {
    const asked: string[] = [];
    const keys = new Set<string>();
    const server = createServer((request, response) => {
      keys.add(String(request.headers['idempotency-key']));
      request.setEncoding('utf8').on('data', (part: string) => {
        const { path, value } = JSON.parse(part) as { path: string; value: string };
        asked.push(`${path}${value}`);
        response.writeHead(path === 'a' ? 404 : 200).end('1');
      });
    });
    const { sends, waiting } = reporter(t, sender, await urlOf(t, server), 'tock_x');
    await sends(75, '--path', 'a', '--value', '1');
    await sends(75, '--path', 'a', '--value', '2');
    await sends(0, '--path', 'b', '--value', '3');
    assert.deepEqual(asked, ['a1', 'a1', 'b3', 'a1']);
    assert.equal(keys.size, 2, 'a repetition has the key of the first time');
    assert.equal(waiting().length, 2);
  });

  test(`${name}: at 10,000 reports the oldest value goes, and no raise`, { skip }, async (t) => {
    const { spool, run, sends, waiting } = reporter(t, sender, `http://127.0.0.1:${await freePort()}`, 'tock_x');
    await sends(75, '--path', 'a', '--message', 'hot');
    const report = '"b"\n2026-11-18T21:00:00Z\n{"path":"b","value":"1"}';
    for (let n = 2; n <= 10_000; n++)
      writeFileSync(join(spool, `${String(n).padStart(12, '0')}-value-${'0'.repeat(32)}`), report);
    assert.match(await sends(75, '--path', 'c', '--message', 'hot'), /000000000002-value-0+ was removed/);
    const names = waiting().toSorted();
    assert.equal(names.length, 10_000);
    assert.match(
      [names[0], names[1], names.at(-1)].join(' '),
      /^0{11}1-raise-\w+ 0{11}3-value-0+ 0{7}10001-raise-\w+$/,
    );
    assert.equal((await run('--flush')).code, 64);
  });

  test(`${name}: the key comes from a file or the environment, and nowhere else`, { skip }, async (t) => {
    const url = ['--url', `http://127.0.0.1:${await freePort()}`];
    const { folder } = reporter(t, sender, '', '');
    const codeOf = async (words: readonly string[], environment = {}) =>
      (await runSender(sender, [...words], environment)).code;
    const report = [...url, '--path', 'a', '--message', 'hot'];
    assert.equal(await codeOf(report), 64, 'no key');
    assert.equal(await codeOf(report, { TOCSIN_SEND_KEY: 'tock_x' }), 75);
    assert.equal(await codeOf([...report, '--key', 'tock_x']), 64);
    assert.equal(await codeOf([...report, '--key-file', join(folder, 'none')]), 64);
    for (const wrong of [[...url], [...report, '--priority', 'high'], ['--path', 'a'], [...report, '--flush']])
      assert.equal(await codeOf(wrong, { TOCSIN_SEND_KEY: 'tock_x' }), 64, wrong.join(' '));
  });
}
