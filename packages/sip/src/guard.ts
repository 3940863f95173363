// Guards: an error in a handler of one thing, such as a call, ends that thing and never reaches the process.

/** Told of every error that nobody expected, with the thing that it has ended, such as `call 4711`. */
export type OnFault = (error: unknown, subject: string) => void;

/** Runs a handler of the thing. What it throws, or what its promise is rejected with, goes no further than the guard. */
export type Guard = (handler: () => unknown) => void;

/**
 * Returns the guard of one thing. After the first error `end` is called, once: it ends the thing. An error in `end` itself is
 * reported, too.
 */
export function guardOf(subject: string, onFault: OnFault, end: () => unknown = () => {}): Guard {
  let isEnded = false;
  const fail = (error: unknown): void => {
    report(onFault, error, subject);
    if (isEnded) return;
    isEnded = true;
    guard(end);
  };
  const guard: Guard = (handler) => {
    try {
      const result = handler();
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
  return guard;
}

function report(onFault: OnFault, error: unknown, subject: string): void {
  try {
    onFault(error, subject);
  } catch {
    // The error handler itself threw: there is no other place to report to.
  }
}
