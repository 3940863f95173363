// The thread of telephone calls: SIP, sound and speech, apart from the event loop of the server.

import { sipProviders } from '../../../domain/channels/kinds/sip.ts';
import { readSettings } from '../../../domain/channels/settings.ts';
import type { VoicePorts } from '../connect-talk.ts';
import { SipProvider } from '../sip-provider.ts';
import { CommandSpeech } from '../speech.ts';
import { ProcessPool } from '../speech-process.ts';
import { StoredRecordings } from '../speech-recordings.ts';
import { plainError, ThreadCalls, type ThreadPort } from './thread-calls.ts';
import type { ServerFunctions, VoiceFunctions, VoiceThreadData } from './voice-functions.ts';

/** Programs that speak or decode at the same time; the processor has other work. */
const mostSpeechProcesses = 2;

/** Serves telephone calls over `port`; in a thread of its own, except in tests. */
export function serveVoice(port: ThreadPort, { speech, decoder }: VoiceThreadData): void {
  const providers = new Map<number, SipProvider>();
  const listeners = new Set<() => void>();
  const onTrouble = (error: unknown): void => server.send('trouble', { error: plainError(error) });
  const find = (key: number): SipProvider => {
    const found = providers.get(key);
    if (found === undefined) throw new Error('The provider is closed.');
    return found;
  };
  const functions: VoiceFunctions = {
    open({ input: { key, provider, secrets } }) {
      const { values } = readSettings(sipProviders.fields, provider.settings);
      providers.set(key, new SipProvider(provider.id, values, secrets.password, ports));
    },
    change: ({ input: { key, provider, secrets } }) => find(key).change(provider, secrets),
    setHeld: ({ input: { key, isHeld } }) => find(key).setHeld(isHeld),
    deliver: ({ input: { key, message }, report, signal }) => find(key).deliver(message, report, signal),
    release: ({ input: { key, ref } }) => find(key).release(ref),
    check: ({ input: { key }, signal }) => find(key).check(signal),
    checkReplies: ({ input: { key }, signal }) => find(key).checkReplies(signal),
    sendCode: ({ input: { key, message }, signal }) => find(key).sendCode(message, signal),
    async close({ input: { key } }) {
      const provider = find(key);
      providers.delete(key);
      await provider.close();
    },
    news() {
      for (const listener of listeners) listener();
    },
    ping() {},
  };
  const server = new ThreadCalls<ServerFunctions>(port, functions, onTrouble);
  const processes = new ProcessPool(mostSpeechProcesses, (pid, runs) => server.send('program', { pid, runs }));
  const recordings = {
    find: (recording: Parameters<ServerFunctions['findRecording']>[0]['input']['recording']) =>
      server.call('findRecording', { recording }),
  };
  const ports: VoicePorts = {
    conversations: {
      begin: (message) => server.call('begin', { message }),
      beginRingIn: (line) => server.call('beginRingIn', { line }),
      answered: (attemptId) => server.call('answered', { attemptId }),
      keys: (attemptId, keys) => server.call('keys', { attemptId, keys }),
      silence: (attemptId) => server.call('silence', { attemptId }),
      news: (attemptId) => server.call('tell', { attemptId }),
      ended: (attemptId) => server.call('ended', { attemptId }),
      onNews(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    speech: new CommandSpeech(speech, processes, onTrouble),
    recordings: new StoredRecordings(recordings, decoder, processes),
    note: (...note) => server.send('note', { note }),
    onTrouble,
  };
}
