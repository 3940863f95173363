// French texts of the command palette.

import type { Words } from '../words.ts';

export const palette: Words['palette'] = {
  title: 'Chercher et agir',
  hint: 'Alarmes, lieux, actions',
  sections: { alarms: 'Alarmes', do: 'Agir', goTo: 'Aller à' },
  now: 'maintenant',
  earlier: (times: number) => (times === 1 ? 'une fois dans l’historique' : `${times} fois dans l’historique`),
  acknowledge: (alarm: string) => `Acquitter « ${alarm} »`,
  mask: (alarm: string) => `Masquer « ${alarm} » pendant…`,
  explain: (alarm: string) => `Qui est appelé pour « ${alarm} », et pourquoi`,
  call: (alarm: string) => `Appeler quelqu’un au sujet de « ${alarm} »`,
  person: 'interventions',
  group: 'astreinte',
  media: 'fichier',
  nothing: 'Rien ne contient ces mots.',
};
