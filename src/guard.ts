// Runs work for whose end nobody waits.

/** What the work throws, or is rejected with, goes to `onTrouble` and never reaches the process. */
export function guard(onTrouble: (error: unknown) => void, work: () => unknown): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(onTrouble);
  } catch (error) {
    onTrouble(error);
  }
}
