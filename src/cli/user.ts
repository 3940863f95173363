// `tocsin user add` and `tocsin user password`: manages users who may sign in.

import { hashPassword, readablePassword, refuseWeakPassword } from '../access/password.ts';
import { type Environment, readConfig } from '../config.ts';
import { isRole, roles, terminalCaller } from '../domain/access/access.ts';
import { addUser, setPassword } from '../operations/people/users.ts';
import { badUsage, readArguments, wholeNumberFrom } from './arguments.ts';
import { askPassword } from './ask-password.ts';
import { withStore } from './with-store.ts';

const addUsage = `user add NAME [--role ${Object.keys(roles).join('|')}] [--station ID]… [--generate]`;
const passwordUsage = 'user password NAME [--generate]';

export async function addUserFromTerminal(words: readonly string[], environment: Environment): Promise<void> {
  const { values, positionals } = readArguments(words, 1, addUsage, {
    role: { type: 'string', default: 'operator' },
    station: { type: 'string', multiple: true },
    generate: { type: 'boolean' },
  });
  const [name = ''] = positionals;
  const { role } = values;
  if (!isRole(role)) throw badUsage(`There is no role "${role}"`, addUsage);
  if (name.length < 1 || name.length > 256) throw badUsage('NAME must have 1 to 256 characters', addUsage);
  const stationIds = (values.station ?? []).map((text) => wholeNumberFrom(text, 'The station', addUsage));
  await withStore(environment, async (store) => {
    const { password, passwordHash } = await newPassword(name, values.generate);
    const { timeZone } = readConfig(environment);
    const id = await store.write(addUser, { caller: terminalCaller, name, role, passwordHash, stationIds, timeZone });
    console.log(`Added ${role} "${name}" with the id ${id}.`);
    if (values.generate) console.log(`Password: ${password}`);
  });
}

export async function setPasswordFromTerminal(words: readonly string[], environment: Environment): Promise<void> {
  const { values, positionals } = readArguments(words, 1, passwordUsage, { generate: { type: 'boolean' } });
  const [name = ''] = positionals;
  await withStore(environment, async (store) => {
    const { password, passwordHash } = await newPassword(name, values.generate);
    await store.write(setPassword, { caller: terminalCaller, name, passwordHash });
    console.log(`The password of "${name}" is set; their sessions have ended.`);
    if (values.generate) console.log(`Password: ${password}`);
  });
}

/** A generated password is printed only after it is stored: one that was never set would mislead. */
async function newPassword(name: string, isGenerated: boolean | undefined) {
  const password = isGenerated ? readablePassword() : await askPassword();
  await refuseWeakPassword(password, name);
  return { password, passwordHash: await hashPassword(password) };
}
