// The numbers whose calls are faults that tests plant in the thread of telephone calls.

/** A call to it ends the thread. */
export const endingNumber = '+33100000666';
/** A call to it makes the thread stand still. */
export const haltingNumber = '+33100000667';
