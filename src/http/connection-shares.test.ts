// Tests which connection gives way to a new one: the share of a network, strangers before holders of tokens, the reserve.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionShares, type Sharing } from './connection-shares.ts';

class Client implements Sharing {
  readonly address: string;
  isBusy = false;
  isClosed = false;

  constructor(address: string) {
    this.address = address;
  }

  waitsForClient(): boolean {
    return !this.isBusy;
  }

  close(): void {
    this.isClosed = true;
  }
}

function admitted(shares: ConnectionShares<Client>, address: string, count: number, now = 0): Client[] {
  return Array.from({ length: count }, () => {
    const client = new Client(address);
    assert.notEqual(shares.admit(client, now), 'refused');
    return client;
  });
}

const closed = (clients: readonly Client[]): readonly number[] =>
  clients.flatMap(({ isClosed }, index) => (isClosed ? [index] : []));

test('beyond its share a network gives up its own connections, the one that was silent longest first', () => {
  const shares = new ConnectionShares<Client>(20, []);
  const others = admitted(shares, '192.0.2.1', 2);
  const own = admitted(shares, '192.0.2.2', 10);
  shares.noteRequest(own[0] ?? assert.fail());
  admitted(shares, '192.0.2.2', 2);
  assert.deepEqual([closed(others), closed(own)], [[], [1, 2]]);
});

test('an IPv6 network is one, whatever address in it is used', () => {
  const shares = new ConnectionShares<Client>(20, []);
  const own = Array.from({ length: 11 }, (_, n) => admitted(shares, `2001:db8::${n}`, 1)).flat();
  assert.deepEqual(closed(own), [0]);
});

test('connections that the server is working for are never closed; when all are, a new one is refused', () => {
  const shares = new ConnectionShares<Client>(4, []);
  const own = admitted(shares, '192.0.2.2', 2);
  for (const client of own) client.isBusy = true;
  assert.equal(shares.admit(new Client('192.0.2.2'), 0), 'refused');
  assert.deepEqual(closed(own), []);
});

test('unknown networks leave a quarter free for known ones', () => {
  const shares = new ConnectionShares<Client>(20, []);
  const [source] = admitted(shares, '192.0.2.1', 1);
  shares.noteToken(source ?? assert.fail(), 0);
  shares.remove(source ?? assert.fail());
  const strangers = ['192.0.2.2', '192.0.2.3'].flatMap((address) => admitted(shares, address, 8));
  assert.deepEqual(closed(strangers), [0], 'the sixteenth of 20');
  admitted(shares, '192.0.2.1', 5);
  assert.deepEqual(closed(strangers), [0], 'room for the known one');
  admitted(shares, '192.0.2.1', 1);
  assert.deepEqual(closed(strangers), [0, 1], 'full');
  const week = 7 * 86_400_000;
  admitted(shares, '192.0.2.1', 1, week + 1);
  assert.deepEqual(closed(strangers), [0, 1, 2], 'no longer known, and strangers have their part');
});

test('connections with a token give way to nobody', () => {
  const shares = new ConnectionShares<Client>(4, []);
  const holders = Array.from({ length: 4 }, (_, n) => {
    const [holder] = admitted(shares, `192.0.2.${n}`, 1);
    shares.noteToken(holder ?? assert.fail(), 0);
    return holder ?? assert.fail();
  });
  assert.equal(shares.admit(new Client('192.0.2.1'), 0), 'refused');
  shares.remove(holders[0] ?? assert.fail());
  assert.equal(shares.admit(new Client('192.0.2.1'), 0), 'taken');
  assert.deepEqual(closed(holders), []);
});

test('a proxy may have all connections', () => {
  const shares = new ConnectionShares<Client>(4, ['192.0.2.9']);
  const own = admitted(shares, '::ffff:192.0.2.9', 5);
  assert.deepEqual(closed(own), [0]);
});

test('a proxy that is named by its network has no share', () => {
  for (const proxies of [['192.168.1.5'], ['192.168.1.0/24'], ['2001:db8::/32', '192.168.0.0/16']]) {
    const shares = new ConnectionShares<Client>(20, proxies);
    assert.deepEqual(closed(admitted(shares, '::ffff:192.168.1.5', 20)), [], proxies.join());
  }
  const shares = new ConnectionShares<Client>(20, ['192.168.2.0/24']);
  assert.equal(closed(admitted(shares, '192.168.1.5', 20)).length, 10, 'of another network');
});
