// The stored work that this process has in hand, in a file of the data folder: after an end without a stop, the next start finds what
// was under way. It is written without waiting for the disk, as it has to outlive the process and not the machine.

import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isWorkKind, type Work } from '../domain/quarantine.ts';

/** Beyond this size the file is written anew with what is in hand. */
const mostBytes = 65_536;

export class WorkInHand {
  readonly #file: string;
  readonly #pieces = new Set<string>();
  readonly #onTrouble: (error: unknown) => void;
  #descriptor: number | undefined;
  #bytes = 0;

  /** Work that the process before this one had in hand when it ended without being stopped. */
  readonly left: readonly Work[];
  /** Which end that was: the next start knows by it whether it was noted already. */
  readonly leftAt: string;

  constructor(folder: string, onTrouble: (error: unknown) => void) {
    this.#file = join(folder, 'work-in-hand');
    this.#onTrouble = onTrouble;
    this.left = readLeft(this.#file);
    this.leftAt = this.left.length === 0 ? '' : String(statSync(this.#file, { bigint: true }).mtimeNs);
  }

  /** From now on it holds what this process has in hand; what the one before left has been stored. */
  open(): void {
    this.#try(() => {
      // Each line is written at the end, wherever that is after the file was written anew.
      this.#descriptor = openSync(this.#file, 'a', 0o600);
      ftruncateSync(this.#descriptor, 0);
    });
  }

  begin(work: Work): void {
    const name = nameOf(work);
    this.#pieces.add(name);
    this.#append(`+${name}\n`);
  }

  end(work: Work): void {
    const name = nameOf(work);
    if (this.#pieces.delete(name)) this.#append(`-${name}\n`);
  }

  /** The server is being stopped: what is in hand from now on is no suspect. */
  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    this.#try(() => {
      if (descriptor !== undefined) closeSync(descriptor);
      rmSync(this.#file, { force: true });
    });
  }

  #append(line: string): void {
    if (this.#descriptor === undefined) return;
    const descriptor = this.#descriptor;
    this.#try(() => {
      const isLong = this.#bytes > mostBytes;
      if (isLong) ftruncateSync(descriptor, 0);
      const text = isLong ? [...this.#pieces].map((name) => `+${name}\n`).join('') : line;
      this.#bytes = (isLong ? 0 : this.#bytes) + writeSync(descriptor, text);
    });
  }

  /** A disk that is full keeps nobody from being called. */
  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#descriptor = undefined;
      this.#onTrouble(error);
    }
  }
}

/** An attempt has no kind: earlier versions wrote nothing else. */
function nameOf({ kind, id }: Work): string {
  return kind === 'attempt' ? String(id) : `${kind} ${id}`;
}

/** A line that was cut off counts for nothing. */
function readLeft(file: string): readonly Work[] {
  const left = new Map<string, Work>();
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  for (const [, sign, kind = 'attempt', id] of text.matchAll(/^([+-])(?:([a-z-]{1,20}) )?(\d{1,16})\n/gm)) {
    if (!isWorkKind(kind)) continue;
    const work = { kind, id: Number(id) };
    if (sign === '+') left.set(nameOf(work), work);
    else left.delete(nameOf(work));
  }
  return [...left.values()];
}
