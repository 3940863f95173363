// Two sessions on loopback: prompts, digits both ways, barge-in, hold, and packets of strangers.

import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { MediaSession } from '../src/media/media-session.ts';
import { parseRtp, printRtp, type RtpPacket } from '../src/media/rtp.ts';
import { NoFreePort } from '../src/media/udp-port.ts';
import { freePort } from './harness/ports.ts';
import { until } from './harness/until.ts';

const loopback = '127.0.0.1';

async function openSession(t: TestContext): Promise<MediaSession> {
  const session = await MediaSession.open({ address: loopback });
  t.after(() => session.close());
  return session;
}

/** Two sessions that have agreed: the first one offered. */
async function connected(t: TestContext): Promise<readonly [MediaSession, MediaSession]> {
  const [caller, called] = [await openSession(t), await openSession(t)];
  caller.accept(called.answer(caller.offer()));
  return [caller, called];
}

/** A loud tone of `ms` milliseconds. */
function tone(ms: number): Int16Array {
  return Int16Array.from({ length: ms * 8 }, (_, at) => 12_000 * Math.sin((2 * Math.PI * 500 * at) / 8000));
}

async function keysHeard(session: MediaSession, count: number): Promise<string> {
  const keys: string[] = [];
  for (; keys.length < count; ) keys.push((await once(session, 'keyPressed'))[0]);
  return keys.join('');
}

/** Resolves with the first level that satisfies. */
async function level(session: MediaSession, satisfies: (decibels: number) => boolean): Promise<void> {
  for (;;) {
    const [decibels] = await once(session, 'level');
    if (decibels !== undefined && satisfies(decibels)) return;
  }
}

test('a prompt is heard at its loudness, and silence before and after it', async (t) => {
  const [caller, called] = await connected(t);
  await level(called, (decibels) => decibels < -70);
  const played = caller.play(tone(500));
  await level(called, (decibels) => decibels > -14 && decibels < -10);
  assert.equal(await played, 'ended');
  await level(called, (decibels) => decibels < -70);
});

test('keys arrive in both directions, in order, each once', async (t) => {
  const [caller, called] = await connected(t);
  const heard = Promise.all([keysHeard(called, 5), keysHeard(caller, 5)]);
  assert.deepEqual(await Promise.all([caller.sendKeys('4321#'), called.sendKeys('1*09D', 60)]), ['ended', 'ended']);
  assert.deepEqual(await heard, ['4321#', '1*09D']);
});

test('a key tells how long it was held', async (t) => {
  const [caller, called] = await connected(t);
  const released = once(called, 'keyReleased');
  await caller.sendKeys('7', 240);
  assert.deepEqual(await released, ['7', 240]);
});

test('a key pressed into a prompt stops it', async (t) => {
  const [caller, called] = await connected(t);
  called.once('keyPressed', () => called.stop());
  const played = called.play(tone(60_000));
  await caller.sendKeys('1');
  assert.equal(await played, 'interrupted');
});

test('a prompt that follows another in its continuation leaves no frame between them', async (t) => {
  const [caller, called] = await connected(t);
  const loud: boolean[] = [];
  called.on('audio', (samples) => loud.push(samples.some((sample) => Math.abs(sample) > 1000)));
  await caller.play(tone(100));
  await caller.play(tone(100));
  await caller.play(new Int16Array(800));
  const first = loud.indexOf(true);
  assert.deepEqual(loud.slice(first, first + 11), [...new Array(10).fill(true), false]);
});

test('closing ends what is played as interrupted', async (t) => {
  const [caller] = await connected(t);
  const played = caller.play(tone(60_000));
  caller.close();
  assert.equal(await played, 'interrupted');
  assert.equal(await caller.play(tone(100)), 'interrupted');
});

test('while the peer holds the call nothing is sent, and the prompt goes on afterwards', async (t) => {
  const [caller, called] = await connected(t);
  await once(called, 'audio');
  caller.answer(called.offer('sendonly'));
  const played = caller.play(tone(100));
  const packets = { count: 0 };
  // Packets under way when the hold was agreed have arrived after two levels.
  for (let n = 0; n < 2; n++) await once(called, 'level');
  called.on('audio', () => packets.count++);
  for (let n = 0; n < 2; n++) await once(caller, 'level');
  assert.equal(packets.count, 0);
  caller.answer(called.offer('sendrecv'));
  assert.equal(await played, 'ended');
});

/** A peer made by hand, so that it can send what a session never does. */
async function handPeer(t: TestContext): Promise<{ socket: Socket; port: number; description: string }> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  await new Promise<void>((resolve) => socket.bind(0, loopback, resolve));
  const { port } = socket.address();
  const description = `v=0\r\no=- 1 1 IN IP4 ${loopback}\r\ns=-\r\nc=IN IP4 ${loopback}\r\nt=0 0\r\nm=audio ${port} RTP/AVP 8 96\r\na=rtpmap:96 telephone-event/8000\r\n`;
  return { socket, port, description };
}

function eventPacket(code: number, timestamp: number, sequence: number, more: Partial<RtpPacket> = {}): Uint8Array {
  const payload = Uint8Array.of(code, 0x80, 3, 32);
  return printRtp({ payloadType: 96, marker: true, sequence, timestamp, ssrc: 5, payload, ...more });
}

