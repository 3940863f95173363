// The worker module of the thread of telephone calls.

import { parentPort, workerData } from 'node:worker_threads';
import { serveVoice } from './channels/voice/thread/serve-voice.ts';
import type { VoiceThreadData } from './channels/voice/thread/voice-functions.ts';

if (parentPort !== null) serveVoice(parentPort, workerData as VoiceThreadData);
