// English texts of the simulated phones.

export const phones = {
  title: 'Phones',
  simulatorOn: 'SIMULATOR ON',
  means: 'Numbers that no other channel serves ring here. Nothing leaves this machine.',
  none: 'No phone has rung yet.',
  ringing: 'RINGING',
  inCall: 'IN THE CALL',
  inTheCall: 'in the call',
  calling: 'Tocsin is calling',
  letRing: 'Hang up',
  answer: 'Answer',
  hangUp: 'Hang up',
  onDuty: (groups: string) => `on duty for ${groups}`,
  offDuty: 'not on duty',
  replyAs: (name: string) => `Reply as ${name}…`,
  send: 'Send',
  keys: {
    '1': 'take',
    '2': 'heard',
    '3': 'decline',
    '4': 'repeat',
    '5': 'next',
    '6': 'later',
    '9': 'take all',
    '0': 'help',
  } as Readonly<Record<string, string>>,
};
