// Whose packets a session takes: the negotiated peer's, or the first source behind a NAT, and nobody's later.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RemoteSource } from './remote-source.ts';

const peer = { address: '192.0.2.9', port: 6000 };
const nat = { address: '198.51.100.3', port: 31_000 };
const stranger = { address: '203.0.113.8', port: 7000 };

test('the negotiated address is sent to before anything came', () => {
  assert.deepEqual(new RemoteSource(peer).target, peer);
});

test('after the peer was heard, nobody else is, not even from another port of its address', () => {
  const source = new RemoteSource(peer);
  assert.ok(source.admits(peer));
  assert.deepEqual(
    [source.admits(stranger), source.admits(stranger), source.admits({ ...peer, port: 1 })],
    [false, false, false],
  );
  assert.deepEqual(source.target, peer);
});

test('a packet from port 0 is nobody’s, so that nothing is sent there', () => {
  const source = new RemoteSource(peer);
  const forged = { ...peer, port: 0 };
  assert.deepEqual([source.admits(forged), source.admits(forged)], [false, false]);
  assert.deepEqual(source.target, peer);
});

test('another port of the negotiated address is taken at once', () => {
  const source = new RemoteSource(peer);
  assert.ok(source.admits({ ...peer, port: 6010 }));
  assert.deepEqual(source.target, { ...peer, port: 6010 });
});

test('a source behind a NAT is taken with its second packet, and sent to', () => {
  const source = new RemoteSource(peer);
  assert.deepEqual([source.admits(nat), source.admits(nat)], [false, true]);
  assert.deepEqual(source.target, nat);
  assert.deepEqual([source.admits(stranger), source.admits(stranger)], [false, false]);
});

test('who came before the peer loses the call to the negotiated address', () => {
  const source = new RemoteSource(peer);
  source.admits(stranger);
  assert.ok(source.admits(stranger));
  assert.ok(source.admits(peer));
  assert.equal(source.admits(stranger), false);
  assert.deepEqual(source.target, peer);
});

test('notations of one IPv6 address are the same address', () => {
  const source = new RemoteSource({ address: '2001:DB8:0:0::1', port: 6000 });
  assert.ok(source.admits({ address: '2001:db8::1', port: 6000 }));
});
