// Passwords of eight or more characters that everybody tries first. Pure.

const common = new Set(
  `12345678 123456789 1234567890 password password1 password12 password123 passw0rd p@ssword p@ssw0rd qwertyui qwertyuiop
   qwerty12 qwerty123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsxedc zaq12wsx 11111111 00000000 88888888 12341234 12121212
   87654321 987654321 abcd1234 abc12345 abcdefgh asdfghjk asdfghjkl iloveyou sunshine princess football baseball
   superman trustno1 starwars whatever computer internet samsung1 michelle jennifer welcome1 welcome123 letmein1
   letmein123 changeme changeme1 changeit administrator admin123 admin1234 adminadmin administrateur motdepasse
   passwort passwort1 geheim123 default1 operator operator1 supervisor factory1 siemens1 schneider rockwell
   tocsin123 tocsin12 alarm123 alarm1234 azertyui azertyuiop`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase()) || /^(.)\1*$/u.test(password);
}
