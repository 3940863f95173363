// The versions of the classic protocol: which one the server answers with, and what they differ in.

type Version = readonly [major: number, minor: number];

const oldest: Version = [1, 2];
const newest: Version = [2, 0];
const firstWithStart: Version = [1, 4];

/**
 * What the client asked for, brought into what there is. Clients up to 2.3.0 accept nothing but their own version, so it
 * is answered as they wrote it; the newer ones take 2.0 for any 2.x.
 */
export function negotiatedVersion(clientProtocol: string | undefined): string {
  return printVersion(within(readVersion(clientProtocol)));
}

/** Whether the client sends a request of its own when it is ready; for older ones connecting is starting. */
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
