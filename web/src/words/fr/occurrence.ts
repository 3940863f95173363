// French texts of the page of one occurrence.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const occurrence: Words['occurrence'] = {
  title: 'Une apparition',
  print: 'Imprimer',
  alarmNow: 'L’alarme maintenant',
  raised: 'Apparue',
  stood: 'Durée',
  standing: 'Dure depuis',
  takenBy: 'Prise par',
  nobody: 'personne',
  nobodyYet: 'personne encore',
  after: (duration: string, way: string) => `après ${duration}${way === '' ? '' : `, ${way}`}`,
  byTry: (channel: string, attempt: number) => `${channel}, essai ${attempt}`,
  until: (time: string) => `jusqu’au ${time}`,
  goesOn: 'continue',
  called: 'Appelés',
  people: (count: number) => plural(count, 'personne', 'personnes'),
  attempts: (count: number) => plural(count, 'essai', 'essais'),
  whatHappened: 'Ce qui s’est passé',
  whoWasCalled: 'Qui a été appelé',
  nobodyCalled: 'Personne n’a été appelé.',
  notCalled: 'Pourquoi pas les autres',
  takenBefore: 'l’alarme a été prise avant son tour',
  notCalledMeans: 'Selon le planning et les numéros d’aujourd’hui, au moment de l’alarme.',
  missing: {
    gone: 'Il n’en reste pas plus : l’alarme a été retirée, ou ses événements sont trop anciens.',
    older: 'Les 1 000 événements les plus récents sont affichés ; il y en a eu d’autres avant.',
  },
  notFound: 'Cette apparition n’existe pas, ou vous ne pouvez pas la voir.',
  toHistory: 'Vers l’historique',
  printed: (time: string) => `Imprimé ${time}`,
};
