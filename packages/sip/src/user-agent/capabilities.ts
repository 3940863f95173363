// What this user agent can do, as its messages say it.

export const allowed = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE';

/** Extensions that a peer may require. */
export const extensions: readonly string[] = ['timer'];