test('keys under the payload type of the peer are heard, and those of a stranger are not', async (t) => {
  const session = await openSession(t);
  const [peer, stranger] = [await handPeer(t), await handPeer(t)];
  session.offer();
  session.accept(peer.description);
  const heard = keysHeard(session, 2);
  const send = (socket: Socket, bytes: Uint8Array): Promise<void> =>
    new Promise((resolve) => socket.send(bytes, session.port, loopback, () => resolve()));
  await send(peer.socket, eventPacket(1, 1000, 10));
  for (let n = 0; n < 5; n++) await send(stranger.socket, eventPacket(9, 2000 + n * 900, 11 + n));
  await send(peer.socket, Uint8Array.of(1, 2, 3));
  await send(peer.socket, eventPacket(2, 3000, 11));
  assert.equal(await heard, '12');
  assert.deepEqual(session.target, { address: loopback, port: peer.port });
});

test('packets go out as one stream, 160 samples apart', async (t) => {
  const session = await openSession(t);
  const peer = await handPeer(t);
  const packets: RtpPacket[] = [];
  peer.socket.on('message', (bytes) => packets.push(parseRtp(bytes) ?? assert.fail('no RTP')));
  session.answer(peer.description);
  await session.play(tone(200));
  await session.sendKeys('5');
  await once(peer.socket, 'message');
  const [first] = packets;
  assert.ok(first?.marker);
  for (const [index, { sequence, ssrc, timestamp, payloadType }] of packets.entries()) {
    assert.equal(sequence, (first.sequence + index) & 0xffff);
    assert.equal(ssrc, first.ssrc);
    if (payloadType === 8) assert.equal(timestamp, (first.timestamp + index * 160) >>> 0);
  }
  assert.equal(packets.filter(({ payloadType }) => payloadType === 96).length, 7);
});

test('a peer that sends nothing is noticed', async (t) => {
  const session = await MediaSession.open({ address: loopback, rtpLostAfterMs: 100 });
  t.after(() => session.close());
  session.answer((await handPeer(t)).description);
  await once(session, 'rtpLost');
});

test('ports come from the range, and an exhausted range is an error', async (t) => {
  const free = await openSession(t);
  const from = free.port + (free.port % 2);
  free.close();
  const session = await MediaSession.open({ address: loopback, ports: { from, to: from + 1 } });
  t.after(() => session.close());
  assert.equal(session.port, from);
  const used = MediaSession.open({ address: loopback, ports: { from, to: from + 1 } });
  await assert.rejects(used, (error) => error instanceof NoFreePort && error.range.from === from);
  session.close();
  const next = await MediaSession.open({ address: loopback, ports: { from, to: from + 1 } });
  t.after(() => next.close());
  assert.equal(next.port, from, 'free again');
});

/** An even port, so that it and the next even one are free and of this process alone. */
async function pairOfPorts(): Promise<number> {
  const [first, , third] = [await freePort(), await freePort(), await freePort()];
  return first % 2 === 0 && third === first + 2 ? first : pairOfPorts();
}

test('a port of the range that is taken is skipped', async (t) => {
  const from = await pairOfPorts();
  const taken = await MediaSession.open({ address: loopback, ports: { from, to: from } });
  t.after(() => taken.close());
  const next = await MediaSession.open({ address: loopback, ports: { from, to: from + 3 } });
  t.after(() => next.close());
  assert.deepEqual([taken.port, next.port], [from, from + 2]);
});

test('datagrams of any bytes do not disturb the call', async (t) => {
  const session = await openSession(t);
  const { socket, description } = await handPeer(t);
  session.answer(description);
  const heard = keysHeard(session, 1);
  let seed = 7;
  const byte = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed >> 16;
  };
  // The turn of the event loop lets the session read, before the buffer of its port is full.
  const send = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve) => socket.send(bytes, session.port, loopback, () => setImmediate(resolve)));
  for (let n = 0; n < 400; n++) {
    const bytes = Uint8Array.from({ length: byte() % 200 }, byte);
    // Half of them begin as RTP with a payload type that was agreed on, but are no key.
    if (n % 2 === 0) bytes.set([0x80 | (byte() & 0x3f), n % 4 === 0 ? 8 : 96].slice(0, bytes.length));
    if (bytes[1] === 96 && bytes.length > 12) bytes.fill(0xff, 12);
    await send(bytes);
  }
  for (let n = 0; n < 3; n++) await send(eventPacket(3, 50_000, 500 + n, { ssrc: 99 }));
  assert.equal(await heard, '3');
});

test('a peer without telephone events is heard by its tones', async (t) => {
  const [caller, called] = [await openSession(t), await openSession(t)];
  const withoutEvents = (text: string): string =>
    text.replace(/^(m=.*) 101\r$/m, '$1\r').replace(/^a=(rtpmap|fmtp):101 .*\r\n/gm, '');
  caller.accept(withoutEvents(called.answer(withoutEvents(caller.offer()))));
  await assert.rejects(caller.sendKeys('5'), /takes no telephone events/);
  const heard = once(called, 'keyPressed');
  const wave = (hertz: number, at: number): number => 5000 * Math.sin((2 * Math.PI * hertz * at) / 8000);
  await caller.play(Int16Array.from({ length: 1600 }, (_, at) => wave(770, at) + wave(1336, at)));
  assert.deepEqual(await heard, ['5', 'tone']);
});

test('tones are heard until the first event comes', async (t) => {
  const [caller, called] = await connected(t);
  const heard: string[] = [];
  called.on('keyPressed', (key, source) => void heard.push(`${key} ${source}`));
  const wave = (hertz: number, at: number): number => 5000 * Math.sin((2 * Math.PI * hertz * at) / 8000);
  const five = Int16Array.from({ length: 1600 }, (_, at) => wave(770, at) + wave(1336, at));
  await caller.play(five);
  await caller.sendKeys('7');
  await caller.play(five);
  await caller.sendKeys('8');
  await until(
    () => heard,
    ({ length }) => length >= 3,
  );
  assert.deepEqual(heard, ['5 tone', '7 event', '8 event']);
});
