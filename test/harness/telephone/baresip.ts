// baresip as the telephone of a person: it rings, and the test picks up and presses keys over its control port.

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { missing, startOnFreePort, startProgram } from '../../../packages/sip/test/harness/programs.ts';
import { until } from '../until.ts';

export const baresipMissing = missing('baresip', 'baresip-core');

export type Baresip = {
  readonly port: number;
  /** Everything it printed. */
  output(): string;
  pickUp(): Promise<void>;
  press(key: string): Promise<void>;
  stop(): Promise<void>;
};

/** baresip takes the port after its own for TLS, and here another one for its control. */
const controlPortAfter = 40;

export async function startBaresip(): Promise<Baresip> {
  const start = (port: number) =>
    startProgram('baresip', (folder) => {
      writeFileSync(join(folder, 'accounts'), '<sip:201@127.0.0.1>;regint=0;answermode=manual\n');
      writeFileSync(join(folder, 'contacts'), '');
      writeFileSync(join(folder, 'config'), configuration(port));
      return ['-f', folder];
    });
  const { program, port } = await startOnFreePort(start, 'udp');
  await until(
    () => program.output(),
    (output) => output.includes('baresip is ready'),
  );
  const command = (name: string, params = '') => control(port + controlPortAfter, name, params);
  return {
    port,
    output: () => program.output(),
    pickUp: () => command('accept'),
    press: (key) => command('sndcode', key),
    stop: () => program.stop(),
  };
}

/** It sends keys only while its microphone gives sound, so that the bridge returns to the microphone what the call plays. */
function configuration(port: number): string {
  return `
poll_method epoll
sip_listen 127.0.0.1:${port}
audio_source aubridge,loop
audio_player aubridge,loop
audio_alert aubridge,bell
module_path /usr/lib/baresip/modules
module g711.so
module aubridge.so
module_tmp uuid.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${port + controlPortAfter}
`;
}

/** Sends one command as a netstring of JSON, and waits for the response. */
async function control(port: number, command: string, params: string): Promise<void> {
  const json = JSON.stringify({ command, params, token: 'test' });
  const socket = connect(port, '127.0.0.1');
  socket.write(`${Buffer.byteLength(json)}:${json},`);
  socket.once('data', () => socket.end());
  await text(socket);
}
