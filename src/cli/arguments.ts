// Parses the arguments of a CLI command; errors show the command's usage.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { StartError } from '../errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Returns the `count` names and the options in `words`; throws with the usage when there are more, fewer or unknown
 * ones.
 */
export function readArguments<O extends Options>(words: readonly string[], count: number, usage: string, options: O) {
  try {
    const parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
    if (parsed.positionals.length !== count)
      throw new Error(count === 0 ? 'It takes no name' : 'A name is missing or one too many');
    return parsed;
  } catch (error) {
    throw badUsage(error instanceof Error ? error.message : String(error), usage);
  }
}

export function wholeNumberFrom(text: string, what: string, usage: string): number {
  if (!/^\d{1,9}$/.test(text)) throw badUsage(`${what} must be a whole number, not "${text}"`, usage);
  return Number(text);
}

export function badUsage(why: string, usage: string): StartError {
  return new StartError(`${why.replace(/\.+$/, '')}.\nUsage: tocsin ${usage}`, 'bad-usage');
}
