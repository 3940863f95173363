// Postfix and Dovecot on loopback, each in a folder of its own: mail goes out by SMTP with a password, is delivered to
// mailboxes, and is read by IMAP.

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { missing, startProgram, untilTaken } from '../../../packages/sip/test/harness/programs.ts';
import { withoutRoot } from '../server/tools.ts';

export const mailServerMissing = withoutRoot() || missing('postfix', 'postfix') || missing('dovecot', 'dovecot-imapd');

export const mailDomain = 'plant.example';
export const mailPassword = 'Mail-pass-4711';

export type MailServer = {
  readonly smtpPort: number;
  readonly imapPort: number;
  output(): string;
  /** Stops the SMTP server alone. */
  stopSmtp(): Promise<void>;
  stop(): Promise<void>;
};

/** `users` have mailboxes; `lost` are accepted by the SMTP server and have none, so that their mail comes back. */
export async function startMailServer(users: readonly string[], lost: readonly string[] = []): Promise<MailServer> {
  const imapPort = await freePort();
  const dovecot = startProgram('dovecot', (folder) => prepareDovecot(folder, imapPort, users));
  await untilTaken(dovecot, imapPort, 'tcp');
  const smtpPort = await freePort();
  const postfix = startProgram('/usr/lib/postfix/sbin/master', (folder) =>
    preparePostfix(folder, smtpPort, dovecot.folder, users, lost),
  );
  await untilTaken(postfix, smtpPort, 'tcp');
  let isSmtpStopped = false;
  const stopSmtp = async (): Promise<void> => {
    if (!isSmtpStopped) await postfix.stop();
    isSmtpStopped = true;
  };
  return {
    smtpPort,
    imapPort,
    output: () => `${postfix.output()}\n${dovecot.output()}`,
    stopSmtp,
    async stop() {
      await stopSmtp();
      await dovecot.stop();
    },
  };
}

const addressOf = (user: string): string => `${user}@${mailDomain}`;

function idOf(user: string, which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, user], { encoding: 'utf8' }));
}

function prepareDovecot(folder: string, port: number, users: readonly string[]): readonly string[] {
  chmodSync(folder, 0o755);
  const mail = join(folder, 'mail');
  mkdirSync(mail);
  chownSync(mail, idOf('nobody', '-u'), idOf('nobody', '-g'));
  const accounts = users.map((user) => `${addressOf(user)}:{PLAIN}${mailPassword}::::::`);
  writeFileSync(join(folder, 'users'), `${accounts.join('\n')}\n`);
  writeFileSync(
    join(folder, 'dovecot.conf'),
    `
base_dir = ${folder}/run
state_dir = ${folder}/state
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
log_path = /dev/stderr
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:${mail}/%u
first_valid_uid = 1
first_valid_gid = 1
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${mail}/%u
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service auth {
  unix_listener ${folder}/auth {
    mode = 0666
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`,
  );
  return ['-F', '-c', join(folder, 'dovecot.conf')];
}

const queues = [
  ...['active', 'bounce', 'corrupt', 'defer', 'deferred', 'flush', 'hold', 'incoming', 'maildrop', 'private', 'public'],
  ...['saved', 'trace'],
];

function preparePostfix(
  folder: string,
  port: number,
  dovecot: string,
  users: readonly string[],
  lost: readonly string[],
): readonly string[] {
  chmodSync(folder, 0o755);
  const owner = [idOf('postfix', '-u'), idOf('postfix', '-g')] as const;
  const spool = join(folder, 'spool');
  mkdirSync(join(spool, 'pid'), { recursive: true });
  for (const path of [...queues.map((name) => join(spool, name)), join(folder, 'data')]) {
    mkdirSync(path);
    chownSync(path, ...owner);
  }
  const recipients = [...users, ...lost].map((user) => `{ ${addressOf(user)} = ${addressOf(user)}/ }`);
  const transports = lost.map((user) => `{ ${addressOf(user)} = nouser: }`);
  writeFileSync(
    join(folder, 'main.cf'),
    `
compatibility_level = 3.6
queue_directory = ${spool}
data_directory = ${folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mail.${mailDomain}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
recipient_delimiter = +
virtual_mailbox_domains = ${mailDomain}
virtual_mailbox_base = ${dovecot}/mail
virtual_mailbox_maps = inline:{ ${recipients.join(', ')} }
virtual_uid_maps = static:${idOf('nobody', '-u')}
virtual_gid_maps = static:${idOf('nobody', '-g')}
virtual_minimum_uid = 1
transport_maps =${lost.length === 0 ? '' : ` inline:{ ${transports.join(', ')} }`}
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${dovecot}/auth
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = reject_unlisted_recipient, permit_sasl_authenticated, reject
smtpd_delay_reject = yes
smtpd_error_sleep_time = 0
smtpd_peername_lookup = no
`,
  );
  writeFileSync(
    join(folder, 'master.cf'),
    `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
virtual unix - n n - - virtual
nouser unix - n n - - pipe flags=R user=nobody argv=/usr/bin/env sh -c { exit 67 }
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
flush unix n - n 1000? 0 flush
postlog unix-dgram n - n - 1 postlogd
`,
  );
  return ['-c', folder, '-d'];
}
