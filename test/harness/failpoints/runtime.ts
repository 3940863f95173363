// Loaded before a server whose sources have failpoints, in each of its threads: lets armed places throw once, and tells the test.

import { BroadcastChannel } from 'node:worker_threads';

export type ToServer = { readonly arm: readonly string[] };
export type FromServer = { readonly passed: string } | { readonly thrown: string };

type Callback = (...values: never) => unknown;

const armed = new Set<string>();
const passed = new Set<string>();
const wrappers = new WeakMap<Callback, Callback>();
/** To all threads of the process; only the main thread talks to the test. */
const threads = new BroadcastChannel('failpoints');
threads.unref();

function tell(message: FromServer): void {
  if (process.send === undefined) threads.postMessage(message);
  else process.send(message);
}

function pass(name: string): void {
  if (!passed.has(name)) {
    passed.add(name);
    tell({ passed: name });
  }
  if (!armed.delete(name)) return;
  tell({ thrown: name });
  throw new Error(`failpoint ${name}`);
}

function wrap<T>(name: string, callback: T): T {
  if (typeof callback !== 'function') return callback;
  const own = callback as unknown as Callback;
  const isAsync = own.constructor.name === 'AsyncFunction';
  const wrapper = function (this: unknown, ...values: never): unknown {
    const run = () => {
      pass(name);
      return own.apply(this, values);
    };
    return isAsync ? new Promise((resolve) => resolve(run())) : run();
  };
  wrappers.set(own, wrapper);
  return wrapper as T;
}

/** What was given to `on` in the place of a listener, to take it off again. */
function wrapperOf(callback: Callback): Callback {
  return wrappers.get(callback) ?? callback;
}

threads.onmessage = ({ data }: { data: ToServer | FromServer }) => {
  if ('arm' in data) for (const name of data.arm) armed.add(name);
  else if (process.send !== undefined) process.send(data);
};
process.on('message', (order: ToServer) => {
  for (const name of order.arm) armed.add(name);
  threads.postMessage(order);
});
process.channel?.unref();
Object.assign(globalThis, { failpoints: { pass, wrap, wrapperOf } });
