// The arguments that every part of the server gets when it is opened: settings, clock, log, store.

import type { Logger } from 'pino';
import type { SteadyClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { StoredWork } from '../dispatch/stored-work.ts';
import type { WorkInHand } from '../dispatch/work-in-hand.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { Store } from '../store/store.ts';
import type { Teardown } from './teardown.ts';

export type PartContext = {
  readonly config: Config;
  readonly clock: SteadyClock;
  readonly log: Logger;
  readonly teardown: Teardown;
  readonly store: Store;
  /** By which stored work is begun, and where it is noted meanwhile. */
  readonly work: StoredWork;
  readonly inHand: WorkInHand;
  /** Called when the store failed and the part will try again. */
  readonly onTrouble: (error: unknown) => void;
  /** Called with notices to the administrator. */
  readonly onNotice: (sentence: string) => void;
};

/** For parts that follow the event log or take work under a lease of this node. */
export type NodeContext = PartContext & {
  readonly feed: EventFeed;
  readonly nodeId: string;
  /** The store for those who wait for an answer. */
  readonly requestStore: Store;
};
