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
