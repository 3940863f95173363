// Recognises common passwords: the 10,000 most common ones of eight or more characters, and some that alarm systems invite.

/** Passwords of alarm systems, and of languages that the list hardly covers. */
const ofOurTrade = new Set(
  `p@ssword welcome123 letmein123 changeme1 changeit admin1234 adminadmin administrateur passwort1 geheim123 default1 operator1
   supervisor factory1 siemens1 tocsin123 tocsin12 alarm123 alarm1234`.split(/\s+/),
);

/** Loaded when the first password is set: most servers run for months without one. */
let listed: Promise<ReadonlySet<string>> | undefined;

async function loadList(): Promise<ReadonlySet<string>> {
  const { default: words } = await import('./common-passwords.json', { with: { type: 'json' } });
  return new Set(words);
}

/** Words that become no better by a year, some digits or an exclamation mark. */
const ownWords = new Set(
  `admin administrator administrateur operator operateur supervisor password passwort passwd motdepasse kennwort geheim secret welcome
   willkommen bienvenue letmein changeme default qwerty qwertz azerty tocsin alarm alarme service factory siemens`.split(
    /\s+/,
  ),
);

/** Ignores case; a single repeated character counts as common too. */
export async function isCommonPassword(password: string): Promise<boolean> {
  listed ??= loadList();
  const word = password.toLowerCase();
  return ofOurTrade.has(word) || /^(.)\1*$/u.test(password) || (await listed).has(word);
}

/** The word that digits and signs at both ends decorate, as in `Tocsin2026!`; undefined if it is none that would be guessed. */
export async function decoratedWord(password: string, userName: string): Promise<string | undefined> {
  listed ??= loadList();
  const word = password.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const isGuessed = ownWords.has(word) || word === userName.toLowerCase() || (await listed).has(word);
  return word !== '' && isGuessed ? word : undefined;
}
