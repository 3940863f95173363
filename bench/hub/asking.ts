// Request and reply messages between two processes over their IPC channel.

import type { ChildProcess } from 'node:child_process';

type Request = { readonly id: number; readonly name: string; readonly argument: unknown };
type Reply = { readonly id: number; readonly value?: unknown; readonly error?: string };

let lastId = 0;

/** Sends a request to a process that has called `handleRequests`, and returns its reply. */
export function ask<T>(child: ChildProcess, name: string, argument: unknown = undefined): Promise<T> {
  lastId += 1;
  const request: Request = { id: lastId, name, argument };
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onExit = () => {
      settle();
      reject(new Error(`The process ended before it answered ${name}`));
    };
    const onMessage = ({ id, value, error }: Reply) => {
      if (id !== request.id) return;
      settle();
      if (error === undefined) resolve(value as T);
      else reject(new Error(`${name}: ${error}`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(request);
  });
}

/** Registers handlers by name; they may be asynchronous. The channel alone does not keep a process alive. */
export function handleRequests(handlers: Readonly<Record<string, (argument: never) => unknown>>): void {
  process.on('message', async ({ id, name, argument }: Request) => {
    const send = (reply: Reply) => process.send?.(reply);
    try {
      send({ id, value: await handlers[name]?.(argument as never) });
    } catch (error) {
      send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.channel?.unref();
}
