// The description of a kind of provider: the channel it serves, its settings and secrets, and what it can do. Pure.

import { readSettings, type SettingFields, type SettingProblem } from '../settings.ts';

export type Capabilities = {
  readonly isSpoken: boolean;
  /** The most characters of a text; undefined: no limit. */
  readonly mostCharacters: number | undefined;
  /** Whether it reports that a message was delivered. */
  readonly hasReceipts: boolean;
  readonly takesReplies: boolean;
  /** Whether a message goes to a room of several people. */
  readonly isRoom: boolean;
};

export type ProviderKind = {
  readonly name: string;
  /** The channels that providers of this kind can serve; undefined: any. */
  readonly channels: readonly string[] | undefined;
  readonly capabilities: Capabilities;
  readonly fields: SettingFields;
  /** The names of its secrets, which are written and never read. */
  readonly secrets: readonly string[];
  /** The names of those without which it cannot be used. */
  readonly neededSecrets?: readonly string[];
  /** The fewest characters of a secret; undefined: any. */
  readonly shortestSecret?: number;
  /**
   * The hosts that each secret is sent to, by the name of the secret; `secrets` are those that there are. Undefined: none is
   * sent to a host of the settings.
   */
  readonly hostsOfSecrets?: (
    settings: Readonly<Record<string, unknown>>,
    secrets: readonly string[],
  ) => Readonly<Record<string, readonly unknown[]>>;
  /** What is wrong with settings that are right one by one and do not go together. */
  readonly conflictsOf?: (settings: Readonly<Record<string, unknown>>) => readonly SettingProblem[];
  /** Whether one node holds a part of it, such as a registration. */
  readonly isHeld: (settings: Readonly<Record<string, unknown>>) => boolean;
};

/**
 * Returns the names of stored secrets that would be sent to a host to which they were not sent before, and are not given
 * again: whoever may change the settings cannot read a secret, and must not have it sent to a host of their own.
 */
export function misdirectedSecrets(
  { hostsOfSecrets = () => ({}) }: ProviderKind,
  before: { readonly settings: Readonly<Record<string, unknown>>; readonly secrets: readonly string[] },
  after: { readonly settings: Readonly<Record<string, unknown>> },
  given: Readonly<Record<string, string | null>>,
): readonly string[] {
  const left = before.secrets.filter((name) => given[name] === undefined);
  const added = Object.keys(given).filter((name) => typeof given[name] === 'string');
  const known = hostsOfSecrets(before.settings, before.secrets);
  const hosts = hostsOfSecrets(after.settings, [...left, ...added]);
  const isNew = (name: string, host: unknown): boolean => host !== undefined && known[name]?.includes(host) !== true;
  return left.filter((name) => hosts[name]?.some((host) => isNew(name, host)));
}

/** Returns what is wrong with secrets that are about to be stored, by name; null removes one. Never contains a secret. */
export function secretProblemsOf(
  { secrets, shortestSecret = 0 }: ProviderKind,
  given: Readonly<Record<string, string | null>>,
): readonly SettingProblem[] {
  return Object.entries(given).flatMap(([field, secret]) => {
    if (!secrets.includes(field)) return [{ field, message: 'is not a secret of this kind' }];
    const isShort = secret !== null && secret.length < shortestSecret;
    return isShort ? [{ field, message: `must have at least ${shortestSecret} characters` }] : [];
  });
}

export function problemsOf(
  { fields, conflictsOf = () => [] }: ProviderKind,
  settings: Readonly<Record<string, unknown>>,
): readonly SettingProblem[] {
  const { problems } = readSettings(fields, settings);
  return problems.length > 0 ? problems : conflictsOf(settings);
}
