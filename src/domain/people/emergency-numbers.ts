// Emergency numbers by country: a machine must never ring one, however it is written. Pure.

import { countryOf } from './telephone-number.ts';

/** Known far beyond their own country, or likely to reach somebody from anywhere: refused whatever the country. */
const everywhere = numbersIn('000 110 112 117 118 144 15 17 18 911 999');

/** The others, by the prefix of the country. */
const byCountry: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ['+1', '933 988'],
    ['+7', '01 02 03 04 101 102 103 104'],
    ['+20', '122 123 180'],
    ['+27', '10111 10177'],
    ['+30', '100 108 166 199'],
    ['+32', '100 101'],
    ['+33', '114 115 116 119 191 196 197'],
    ['+34', '061 062 080 085 091 092'],
    ['+36', '104 105 107'],
    ['+39', '113 114 115 1515 1530'],
    ['+41', '140 143 1414 1415'],
    ['+43', '122 128 133 140 141 142'],
    ['+44', '101 111'],
    ['+45', '114'],
    ['+46', '11414 1177'],
    ['+47', '113'],
    ['+48', '986 991 997 998'],
    ['+49', '115 19222'],
    ['+51', '105 106 116'],
    ['+52', '060 065 066 068'],
    ['+54', '100 101 103 106 107'],
    ['+55', '190 191 192 193 194 197 198 199'],
    ['+56', '131 132 133'],
    ['+57', '119 123 125 132'],
    ['+61', '106'],
    ['+62', '113 119'],
    ['+64', '111'],
    ['+65', '993 995'],
    ['+66', '191 199 1669'],
    ['+81', '119'],
    ['+82', '119'],
    ['+84', '113 114 115'],
    ['+86', '119 120 122'],
    ['+90', '155 156 158 177'],
    ['+91', '100 101 102 108'],
    ['+92', '16 1122'],
    ['+94', '119'],
    ['+98', '115 125'],
    ['+212', '19 150 177'],
    ['+213', '14 1021 1548'],
    ['+216', '190 193 197 198'],
    ['+234', '199'],
    ['+352', '113'],
    ['+380', '101 102 103 104'],
    ['+381', '192 193 194'],
    ['+385', '192 193 194 195'],
    ['+386', '113'],
    ['+420', '150 155 156 158'],
    ['+421', '150 155 158 159'],
    ['+886', '119'],
    ['+966', '993 997 998'],
    ['+971', '997 998'],
    ['+972', '100 101 102'],
  ].map(([prefix = '', numbers = '']) => [prefix, numbersIn(numbers)]),
);

/** The most digits that one of them has. */
const longest = Math.max(
  ...[everywhere, ...byCountry.values()].flatMap((numbers) => [...numbers].map((one) => one.length)),
);

/** `0` before a number often gets an outside line. */
const outsideLine = /^0+(?=[1-9])|^0(?=000$)/;

/** So does `9`, but many extensions begin with it: behind it only these count. */
const behind9 = /^9(?:000|112|911|999)$/;

/**
 * Whether the number is an emergency number everywhere, or in one of the countries. `countries` are prefixes such as `+33`;
 * `any`: in any country, for a number that is saved, when somebody can choose another.
 */
export function isEmergencyNumber(number: string, countries: readonly string[] | 'any'): boolean {
  // A whole number has a country and more digits: `+112` and `+33112` reach what stands behind.
  if (number.startsWith('+')) {
    const country = countryOf(number);
    return isOneIn('any')(number.slice(1)) || isOneIn([country])(number.slice(country.length));
  }
  return behind9.test(number) || [number, number.replace(outsideLine, '')].some(isOneIn(countries));
}

function isOneIn(countries: readonly string[] | 'any'): (digits: string) => boolean {
  const isMeant = (country: string): boolean =>
    countries === 'any' || countries.some((prefix) => prefix.startsWith(country) || country.startsWith(prefix));
  const isOwn = (digits: string): boolean =>
    [...byCountry].some(([country, numbers]) => numbers.has(digits) && isMeant(country));
  // Asked of every number in each decision on calls: most are longer.
  return (digits) => digits.length <= longest && (everywhere.has(digits) || isOwn(digits));
}

function numbersIn(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
