// Which channels ring a phone and are spoken; the others send texts.

export function isSpoken(channel: string | undefined): boolean {
  return channel === 'voice' || channel === 'simulator';
}
