// The recordings of the store, as the voice channel finds them.

import type { RecordingStore } from '../../channels/voice/speech-recordings.ts';
import { getRecording } from '../../operations/conversations/recordings.ts';
import type { Store } from '../../store/store.ts';

export function storedRecordings(store: Store): RecordingStore {
  return { find: (recording) => store.read(getRecording, { recording }) };
}
