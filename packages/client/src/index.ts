// A typed client of Tocsin: a function for each operation of the interface, and the hub with recovery by position.

import { defaults } from './api.ts';
import { persistentFetch } from './persistent-fetch.ts';

export { HttpError } from '@oazapfts/runtime';
export * from './api.ts';
export {
  type FeedFilter,
  type FeedListener,
  type FeedOptions,
  type FeedState,
  LiveFeed,
  type PhoneEvent,
  type ServerHealth,
  type SoundEvent,
} from './live-feed.ts';
export { type ListPage, LiveList, type LiveListOptions, type Reading, readAfterIds } from './live-list.ts';
export { type PersistentFetchOptions, persistentFetch } from './persistent-fetch.ts';
export { problemOf } from './problem.ts';

defaults.fetch = persistentFetch();
