// German texts of the timeline of an alarm.

import type { Words } from '../words.ts';

export const timeline: Words['timeline'] = {
  channel: (channel: string) =>
    ({
      voice: 'Anruf',
      simulator: 'Telefon',
      sms: 'SMS',
      email: 'E-Mail',
      webhook: 'Webhook',
      pager: 'Pager',
      chat: 'Chat',
      push: 'Push',
    })[channel] ?? channel,
  attemptAhead: (name: string, way: string) => `${name}, ${way}`,
  roundAhead: 'Die Runde beginnt neu',
  groupAhead: (group: string) => `Ablösegruppe ${group}`,
  attempt: (name: string, way: string, isSpoken: boolean) =>
    isSpoken ? `${name}: das Telefon klingelt` : `An ${name}, ${way}`,
  notTried: (name: string) => `${name} wurde nicht gerufen`,
  outcome: (name: string, outcome: string, way: string, isSpoken: boolean) =>
    ({
      answered: isSpoken ? `${name} hat abgehoben` : `${name} erreicht: ${way}`,
      noAnswer: `${name} hat nicht abgehoben`,
      busy: `${name}: besetzt`,
      declined: `${name} hat abgelehnt`,
      badNumber: `${name}: die Nummer gibt es nicht`,
      voicemail: `${name}: ein Anrufbeantworter`,
      providerDown: `${name}: keine Leitung`,
      cancelled: `${name}: beendet`,
    })[outcome] ?? `${name}: ${outcome === '' ? way : outcome}`,
  calls: (group: string) => `Ruft ${group}`,
  relief: (group: string) => `Ablösung wird gerufen: ${group}`,
  nobody: 'Niemand kann gerufen werden',
  exhausted: 'Alle wurden gerufen',
  ended: 'Ende der Anrufe',
  round: 'Neue Runde',
  event: (kind: string) =>
    ({
      raised: 'Ausgelöst',
      acknowledged: 'Quittiert',
      returned: 'Behoben',
      reset: 'Zurückgesetzt',
      commented: 'Kommentar',
      masked: 'Ausgeblendet',
      unmasked: 'Ausblenden beendet',
      defined: 'Festgelegt',
      'scenarios-attached': 'Szenarien zugeordnet',
      'mask-expired': 'Ausblendung beendet',
      'acknowledgement-expired': 'Quittierung abgelaufen',
      removed: 'Entfernt',
      moved: 'In eine andere Station verschoben',
    })[kind] ?? kind,
  by: (name: string) => `von ${name === 'Sie' ? 'Ihnen' : name}`,
};
