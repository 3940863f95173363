// A voice is never taken for keys: minutes of speech by espeak-ng in several voices, through G.711.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { decode, encode } from '../src/media/g711.ts';
import { ToneDetector } from '../src/media/tone-detector.ts';
import { readWav } from '../src/media/wav.ts';

const isThere = spawnSync('espeak-ng', ['--version']).status === 0;
const skip = isThere ? false : 'needs espeak-ng: apt-get install espeak-ng';

const words =
  'Pump three high level. Hello, this is Martin, maintenance, who is calling? Please leave a message after the tone. ' +
  'Ooh, aah, eee, one two three four five six seven eight nine zero. Bonjour, vous êtes bien chez nous, laissez un message. ' +
  'Guten Tag, hier ist der Anrufbeantworter, bitte sprechen Sie nach dem Ton. ';

for (const voice of ['en', 'en+f3', 'fr', 'de', 'de+m7', 'en+whisper']) {
  test(`no key is heard in speech by the voice ${voice}`, { skip }, () => {
    const { stdout } = spawnSync('espeak-ng', ['-v', voice, '--stdin', '--stdout'], { input: words, maxBuffer: 1e8 });
    const speech = readWav(stdout, { mostBytes: 1e8, mostSeconds: 600, isStreamed: true });
    assert.ok(speech.length > 8000 * 10);
    assert.deepEqual(new ToneDetector().push(decode('PCMA', encode('PCMA', speech))), []);
  });
}
