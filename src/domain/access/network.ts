// The network that an address counts for wherever strangers are limited by where they come from. Pure.

/** Returns the /64 network of an IPv6 address, because its owner has all 2^64 addresses of it. */
export function networkOf(address: string): string {
  // A server that listens on `::` sees the IPv4 address 192.0.2.7 as ::ffff:192.0.2.7.
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '');
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const last = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - last.length)).fill('0');
  return [...groups, ...(tail === undefined ? [] : zeros), ...last].slice(0, 4).join(':');
}
