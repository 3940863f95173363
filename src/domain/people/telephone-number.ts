// Telephone numbers: E.164, the country of a number, and prefixes that are never called because they are dear. Pure.

/** The channels whose addresses are telephone numbers, and whose deliveries cost money. */
const telephoneChannels: ReadonlySet<string> = new Set(['voice', 'sms']);

export function isTelephone(channel: string): boolean {
  return telephoneChannels.has(channel);
}

/** Returns the number without the signs that people write between its digits. */
export function plainNumber(written: string): string {
  return written.replaceAll('(0)', '').replace(/[\s().\-/\u00a0]/g, '');
}

export function isE164(number: string): boolean {
  return /^\+[1-9]\d{2,14}$/.test(number);
}

/** Whether it can be a telephone of the own exchange, which is dialled with a few digits. */
export function isExtension(number: string): boolean {
  return /^\d{2,6}$/.test(number);
}

const twoDigitCodes = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** Returns the country code of an E.164 number with its plus sign; empty for a telephone of the own exchange. */
export function countryOf(number: string): string {
  if (!number.startsWith('+')) return '';
  if (number[1] === '1' || number[1] === '7') return number.slice(0, 2);
  return number.slice(0, twoDigitCodes.has(number.slice(1, 3)) ? 3 : 4);
}

/** Numbers with a rate of their own: premium and shared-cost services, personal numbers, satellites, networks without a country. */
const dearPrefixes = [
  ['+800 +808 +870 +878 +881 +882 +883 +888 +979', 'international services and satellites'],
  ['+1900 +1976', 'premium services of North America'],
  ['+4470 +4476 +449 +4484 +4487', 'premium services and personal numbers of the United Kingdom'],
  ['+3381 +3382 +3389', 'premium services of France'],
  ['+49180 +49900 +49137 +49700', 'premium services of Germany'],
  ['+41900 +41901 +41906 +4184', 'premium services of Switzerland'],
  ['+43810 +43820 +43821 +43900 +43901 +43930 +43931', 'premium services of Austria'],
  ['+3290 +3278', 'premium services of Belgium'],
  ['+31900 +31906 +31909', 'premium services of the Netherlands'],
  ['+34803 +34806 +34807 +34905', 'premium services of Spain'],
  ['+39892 +39894 +39895 +39899', 'premium services of Italy'],
  ['+35315', 'premium services of Ireland'],
  ['+61190', 'premium services of Australia'],
].map(([prefixes = '', name = '']) => ({ prefixes: prefixes.split(' '), name }));

/** Returns the name of the dear services that the number belongs to; undefined if it is none of them. */
export function dearService(number: string): string | undefined {
  return dearPrefixes.find(({ prefixes }) => prefixes.some((prefix) => number.startsWith(prefix)))?.name;
}

/** Whether the number is in a country that may be called; `prefixes` empty: all. Telephones of the own exchange always are. */
export function isAllowed(number: string, prefixes: readonly string[]): boolean {
  return !number.startsWith('+') || prefixes.length === 0 || prefixes.some((prefix) => number.startsWith(prefix));
}
