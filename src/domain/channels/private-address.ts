// Network addresses that requests to the outside must not reach: this machine, its network, and ways to write these. Pure.

/** The first bits of an address, as many as `bits` says. */
type Network = { readonly bytes: readonly number[]; readonly bits: number };

const privateV4: readonly Network[] = [
  { bytes: [0], bits: 8 },
  { bytes: [10], bits: 8 },
  { bytes: [100, 64], bits: 10 },
  { bytes: [127], bits: 8 },
  { bytes: [169, 254], bits: 16 },
  { bytes: [172, 16], bits: 12 },
  { bytes: [192, 0, 0], bits: 24 },
  { bytes: [192, 88, 99], bits: 24 },
  { bytes: [192, 168], bits: 16 },
  { bytes: [198, 18], bits: 15 },
  // Multicast and everything above.
  { bytes: [224], bits: 3 },
];

/** Addresses that contain an IPv4 address are among them: they reach whatever that address does. */
const privateV6: readonly Network[] = [
  // Unspecified, loopback, and the old form of an IPv4 address within.
  { bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96 },
  // IPv4 translated (SIIT).
  { bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0], bits: 96 },
  // NAT64, Teredo and 6to4.
  { bytes: [0x00, 0x64, 0xff, 0x9b], bits: 32 },
  { bytes: [0x20, 0x01, 0x00, 0x00], bits: 32 },
  { bytes: [0x20, 0x02], bits: 16 },
  // Discard only, unique local, link-local, the old site-local, and multicast.
  { bytes: [0x01, 0x00], bits: 16 },
  { bytes: [0xfc], bits: 7 },
  { bytes: [0xfe, 0x80], bits: 10 },
  { bytes: [0xfe, 0xc0], bits: 10 },
  { bytes: [0xff], bits: 8 },
];

const mappedV4: Network = { bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], bits: 96 };

/** An IPv4-mapped IPv6 address is judged as the IPv4 address it contains; a text that is no address is private. */
export function isPrivateAddress(address: string): boolean {
  const bytes = address.includes(':') ? v6Bytes(address) : v4Bytes(address);
  if (bytes === undefined) return true;
  if (bytes.length === 4) return privateV4.some((network) => isWithin(bytes, network));
  if (isWithin(bytes, mappedV4)) return privateV4.some((network) => isWithin(bytes.slice(12), network));
  return privateV6.some((network) => isWithin(bytes, network));
}

/** Whether a host of a URL, as `URL` normalises it, is an address and not a name. */
export function isAddress(host: string): boolean {
  return (host.includes(':') ? v6Bytes(host) : v4Bytes(host)) !== undefined;
}

function isWithin(bytes: readonly number[], { bytes: first, bits }: Network): boolean {
  return first.every((byte, place) => {
    const left = Math.min(8, bits - place * 8);
    return left <= 0 || byte >> (8 - left) === (bytes[place] ?? 0) >> (8 - left);
  });
}

function v4Bytes(address: string): readonly number[] | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) ? parts : undefined;
}

function v6Bytes(address: string): readonly number[] | undefined {
  const [plain = ''] = address.split('%');
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  const v4 = tail === null ? undefined : v4Bytes(tail[2] ?? '');
  if (tail !== null && v4 === undefined) return undefined;
  const hex = ([high = 0, low = 0]: readonly number[]): string => ((high << 8) | low).toString(16);
  const written = v4 === undefined ? plain : `${tail?.[1]}${hex(v4)}:${hex(v4.slice(2))}`;
  const halves = written.split('::').map((half) => (half === '' ? [] : half.split(':')));
  if (halves.length > 2) return undefined;
  const [head = [], end = []] = halves;
  const missing = 8 - head.length - end.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...end];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}
