// The time as all processes of this machine agree on it, finer than Date.now().

/** Milliseconds since 1970. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
