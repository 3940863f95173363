// The thread of telephone calls with two faults planted: a call to one number ends it, a call to another makes it stand still.

import { parentPort, workerData } from 'node:worker_threads';
import { serveVoice } from '../../../src/channels/voice/thread/serve-voice.ts';
import type { ThreadMessage } from '../../../src/channels/voice/thread/thread-calls.ts';
import { endingNumber, haltingNumber } from './telephone-faults.ts';

function addressIn(message: ThreadMessage): string | undefined {
  if (message.kind !== 'call' || message.name !== 'deliver') return undefined;
  return (message.input as { readonly message: { readonly address: string } }).message.address;
}

if (parentPort !== null) {
  serveVoice(parentPort, workerData);
  parentPort.on('message', (message: ThreadMessage) => {
    const address = addressIn(message);
    if (address === endingNumber) throw new Error('a fault that was planted');
    while (address === haltingNumber);
  });
}
