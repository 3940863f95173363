// A clock that all processes of this machine share, finer than Date.now().

/** Milliseconds since 1970. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
