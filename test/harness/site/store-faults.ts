// Faults of a running server's store, as a failing database or network causes them.

import { AppError } from '../../../src/errors.ts';
import type { Store } from '../../../src/store/store.ts';

type Named = { readonly name: string };
type Call = (what: Named, args: unknown) => Promise<unknown>;

const away = (): AppError => new AppError('unavailable', 'The database cannot be reached.');

/** The next time, the operation is stored and its response is lost. */
export function loseResponse(store: Store, operation: Named): { readonly isLost: () => boolean } {
  return once(store, 'write', operation, async (run) => {
    await run();
    throw away();
  });
}

/** The next time, or after so many times, the operation is not stored. */
export function failWrite(store: Store, operation: Named, after = 0): { readonly isLost: () => boolean } {
  let left = after;
  return once(
    store,
    'write',
    operation,
    async () => {
      throw away();
    },
    () => left-- <= 0,
  );
}

/** The next time, the query fails. */
export function failRead(store: Store, query: Named): { readonly isLost: () => boolean } {
  return once(store, 'read', query, async () => {
    throw away();
  });
}

function once(
  store: Store,
  method: 'read' | 'write',
  { name }: Named,
  instead: (run: () => Promise<unknown>) => Promise<unknown>,
  isTime: () => boolean = () => true,
): { readonly isLost: () => boolean } {
  const original = (store[method] as Call).bind(store);
  let isLost = false;
  const faulty: Call = (what, args) => {
    if (isLost || what.name !== name || !isTime()) return original(what, args);
    isLost = true;
    return instead(() => original(what, args));
  };
  Object.defineProperty(store, method, { value: faulty, configurable: true });
  return { isLost: () => isLost };
}

/** From now on nothing is answered, as by a database whose disk stands still, until `thaw`. */
export function freeze(store: Store): { readonly thaw: () => void } {
  const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
  for (const method of ['read', 'write'] as const) {
    const original = (store[method] as Call).bind(store);
    const frozen: Call = async (what, args) => {
      await thawed;
      return original(what, args);
    };
    Object.defineProperty(store, method, { value: frozen, configurable: true });
  }
  return { thaw };
}
