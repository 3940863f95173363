// English texts of what is known of a list, and of a screen that failed.

export const lists = {
  reading: 'Reading…',
  failed: 'This could not be read.',
  partFailed: 'Part of this screen could not be read.',
  alarmsFailed: 'The alarms could not be read: there may be more than are shown.',
  callsFailed: 'The calls could not be read: people may be called without it being shown here.',
  noAnswer: 'The server does not answer.',
  nextTry: (seconds: number) => `Next try in ${seconds} s.`,
  trying: 'Trying now.',
  asOf: (time: string) => `This is as of ${time} and could not be read again.`,
  unknownCounts: (name: string) => `${name}: not known, the alarms are not read`,
  unknown: 'not known',
  tab: '⚠ Alarms not read',
};

export const screenFailed = {
  title: 'This screen failed',
  means: 'Banner, sound and the other screens go on.',
};

export const trouble = {
  notTaken: (time: string) =>
    `The server takes no alarms since ${time}: its database does not answer. What happens now is not shown and calls nobody.`,
  notRead: (time: string) => `The server cannot read its alarms since ${time}: what is shown is older.`,
  calling: (time: string) => `People cannot be called as they should since ${time}:`,
  /** By the code of the server. */
  codes: {
    'nobody-reachable': 'nobody can be reached for the last resort',
    'number-not-verified': 'no number of the last resort is verified',
    'last-resort-unanswered': 'the last resort was called in vain',
    'call-set-aside': 'somebody is not called because of a fault in Tocsin',
    'gaps-found': 'calls without a next step were found and repaired',
    'not-audited': 'open calls are not checked',
    'engine-stalled': 'calling stands still',
    'events-delayed': 'changes are not pushed to the consoles',
    'database-unavailable': 'the database does not answer',
  } as Readonly<Record<string, string>>,
  tab: { link: '⚠ No news', notTaken: '⚠ No alarms taken', notRead: '⚠ Alarms not read', calling: '⚠ Calling' },
  link: {
    link: 'No news',
    notTaken: 'Server takes no alarms',
    notRead: 'Server cannot read',
    calling: 'Calling in trouble',
  },
};
