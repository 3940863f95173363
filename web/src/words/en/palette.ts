// English texts of the command palette.

export const palette = {
  title: 'Find and do',
  hint: 'Alarms, places, actions',
  sections: { alarms: 'Alarms', do: 'Do', goTo: 'Go to' },
  now: 'now',
  earlier: (times: number) => (times === 1 ? 'once in the history' : `${times} times in the history`),
  acknowledge: (alarm: string) => `Acknowledge “${alarm}”`,
  mask: (alarm: string) => `Mask “${alarm}” for…`,
  explain: (alarm: string) => `Explain who is called for “${alarm}”`,
  call: (alarm: string) => `Call somebody about “${alarm}”`,
  person: 'interventions',
  group: 'on call',
  media: 'file',
  nothing: 'Nothing has these words.',
};
