// Addresses as those see them who may not read the directory. Pure.

/** Hides all but the last three characters, which is enough to recognise one's own number. */
export function hideAddress(address: string): string {
  return address.length <= 3 ? '•••' : `•••${address.slice(-3)}`;
}

/**
 * Hides the address in a sentence, such as the response of a mail server that repeats it: a number also without its plus, but
 * not as a part of another one.
 */
export function hideAddressIn(sentence: string, address: string): string {
  if (address === '') return sentence;
  const isNumber = /^\+?\d+$/.test(address);
  const escaped = (isNumber ? address.replace('+', '') : address).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = isNumber ? `\\+?(?<!\\d)${escaped}(?!\\d)` : escaped;
  return sentence.replace(new RegExp(pattern, 'gi'), () => hideAddress(address));
}
