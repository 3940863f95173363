// Reads the settings of a provider: each kind lists its fields, and mistakes are named by field. Pure.

export type SettingProblem = { readonly field: string; readonly message: string };

/** Returns the value, or throws an Error whose message says what is wrong with it. */
type Read<T> = (given: unknown) => T;

export type SettingFields = Readonly<Record<string, Read<unknown>>>;

export type SettingValues<F extends SettingFields> = { readonly [N in keyof F]: ReturnType<F[N]> };

export function textSetting(pattern: RegExp, expected: string): Read<string> {
  return (given) => {
    if (typeof given === 'string' && pattern.test(given)) return given;
    throw new Error(`must be ${expected}`);
  };
}

/** A field that may be left out. */
export function optional<T, D>(read: Read<T>, missing: D): Read<T | D> {
  return (given) => (given === undefined || given === null ? missing : read(given));
}

export function numberSetting(least: number, most: number): Read<number> {
  return (given) => {
    if (typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most) return given;
    throw new Error(`must be a whole number from ${least} to ${most}`);
  };
}

export function choiceSetting<const T extends string>(values: readonly T[]): Read<T> {
  return (given) => {
    const found = values.find((value) => value === given);
    if (found !== undefined) return found;
    throw new Error(`must be one of ${values.join(', ')}`);
  };
}

export const yesOrNo: Read<boolean> = (given) => {
  if (typeof given === 'boolean') return given;
  throw new Error('must be true or false');
};

export function listSetting<T>(read: Read<T>, most: number): Read<readonly T[]> {
  return (given) => {
    if (Array.isArray(given) && given.length <= most) return given.map(read);
    throw new Error(`must be a list of up to ${most}`);
  };
}

/** A name or address of a host, without a port. */
export const hostSetting = textSetting(
  /^[A-Za-z0-9._-]{1,253}$|^\[?[0-9A-Fa-f:.]{2,45}\]?$/,
  'the name or address of a host',
);

/** Returns the typed values and, by field, what is wrong. */
export function readSettings<F extends SettingFields>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
): { readonly values: SettingValues<F>; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = Object.keys(given)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ field: name, message: 'is not a setting of this kind of provider' }));
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(fields)) {
    try {
      values[name] = read(given[name]);
    } catch (error) {
      problems.push({ field: name, message: error instanceof Error ? error.message : 'is wrong' });
    }
  }
  return { values: values as SettingValues<F>, problems };
}
