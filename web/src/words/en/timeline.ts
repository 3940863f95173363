// English texts of the timeline of an alarm.

export const timeline = {
  channel: (channel: string) =>
    ({
      voice: 'voice',
      simulator: 'phone',
      sms: 'text',
      email: 'mail',
      webhook: 'webhook',
      pager: 'pager',
      chat: 'chat',
      push: 'push',
    })[channel] ?? channel,
  attemptAhead: (name: string, way: string) => `${name}, ${way}`,
  roundAhead: 'The round begins again',
  groupAhead: (group: string) => `Relief group ${group}`,
  attempt: (name: string, way: string, isSpoken: boolean) =>
    isSpoken ? `${name}: the phone rings` : `To ${name}, ${way}`,
  notTried: (name: string) => `${name} was not called`,
  outcome: (name: string, outcome: string, way: string, isSpoken: boolean) =>
    ({
      answered: isSpoken ? `${name} answered` : `${name} was reached by ${way}`,
      noAnswer: `${name} did not answer`,
      busy: `${name}: the line was busy`,
      declined: `${name} declined`,
      badNumber: `${name}: the number does not exist`,
      voicemail: `${name}: a machine answered`,
      providerDown: `${name}: no line out`,
      cancelled: `${name}: ended`,
    })[outcome] ?? `${name}: ${outcome === '' ? way : outcome}`,
  calls: (target: string) => `Calls ${target}`,
  relief: (group: string) => `Relief is called: ${group}`,
  nobody: 'Nobody can be called',
  exhausted: 'Everybody was called',
  ended: 'Calling ended',
  round: 'Round begins again',
  event: (kind: string) =>
    ({
      raised: 'Raised',
      acknowledged: 'Acknowledged',
      returned: 'Back to normal',
      reset: 'Reset',
      commented: 'Comment',
      masked: 'Masked',
      unmasked: 'The mask ended',
      defined: 'Defined',
      'scenarios-attached': 'Scenarios attached',
      'mask-expired': 'The mask ended',
      'acknowledgement-expired': 'The acknowledgement expired',
      removed: 'Removed',
      moved: 'Moved to another station',
    })[kind] ?? kind,
  by: (name: string) => `by ${name}`,
};
