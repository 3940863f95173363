// The program `tocsin`: passes the command line to the command it names; the only file with side effects on import.

import { Interrupted } from './cli/ask-password.ts';
import { runCommand } from './cli/commands.ts';
import { ConfigError } from './config-values.ts';
import { AppError, exitCodes, StartError } from './errors.ts';

try {
  await runCommand(process.argv.slice(2), process.env);
} catch (error) {
  if (error instanceof Interrupted) process.exitCode = exitCodes.interrupted;
  else if (error instanceof StartError) {
    console.error(error.message);
    process.exitCode = error.exitCode;
  } else if (error instanceof ConfigError) {
    console.error(error.message);
    process.exitCode = exitCodes['bad-settings'];
  } else if (error instanceof AppError) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    console.error('Tocsin met a fault of its own; please report it with these lines.');
    console.error(error);
    process.exitCode = exitCodes.fault;
  }
}
