// The places at which nothing that others send is handled, or whose fault makes the whole process untrustworthy: it ends the process,
// which is started again with everything that was accepted.

export const ownPlaces: readonly { readonly places: RegExp; readonly why: string }[] = [
  {
    places: /^src\/store\//,
    why: 'The queues and threads of the store: what an operation throws ends that operation, but a fault around it leaves unknown what was written.',
  },
  { places: /^src\/app\//, why: 'Parts are started, stopped and reported on; nothing that others send comes here.' },
  {
    places: / (setInterval|timer setInterval)( #\d)?$/,
    why: 'The beats of loops: they begin work that has guards of its own.',
  },
  { places: /^src\/dispatch\/polling-loop\.ts /, why: 'The loop that looks for due work: the work itself is caught.' },
  { places: / CallDecider wake setTimeout$/, why: 'A wake of the loop that decides on calls.' },
  {
    places: /^src\/channels\/voice\/thread\/voice-thread\.ts /,
    why: 'The start and the end of the thread of telephone calls: without it nobody can be called by telephone.',
  },
  { places: / storedConversations onNews$/, why: 'Runs at the start of the thread of telephone calls.' },
  {
    places: /^packages\/\w+\/src\/guard\.ts /,
    why: 'The guards themselves: what they do with a fault is caught.',
  },
  {
    places: / SendScheduler scheduleNextTurn setImmediate$/,
    why: 'A turn of the queue of sends: each step is caught.',
  },
];

export function isOwn(name: string): boolean {
  return ownPlaces.some(({ places }) => places.test(name));
}
