// French texts of the calls.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const calls: Words['calls'] = {
  title: 'Appels',
  underWay: (calling: number, waiting: number) => `${calling} en cours · ${plural(waiting, 'attend', 'attendent')}`,
  none: 'Personne n’est appelé.',
  somebody: 'Appeler quelqu’un',
  whom: 'Qui',
  text: 'Texte',
  notAll: 'Tous n’ont pas pu être appelés : quelqu’un n’a pas de numéro utilisable, ou personne n’est d’astreinte.',
  round: (round: number) => `tour ${round}`,
  more: (count: number) => `${count} de plus`,
  relief: 'relève',
  tryOf: (attempt: string) => `essai ${attempt.replace('/', ' sur ')}`,
  acknowledgeFor: 'Acquitter pour…',
  step: {
    calling: 'est appelé',
    retrying: 'est rappelé',
    callBack: 'veut être rappelé plus tard',
    gathering: 'reçoit bientôt un texte',
    reached: 'joint, pas encore prise',
    lineInUse: 'la ligne est occupée',
    limited: 'une limite est atteinte',
    channelDown: 'le canal est en panne',
    throttled: 'a été trop appelé',
    heard: 'a entendu',
    failed: 'pas joint',
    notified: 'a été prévenu',
    ended: 'fini',
  },
  tried: 'Ce qui a été tenté',
  columns: {
    time: 'Heure',
    person: 'Personne',
    channel: 'Canal',
    number: 'Numéro',
    attempt: 'Essai',
    outcome: 'Résultat',
    detail: 'Détail',
    took: 'Durée',
  },
  outcome: {
    underWay: 'en cours',
    taken: 'acquittée',
    reached: 'joint',
    delivered: 'remis',
    unanswered: 'sans réponse',
    failed: 'échec',
  },
};
