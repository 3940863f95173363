// The versions of the classic protocol: which one the server responds with, and how they differ.

type Version = readonly [major: number, minor: number];

const oldest: Version = [1, 2];
const newest: Version = [2, 0];
const firstWithStart: Version = [1, 4];

/**
 * Returns the client's version, limited to the supported range. Clients up to 2.3.0 accept nothing but their own
 * version, so it is returned as they wrote it; newer ones accept 2.0 for any 2.x.
 */
export function negotiatedVersion(clientProtocol: string | undefined): string {
  return printVersion(within(readVersion(clientProtocol)));
}

/** Returns whether the client sends a start request when it is ready; older clients start by connecting. */
export function hasStart(clientProtocol: string | undefined): boolean {
  return compare(within(readVersion(clientProtocol)), firstWithStart) >= 0;
}

function readVersion(text: string | undefined): Version {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,9}){0,2}$/.exec(text ?? '') ?? [];
  return major === undefined ? oldest : [Number(major), Number(minor)];
}

function within(version: Version): Version {
  if (compare(version, oldest) < 0) return oldest;
  return compare(version, newest) > 0 ? newest : version;
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1];
}

function printVersion([major, minor]: Version): string {
  return `${major}.${minor}`;
}
