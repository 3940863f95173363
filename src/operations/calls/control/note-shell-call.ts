// Writes a call that was made from the shell into the audit trail; it belongs to no alarm and has no row of its own.

import { terminalCaller } from '../../../domain/access/access.ts';
import type { Operation } from '../../../store/store.ts';
import { appendAudit } from '../../audit/append.ts';

type ShellCall = {
  readonly providerId: number;
  readonly channel: string;
  readonly address: string;
  readonly text: string;
  /** In words, as it was printed. */
  readonly outcome: string;
};

export const noteShellCall: Operation<ShellCall, void> = {
  name: 'note-shell-call',
  run: (tx, now, { providerId, ...after }) =>
    appendAudit(tx, now, { kind: 'call.requested', origin: terminalCaller, subject: `provider:${providerId}`, after }),
};
