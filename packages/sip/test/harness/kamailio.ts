// Kamailio as a PBX: a registrar and a proxy that asks for credentials and records its route, over UDP, TCP and TLS.

import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from './certificate.ts';
import { freePort } from './ports.ts';
import { missing, startProgram, untilTaken } from './programs.ts';

export const kamailioMissing = missing('kamailio', 'kamailio');
export const kamailioTlsMissing =
  globSync('/usr/lib/*/kamailio/modules/tls.so').length > 0
    ? false
    : 'the TLS module of kamailio is missing: apt-get install kamailio-tls-modules';

export type Kamailio = {
  readonly port: number;
  readonly tlsPort: number;
  output(): string;
  stop(): Promise<void>;
};

export type KamailioOptions = {
  readonly realm: string;
  /** The password of every account. */
  readonly password: string;
  readonly algorithm?: 'MD5' | 'SHA-256';
  /** With it TLS is served, too; needs the package kamailio-tls-modules. */
  readonly certificate?: Certificate;
};

export async function startKamailio(options: KamailioOptions): Promise<Kamailio> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const program = startProgram('kamailio', (folder) => {
    writeFileSync(join(folder, 'kamailio.cfg'), configuration(options, { port, tlsPort, folder }));
    if (options.certificate !== undefined) {
      writeFileSync(join(folder, 'cert.pem'), options.certificate.cert);
      writeFileSync(join(folder, 'key.pem'), options.certificate.key);
    }
    return ['-f', join(folder, 'kamailio.cfg'), '-DD', '-E', '-m', '32', '-M', '8', '-w', folder, '-Y', folder];
  });
  await untilTaken(program, port, 'udp');
  await untilTaken(program, options.certificate === undefined ? port : tlsPort, 'tcp');
  return { port, tlsPort, output: () => program.output(), stop: () => program.stop() };
}

type Place = { readonly port: number; readonly tlsPort: number; readonly folder: string };

function configuration(options: KamailioOptions, { port, tlsPort, folder }: Place): string {
  const { realm, password, algorithm = 'MD5', certificate } = options;
  const tls =
    certificate === undefined
      ? ''
      : `
enable_tls=yes
listen=tls:127.0.0.1:${tlsPort}
loadmodule "tls.so"
modparam("tls", "certificate", "${folder}/cert.pem")
modparam("tls", "private_key", "${folder}/key.pem")
modparam("tls", "tls_method", "TLSv1.2+")
`;
  return `
debug=1
log_stderror=yes
children=1
tcp_children=1
auto_aliases=no
alias="${realm}"
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
${tls}
loadmodule "pv.so"
loadmodule "sl.so"
loadmodule "tm.so"
loadmodule "rr.so"
loadmodule "siputils.so"
loadmodule "textops.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "auth.so"
modparam("auth", "algorithm", "${algorithm}")
modparam("auth", "qop", "auth")
modparam("usrloc", "db_mode", 0)
modparam("registrar", "min_expires", 60)
modparam("rr", "enable_double_rr", 1)

request_route {
  if (is_method("OPTIONS") && !has_totag()) { sl_send_reply("200", "OK"); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
    sl_send_reply("404", "Not Here");
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("${realm}", "${password}", "0")) { www_challenge("${realm}", "1"); exit; }
    if (!save("location")) { sl_reply_error(); }
    exit;
  }
  if (is_method("INVITE")) {
    if (!pv_proxy_authenticate("${realm}", "${password}", "0")) { proxy_challenge("${realm}", "1"); exit; }
    consume_credentials();
    record_route();
    if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
    t_relay();
    exit;
  }
  sl_send_reply("405", "Method Not Allowed");
}
`;
}
