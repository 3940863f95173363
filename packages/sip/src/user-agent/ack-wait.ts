// Repeats the 2xx of an INVITE until its ACK comes, which the transaction does not do.

import type { SipResponse } from '../message/message.ts';
import { printMessage } from '../message/printer.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import { type Cancel, patience, repeat } from '../transaction/timers.ts';

export class AckWait {
  readonly seq: number;
  #stop: Cancel;

  /** Sends the response; `onMissing` is called when no ACK came. */
  constructor(transaction: ServerTransaction, response: SipResponse, onMissing: () => void) {
    const { timers, timing, replyFlow } = transaction.setup;
    this.seq = response.cseq.number;
    const bytes = printMessage(response);
    transaction.respond(response);
    // Over connections, too: a proxy on the way may use UDP behind itself.
    const stopRepeating = repeat(timers, timing.t1, timing.t2, () => {
      replyFlow.send(bytes).catch(() => {});
    });
    const stopWaiting = timers.after(patience(timing), () => {
      this.stop();
      onMissing();
    });
    this.#stop = () => {
      stopRepeating();
      stopWaiting();
    };
  }

  stop(): void {
    this.#stop();
  }
}
