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

/** Ignores case; a single repeated character counts as common too. */
export async function isCommonPassword(password: string): Promise<boolean> {
  listed ??= loadList();
  const word = password.toLowerCase();
  return ofOurTrade.has(word) || /^(.)\1*$/u.test(password) || (await listed).has(word);
}
