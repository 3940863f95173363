// The timers of the system: what a process does that stood still.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { systemTimers } from './timers.ts';

test('a response that came while the process stood still is read before its timer ends the wait', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const happened: string[] = [];
  socket.on('message', () => happened.push('response'));
  const over = new Promise<void>((resolve) => {
    systemTimers.after(10, () => {
      happened.push('timer');
      resolve();
    });
  });
  socket.send('200 OK', socket.address().port, '127.0.0.1');
  // The process stands still, as it does while its machine is moved or suspended.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  await over;
  socket.close();
  assert.deepEqual(happened, ['response', 'timer']);
});

test('a timer that stands a little late runs at once, and one that is cancelled while it is given more time does not', async () => {
  const happened: string[] = [];
  const cancel = systemTimers.after(10, () => happened.push('cancelled'));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  await new Promise((resolve) => setImmediate(resolve));
  cancel();
  await new Promise<void>((resolve) => {
    systemTimers.after(5, () => {
      happened.push('ran');
      resolve();
    });
  });
  await new Promise<void>((resolve) => systemTimers.after(2_100, resolve));
  assert.deepEqual(happened, ['ran']);
});
