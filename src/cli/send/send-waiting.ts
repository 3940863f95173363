// Sends what waits in a spool, in order for each path; the caller holds the lock.

import { type Meaning, meaningOf } from './answer.ts';
import { inOrder } from './item.ts';
import { post, type Server } from './post.ts';
import type { Spool } from './spool.ts';

/** What became of each report, by its name; those that are not named still wait. */
export type Outcomes = ReadonlyMap<string, Meaning>;

type Waiting = { readonly name: string; readonly path: string };

/** `first` is the path that goes first; `holdsLock` is asked before each request. */
export async function sendWaiting(
  spool: Spool,
  server: Server,
  first: string,
  holdsLock: () => boolean,
): Promise<Outcomes> {
  const outcomes = new Map<string, Meaning>();
  const held = new Set<string>();
  for (const { name, path } of inOrder(await waitingIn(spool), first)) {
    if (held.has(path)) continue;
    if (!holdsLock()) return outcomes;
    const meaning = await sendOne(spool, server, name);
    outcomes.set(name, meaning);
    if (meaning === 'unreachable') return outcomes;
    if (meaning === 'waits') held.add(path);
  }
  return outcomes;
}

async function waitingIn(spool: Spool): Promise<readonly Waiting[]> {
  const waiting: Waiting[] = [];
  for (const name of await spool.names()) {
    const item = await spool.read(name);
    if (item !== undefined) waiting.push({ name, path: item === 'unreadable' ? '' : item.path });
  }
  return waiting;
}

async function sendOne(spool: Spool, server: Server, name: string): Promise<Meaning> {
  const item = await spool.read(name);
  // Dropped by a sender that needed its place.
  if (item === undefined) return 'taken';
  const posted = item === 'unreadable' ? undefined : await post(server, item.body, name);
  const meaning = posted === undefined ? 'refused' : meaningOf(posted.status);
  const detail = posted?.detail ?? 'the file is not a report';
  if (meaning === 'taken') await spool.remove(name);
  else if (meaning === 'refused') await spool.refuse(name);
  if (meaning !== 'taken') console.error(`${name} ${meaning === 'refused' ? 'was refused' : 'waits'}: ${detail}`);
  return meaning;
}
