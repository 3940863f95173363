// Tells passwords that everybody tries first: the 10,000 most common ones of eight or more characters, and some of our trade.

/** Those of alarm systems and of languages the list hardly knows. */
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

/** In upper or lower case; one character over and over is common, too. */
export async function isCommonPassword(password: string): Promise<boolean> {
  listed ??= loadList();
  const word = password.toLowerCase();
  return ofOurTrade.has(word) || /^(.)\1*$/u.test(password) || (await listed).has(word);
}
