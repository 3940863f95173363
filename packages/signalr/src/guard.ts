// Guards: an error that nobody expected in what a client has caused ends its connection, and never reaches the process.

export type Guard = (work: () => unknown) => void;

/** Passes what the work throws, or is rejected with, to `onError` and ends the connection by `end`. */
export function guardOf(onError: (error: unknown) => void, end: () => void): Guard {
  const fail = (error: unknown): void => {
    try {
      onError(error);
      end();
    } catch (other) {
      onError(other);
    }
  };
  return (work) => {
    try {
      const result = work();
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}
