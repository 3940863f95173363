// Several nodes on one PostgreSQL database: an alarm sent to one node reaches the clients of all nodes.

import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { HttpTransportType } from '@microsoft/signalr';
import { startProxy } from '../../../packages/signalr/test/harness/tcp-proxy.ts';
import { announceNode } from '../../../src/operations/system/nodes.ts';
import { classicClient } from '../../harness/hub/classic-page.ts';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { until } from '../../harness/until.ts';

async function twoNodes(t: TestContext): Promise<readonly [Site, Site]> {
  const one = await startSite(t, 'postgres');
  return [one, await one.startNode()];
}

/** A load balancer without sticky sessions: requests alternate between the nodes. */
async function balancer(t: TestContext, nodes: readonly Site[]): Promise<string> {
  let turn = 0;
  const next = () => new URL(nodes[turn++ % nodes.length]?.app.url ?? '');
  const server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', next());
    const forwarded = httpRequest(target, { method: request.method ?? 'GET', headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  server.on('upgrade', (request, socket, head) => {
    const { hostname, port } = next();
    const upstream = connect(Number(port), hostname, () => {
      const headers = request.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers}\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (storesUnderTest().includes('postgres')) {
  test('an alarm sent to either node reaches the clients of both, once', async (t) => {
    const [one, two] = await twoNodes(t);
    const { token } = one;
    const clients = [await hubClient(t, one.app.url, token), await hubClient(t, two.app.url, token)];
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).alarms.send({ path: `pump ${n}` })),
    );
    for (const { alarms } of clients) {
      await until(
        () => alarms.length,
        (count) => count >= 40,
      );
      assert.equal(new Set(alarms.map(({ path }) => path)).size, 40);
      assert.equal(alarms.length, 40);
    }
  });

  test('clients need no sticky sessions on any transport', async (t) => {
    const nodes = await twoNodes(t);
    const { token } = nodes[0];
    const url = await balancer(t, nodes);
    for (const transport of [
      HttpTransportType.WebSockets,
      HttpTransportType.ServerSentEvents,
      HttpTransportType.LongPolling,
    ]) {
      const { connection, alarms } = await hubClient(t, url, token, { transport });
      const name = HttpTransportType[transport];
      assert.equal((await connection.invoke('subscribe', {})).recovered, false, name);
      for (let n = 0; n < 5; n++) await nodes[0].alarms.send({ path: `${name} ${n}` });
      await until(
        () => alarms.length,
        (count) => count >= 5,
      );
      assert.deepEqual(
        alarms.map(({ path }) => path),
        Array.from({ length: 5 }, (_, n) => `${name} ${n}`),
      );
    }
  });

  test('classic clients need no sticky sessions, keep their filter on another node and receive every alarm once', async (t) => {
    const nodes = await twoNodes(t);
    const { token } = nodes[0];
    const url = await balancer(t, nodes);
    const proxy = await startProxy(Number(new URL(url).port));
    t.after(() => proxy.stop());
    const clients = await Promise.all(
      ['webSockets', 'serverSentEvents', 'longPolling'].map((transport) =>
        classicClient(t, `http://127.0.0.1:${proxy.port}`, token, transport),
      ),
    );
    for (const { server } of clients) assert.equal((await server.subscribe({ priorities: [1] })).recovered, false);
    const names = Array.from({ length: 12 }, (_, n) => `pump ${n}`);
    for (const [n, path] of names.entries()) {
      // Each cut may move a client to the other node.
      if (n % 4 === 3) proxy.cut();
      await nodes[n % 2]?.alarms.send({ path: `other ${n}`, priority: 2 });
      await nodes[n % 2]?.alarms.send({ path, priority: 1 });
      for (const { alarms } of n % 4 === 1 ? clients : [])
        await until(
          () => alarms.at(-1)?.path,
          (last) => last === path,
        );
    }
    for (const { alarms, hub } of clients) {
      await until(
        () => alarms.at(-1)?.path,
        (last) => last === names.at(-1),
      );
      assert.deepEqual(
        alarms.map(({ path }) => path),
        names,
        hub.transport.name,
      );
    }
  });

  test('a token revoked on one node disconnects its clients on the other', async (t) => {
    const [one, two] = await twoNodes(t);
    const { token } = one;
    const ends = await one.app.signIn();
    const [client, stays] = [await hubClient(t, two.app.url, ends), await hubClient(t, two.app.url, token)];
    assert.equal((await one.app.request('POST', '/api/v1/auth/logout', { token: ends })).status, 200);
    await until(
      () => client.connection.state,
      (state) => state === 'Disconnected',
    );
    assert.equal(stays.connection.state, 'Connected');
  });

  test("when a client's node has stopped, the client reconnects to the other node and recovers by position", async (t) => {
    const nodes = await twoNodes(t);
    const [one, two] = nodes;
    const { token } = one;
    const transport = HttpTransportType.LongPolling;
    const first = await hubClient(t, one.app.url, token, { transport });
    const { position } = await first.connection.invoke('subscribe', {});
    await one.app.stop();
    const witness = await hubClient(t, two.app.url, token);
    await two.alarms.send({ path: 'missed' });
    // So that the next client connects after that alarm.
    await until(
      () => witness.alarms.length,
      (count) => count >= 1,
    );
    const id = new URL(first.connection.baseUrl).searchParams.get('id') ?? 'gone';
    const poll = await two.app.request('GET', `/alarmHub?id=${id}`, { token });
    assert.equal(poll.status, 404);
    const again = await hubClient(t, two.app.url, token, { transport });
    assert.equal((await again.connection.invoke('subscribe', { since: position })).recovered, true);
    await until(
      () => again.alarms.length,
      (count) => count >= 1,
    );
    assert.deepEqual(
      again.alarms.map(({ path }) => path),
      ['missed'],
    );
  });

  test('a node that died does not break the others: requests for its connections get 200 or 404', async (t) => {
    const [one, two] = await twoNodes(t);
    const { token } = two;
    const answer = await two.app.request('POST', '/alarmHub/negotiate?negotiateVersion=1', { token });
    const { connectionToken } = answer.body as { connectionToken: string };
    // A dead node's row stays in the table, with an address where nothing listens.
    await one.app.store.write(announceNode, {
      name: 'gone',
      id: nodeOf(connectionToken),
      address: 'http://127.0.0.1:9',
    });
    await two.app.stop();
    for (const method of ['GET', 'POST']) {
      const gone = await one.app.request(method, `/alarmHub?id=${connectionToken}`, {
        token,
        headers: { accept: '*/*' },
      });
      assert.ok([200, 404].includes(gone.status), `${method}: ${gone.status} ${gone.text}`);
    }
    assert.equal((await one.app.request('GET', '/health/ready')).status, 200);
  });
}

/** The node that a connection token names. */
function nodeOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())[1];
}
