// Known addresses of users and recent sign-in guesses: what limits password guessing survives a restart and is shared by
// the nodes.

import type { Migration } from '../store/migration.ts';

export const signInThrottle: Migration = {
  version: 17,
  name: 'sign-in-throttle',
  statements: ({ id, int, text, end, keyedEnd }) => [
    `CREATE TABLE sign_in_addresses (user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      network ${text} NOT NULL, last_success_at ${int} NOT NULL, PRIMARY KEY (user_id, network)) ${keyedEnd}`,
    `CREATE INDEX sign_in_addresses_by_time ON sign_in_addresses (last_success_at)`,
    `CREATE TABLE sign_in_guesses (id ${id}, account ${text} NOT NULL, network ${text} NOT NULL, at ${int} NOT NULL,
      is_new_address ${int} NOT NULL) ${end}`,
    `CREATE INDEX sign_in_guesses_by_account ON sign_in_guesses (account, at)`,
    `CREATE INDEX sign_in_guesses_by_network ON sign_in_guesses (network, at)`,
    `CREATE INDEX sign_in_guesses_by_time ON sign_in_guesses (at)`,
    // The IPv4 addresses of open sessions are known; the networks of IPv6 addresses cannot be computed here.
    `INSERT INTO sign_in_addresses (user_id, network, last_success_at)
      SELECT user_id, address, max(created_at) FROM sessions WHERE address NOT LIKE '%:%' GROUP BY user_id, address`,
  ],
};
