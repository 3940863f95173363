// When few file descriptors are left a system alarm is raised, and alarms over open connections are still accepted.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { type DescriptorUse, watchDescriptors } from '../../../src/dispatch/watches/descriptor-watch.ts';
import { startServer } from '../../harness/server/server-process.ts';
import { adminPassword, migratedStore } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

testOnStores(
  'a system alarm is raised when less than a tenth or 64 of the file descriptors are free',
  async (t, kind) => {
    const site = await startSite(t, kind);
    let use: DescriptorUse | undefined;
    const watch = watchDescriptors(
      site.app.store,
      'plant',
      async () => use,
      (error) => assert.fail(String(error)),
    );
    t.after(() => watch.stop());
    for (use of [undefined, { open: 192, limit: 256 }, { open: 900, limit: 1_000 }]) await watch.poll();
    assert.deepEqual(await site.alarms.fromTocsin(), []);
    for (use of [
      { open: 193, limit: 256 },
      { open: 901, limit: 1_000 },
    ]) {
      await watch.poll();
      await watch.poll();
      const [raised, ...others] = await site.alarms.dismissThoseFromTocsin();
      assert.deepEqual([raised?.path, others], ['system/few-descriptors/plant', []]);
      assert.match(String(raised?.message), new RegExp(`^${use.open} of ${use.limit} file descriptors are in use`));
      use = { open: 10, limit: 1_000 };
      await watch.poll();
      assert.deepEqual(await site.alarms.fromTocsin(), []);
    }
    await site.expectWhatRings();
  },
);

test('with 256 file descriptors a flood of connections is refused and reported, and alarms are still taken', {
  skip: process.platform === 'linux' ? false : 'needs /proc',
}, async (t) => {
  const limited = ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'];
  const server = await startServer(await migratedStore(t, 'sqlite'), { under: limited });
  let isEnded = false;
  t.after(() => (isEnded ? undefined : server.end('SIGKILL')));
  const { port } = new URL(server.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  let token = '';
  const ask = (method: string, path: string, body?: object) =>
    new Promise<unknown>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const sent = request(`${server.url}/api/v1${path}`, { method, agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => (answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text))));
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });
  const credentials = { grant_type: 'password', username: 'admin', password: adminPassword };
  ({ access_token: token } = (await ask('POST', '/auth/login', credentials)) as { access_token: string });

  // A connection on which a token came is not closed for others, and tokens have come from both addresses.
  await ask('GET', '/alarms');
  const other = new Agent({ localAddress: '127.0.0.2' });
  const headers = { authorization: `Bearer ${token}` };
  await new Promise((resolve, reject) =>
    request(`${server.url}/api/v1/alarms`, { agent: other, headers }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject)
      .end(),
  );

  const flood: Socket[] = [];
  let closed = 0;
  t.after(() => flood.forEach((socket) => void socket.destroy()));
  for (let n = 0; n < 300; n++) {
    // Strangers from one address have half of the connections, those from addresses without a token leave a quarter free.
    const localAddress = n % 2 === 0 ? '127.0.0.1' : '127.0.0.2';
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }).on('error', () => {});
    flood.push(socket.on('close', () => closed++).resume());
  }
  await until(
    () => closed,
    (count) => count >= 300 - 191,
  );
  assert.equal(typeof (await ask('POST', '/alarms', { alarmMessage: 'still taken' })), 'number');
  await until(
    async () => (await ask('GET', '/alarms?search=few-descriptors')) as { items: { path: string }[] },
    ({ items }) => items.some(({ path }) => path.startsWith('system/few-descriptors/')),
  );
  const { code, output } = await server.end('SIGTERM');
  isEnded = true;
  assert.equal(code, 0, output);
  assert.equal(output.match(/connections were refused/g)?.length, 1);
});
