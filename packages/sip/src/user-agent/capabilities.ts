// The methods and extensions of this user agent, as its messages list them.

export const allowed = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE';

/** Extensions that a peer may require. */
export const extensions: readonly string[] = ['timer'];
