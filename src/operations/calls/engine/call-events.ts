// The kinds of events by which parts of the server hear of calls.

/** A call has changed: consoles are sent how it stands. The subject is the call. */
export const callsChanged = 'calls.changed';

/** The node that carries the attempt stops it. The subject is the attempt. */
export const attemptCancelled = 'call.attempt-cancelled';

/** People in conversations are told what became of alarms. */
export const causesEnded = 'call.cause-ended';
