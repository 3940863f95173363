// The sounds of a call: recordings in place of texts, and texts in place of recordings that cannot be played.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printWav } from '@tocsin/sip';
import { providerReasonIn } from '../../domain/channels/words/catalogue.ts';
import { CallSounds } from './call-sounds.ts';
import { ProcessPool } from './speech-process.ts';
import { StoredRecordings } from './speech-recordings.ts';

const { signal } = new AbortController();
const files = new Map([
  ['tone.wav', printWav(new Int16Array(1000).fill(7000))],
  ['long.wav', printWav(new Int16Array(121 * 8000))],
  ['broken.wav', Buffer.from('RIFF....WAVE\0\0\0')],
]);

/** Speech of as many samples as the text has characters. */
const speech = { check: async () => undefined, say: async (text: string) => new Int16Array(text.length).fill(1) };

function soundsOfCall() {
  let reads = 0;
  const find = async (recording: { readonly kind: string; readonly name?: string }) => {
    reads++;
    const bytes = files.get(recording.name ?? '');
    return bytes && { type: 'audio/wav' as const, bytes };
  };
  const sounds = new CallSounds(speech, new StoredRecordings({ find }, [], new ProcessPool(1)));
  return { sounds, reads: () => reads };
}

const part = (name: string) => ({ text: 'Pump1', recording: { kind: 'media', name } as const });

test('a recording is played between the texts around it, and read once', async () => {
  const { sounds, reads } = soundsOfCall();
  const said = [{ text: 'one' }, part('tone.wav'), { text: 'menu' }];
  const sound = await sounds.of(said, 'en', signal);
  const kinds = [...sound].map((sample) => (sample > 1 ? 'tone' : sample === 1 ? 'speech' : 'pause'));
  const heard = kinds.filter((one, at) => one !== kinds[at - 1]);
  assert.deepEqual(heard, ['speech', 'pause', 'tone', 'pause', 'speech', 'pause']);
  await sounds.of(said, 'en', signal);
  assert.equal(reads(), 1);
  assert.deepEqual(sounds.failures, []);
});

const failures = [
  ['none.wav', 'the recording none.wav was not played: "does not exist"'],
  ['long.wav', 'the recording long.wav was not played: "is longer than 120 seconds"'],
  ['broken.wav', /^the recording broken\.wav was not played: "/],
] as const;

for (const [name, failure] of failures)
  test(`the text is spoken in place of ${name}, and the reason is known once`, async () => {
    const { sounds } = soundsOfCall();
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await sounds.of([part(name)], 'en', signal), new Int16Array(5).fill(1));
    assert.equal(sounds.failures.length, 1);
    const [reason] = sounds.failures;
    assert.match(reason === undefined ? '' : providerReasonIn('en', reason), new RegExp(failure));
  });
