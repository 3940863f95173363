// `tocsin send`: reports that something has happened, or is back to normal; with a spool also while the server is away.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from '../../config.ts';
import { StartError } from '../../errors.ts';
import { badUsage, readArguments, wholeNumberFrom } from '../arguments.ts';
import { exitCodeOf, exitCodeUnkept, type Meaning, meaningOf } from './answer.ts';
import type { Item } from './item.ts';
import { post, type Server } from './post.ts';
import { bodyOf, kindOf, type Report } from './report.ts';
import { type Outcomes, sendWaiting } from './send-waiting.ts';
import { Spool } from './spool.ts';
import { SpoolLock } from './spool-lock.ts';

export const sendUsage =
  'send --url URL [--key-file FILE] (--path PATH [--message TEXT] [--priority N] [--value TEXT] [--normal] [--group ID] | --flush) [--spool DIR]';

const options = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  path: { type: 'string' },
  message: { type: 'string' },
  priority: { type: 'string' },
  value: { type: 'string' },
  normal: { type: 'boolean', default: false },
  group: { type: 'string' },
  spool: { type: 'string' },
  flush: { type: 'boolean', default: false },
} as const;

/** Options that say what is reported. */
const reporting = ['path', 'message', 'priority', 'value', 'group'] as const;

export async function send(words: readonly string[], environment: Environment): Promise<void> {
  const { values } = readArguments(words, 0, sendUsage, options);
  const server = { url: urlFrom(values.url), key: keyFrom(values['key-file'], environment) };
  const spool = values.spool ? new Spool(values.spool) : undefined;
  if (values.flush) {
    if (values.normal || reporting.some((name) => values[name])) throw badUsage('--flush reports nothing', sendUsage);
    if (spool === undefined) throw badUsage('--spool is missing', sendUsage);
    process.exitCode = await flush(spool, server);
    return;
  }
  const report = reportFrom(values);
  process.exitCode =
    spool === undefined ? exitCodeOf(await sendAtOnce(server, report)) : await sendBy(spool, server, report);
}

function reportFrom(
  values: {
    readonly [name in (typeof reporting)[number]]?: string | undefined;
  } & { readonly normal: boolean },
): Report {
  if (!values.path) throw badUsage('--path is missing', sendUsage);
  const number = (name: 'priority' | 'group'): number | undefined =>
    values[name] ? wholeNumberFrom(values[name], `--${name}`, sendUsage) : undefined;
  return {
    path: values.path,
    isNormal: values.normal,
    message: values.message || undefined,
    priority: number('priority'),
    value: values.value || undefined,
    group: number('group'),
  };
}

function urlFrom(text: string | undefined): string {
  if (text === undefined || !/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw badUsage('--url must be the address of the server, such as https://alarms.example.com', sendUsage);
  return text.replace(/\/+$/, '');
}

/** Never from the arguments, which every user of the machine can read. */
function keyFrom(file: string | undefined, { TOCSIN_SEND_KEY }: Environment): string {
  const key = (file ? textOfFile(file) : (TOCSIN_SEND_KEY ?? '')).trim();
  if (/^[\w.~+/=-]+$/.test(key)) return key;
  const where = file ? `The file ${file}` : 'TOCSIN_SEND_KEY';
  throw new StartError(
    `${where} contains no API key; make one with: tocsin key add NAME --scope alarms:write`,
    'bad-usage',
  );
}

function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`The key file cannot be read: ${(error as Error).message}`, 'bad-usage');
  }
}

async function sendAtOnce(server: Server, report: Report): Promise<Meaning> {
  const { status, detail } = await post(server, bodyOf(report), randomBytes(16).toString('hex'));
  const meaning = meaningOf(status);
  if (meaning !== 'taken') console.error(`It was ${meaning === 'refused' ? 'refused' : 'not sent'}: ${detail}`);
  return meaning;
}

async function sendBy(spool: Spool, server: Server, report: Report): Promise<number> {
  const item: Item = { path: JSON.stringify(report.path), body: bodyOf(report) };
  let name: string;
  try {
    name = await spool.keep(item, kindOf(report));
  } catch (error) {
    console.error(`The spool ${spool.folder} cannot be used: ${(error as Error).message}`);
    return exitCodeUnkept(await sendAtOnce(server, report));
  }
  await sendInTurn(spool, server, item.path, () => spool.holds(name)).catch(({ message }: Error) =>
    console.error(`The spool ${spool.folder} cannot be used: ${message}`),
  );
  return exitCodeOf(leftOf(spool, name));
}

/** What became of a report, which another sender may have sent. */
function leftOf(spool: Spool, name: string): Meaning {
  if (spool.holds(name)) return 'waits';
  return spool.hasRefused(name) ? 'refused' : 'taken';
}

async function flush(spool: Spool, server: Server): Promise<number> {
  try {
    const outcomes = await sendInTurn(spool, server, '', () => true);
    if ((await spool.names()).length > 0) return exitCodeOf('waits');
    return exitCodeOf([...outcomes.values()].includes('refused') ? 'refused' : 'taken');
  } catch (error) {
    throw new StartError(`The spool ${spool.folder} cannot be used: ${(error as Error).message}`, 'cannot-write');
  }
}

async function sendInTurn(spool: Spool, server: Server, first: string, isNeeded: () => boolean): Promise<Outcomes> {
  const lock = new SpoolLock(spool.folder);
  if (!(await lock.take(isNeeded))) return new Map();
  try {
    return await sendWaiting(spool, server, first, () => lock.keep());
  } finally {
    lock.release();
  }
}
