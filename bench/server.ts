// Starts a server to be measured, and signs in to it.

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The administrator's password in every measured store. */
export const password = 'a password for the bench';

export type Subject = {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
};

const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Starts a program and returns its address, which it prints when it is ready. */
export async function start(
  name: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Subject> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const found = /ready at (\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error(`${name} ended: ${printed}`)));
  });
  return { name, url, token: environment.TOCSIN_DATA_DIR === undefined ? '' : await signIn(url), process: child };
}

type TocsinOptions = {
  readonly nodeArgs?: readonly string[];
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
};

/** Starts Tocsin on the data in a folder or in a PostgreSQL database. */
export function startTocsin(
  name: string,
  folder: string,
  databaseUrl?: string,
  { nodeArgs = [], port = 0, settings = {} }: TocsinOptions = {},
): Promise<Subject> {
  return start(name, [...nodeArgs, mainFile, 'serve'], {
    TOCSIN_PORT: String(port),
    TOCSIN_DATA_DIR: folder,
    TOCSIN_ADMIN_PASSWORD: password,
    TOCSIN_LOG_LEVEL: 'warn',
    ...(databaseUrl === undefined ? {} : { TOCSIN_DATABASE_URL: databaseUrl }),
    ...settings,
  });
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password });
  const response = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}
