// French texts of the timeline of an alarm.

import type { Words } from '../words.ts';

export const timeline: Words['timeline'] = {
  channel: (channel: string) =>
    ({
      voice: 'téléphone',
      simulator: 'téléphone',
      sms: 'SMS',
      email: 'mail',
      webhook: 'webhook',
      pager: 'pager',
      chat: 'chat',
      push: 'push',
    })[channel] ?? channel,
  attemptAhead: (name: string, way: string) => `${name}, ${way}`,
  roundAhead: 'Le tour recommence',
  groupAhead: (group: string) => `Groupe de relève ${group}`,
  attempt: (name: string, way: string, isSpoken: boolean) =>
    isSpoken ? `${name} : le téléphone sonne` : `À ${name}, ${way}`,
  notTried: (name: string) => `${name} n’a pas été appelé`,
  outcome: (name: string, outcome: string, way: string, isSpoken: boolean) =>
    ({
      answered: isSpoken ? `${name} a décroché` : `${name} joint par ${way}`,
      noAnswer: `${name} n’a pas répondu`,
      busy: `${name} : occupé`,
      declined: `${name} a refusé`,
      badNumber: `${name} : le numéro n’existe pas`,
      voicemail: `${name} : un répondeur`,
      providerDown: `${name} : pas de ligne`,
      cancelled: `${name} : fini`,
    })[outcome] ?? `${name} : ${outcome === '' ? way : outcome}`,
  calls: (group: string) => `Appelle ${group}`,
  relief: (group: string) => `La relève est appelée : ${group}`,
  nobody: 'Personne ne peut être appelé',
  exhausted: 'Tous ont été appelés',
  ended: 'Fin des appels',
  round: 'Le tour recommence',
  event: (kind: string) =>
    ({
      raised: 'Apparue',
      acknowledged: 'Acquittée',
      returned: 'Disparue',
      reset: 'Réarmée',
      commented: 'Commentaire',
      masked: 'Masquée',
      unmasked: 'Fin du masquage',
      defined: 'Définie',
      'scenarios-attached': 'Scénarios associés',
      'mask-expired': 'Le masquage a pris fin',
      'acknowledgement-expired': 'L’acquittement a expiré',
      removed: 'Supprimée',
      moved: 'Déplacée dans une autre station',
    })[kind] ?? kind,
  by: (name: string) => `par ${name}`,
};
