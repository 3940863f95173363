// `tocsin serve`: runs the server until it receives a stop signal.

import type { StartedApp } from '../../app.ts';
import type { Environment } from '../../config.ts';
import { readConfig } from '../../config.ts';
import { adminName } from '../../operations/system/first-start.ts';
import { readArguments } from '../arguments.ts';
import { runServer } from './run-server.ts';

export async function serve(words: readonly string[], environment: Environment): Promise<void> {
  readArguments(words, 0, 'serve', {});
  await runServer(readConfig(environment), async (started) => console.log(greeting(started)));
}

function greeting({ url, firstPassword }: StartedApp): string {
  const lines = ['', `  Tocsin is ready at ${url}`, ''];
  if (firstPassword !== undefined) {
    lines.push(
      `  First start: the administrator is "${adminName}" with the password`,
      '',
      `      ${firstPassword}`,
      '',
      '  It is shown this once. Change it with: npx tocsin user password admin',
      '',
    );
  }
  lines.push(
    `  Reference of the interface: ${url}/docs`,
    '  Next: open the address in a browser and sign in',
    '  Stop with Ctrl-C',
    '',
  );
  return lines.join('\n');
}
