// The reasons of the calling engine in French. Pure.

import type { ReachedLimit } from '../../channels/toll-limits.ts';
import { durationText, type ReasonWords } from './words.ts';

export const french: ReasonWords = {
  raised: () => 'l’alarme est apparue',
  requested: () => 'envoyé à la main : un message, un essai ou un exercice',
  'ack-expired': () => 'l’acquittement a expiré',
  'new-round': ({ round }) => `le tour d’appels ${round} commence`,
  'more-urgent': ({ priority }) => `l’alarme est devenue plus urgente : priorité ${priority}`,
  unanswered: () => 'l’appel précédent est resté sans réponse',
  'not-acknowledged': () => 'a été joint, mais n’a pas répondu à l’alarme',
  'next-number': () => 'le numéro précédent n’a pas permis de joindre la personne',
  'called-later': () => 'a demandé à être rappelé plus tard',
  'tried-again': () => 'le fournisseur n’a pas pu passer l’appel précédent, qui ne compte pas',
  'in-turn': () => 'à son tour',
  relief: () => 'relève : les autres ne l’ont pas prise',
  'relief-per-person': () => 'relève : à la place d’une personne qui n’a pas été jointe',
  'on-duty-now': () => 'quelqu’un est d’astreinte maintenant',
  'last-resort': () => 'dernier recours : il n’y a personne d’autre à appeler',
  bundled: ({ count }) =>
    `le maximum d’appels est atteint : un seul message pour ${count === 1 ? 'l’alarme qui attend' : `les ${count} alarmes qui attendent`}`,
  notice: () => 'pour information : ce numéro est averti sans devoir prendre l’alarme',
  'nobody-took-it': () => 'personne ne l’a prise',
  'not-taken-in-time': ({ seconds }) => `pas prise en ${durationText(seconds)}`,
  escalated: ({ by }, show) => `relève demandée par ${show.actor(by)}`,
  rings: () => 'est en train d’être appelé',
  'awaits-answer': ({ until }, show) => `a été joint, et peut répondre jusqu’à ${show.time(until)}`,
  rests: ({ until }, show) => `vient d’être appelé, et ne le sera pas de nouveau avant ${show.time(until)}`,
  'asked-later': ({ until }, show) => `a demandé à être rappelé plus tard, à ${show.time(until)}`,
  'in-call-that-reads-it': () => 'est dans un appel qui annonce aussi cette alarme',
  'in-another-call': ({ since }, show) => `est dans un autre appel ; celui-ci attend depuis ${show.time(since)}`,
  'line-in-use': ({ since }, show) => `un autre appel occupe le numéro ; celui-ci attend depuis ${show.time(since)}`,
  'no-free-line': ({ channel, since }, show) =>
    `aucune ligne n’est libre (${show.channel(channel)}) ; l’appel attend depuis ${show.time(since)}`,
  throttled: ({ until }, show) => `le maximum d’appels est atteint ; pas de nouvel appel avant ${show.time(until)}`,
  toll: ({ limit, until }, show) => `${reachedLimit(limit)} ; les appels reprennent à ${show.time(until)}`,
  'channel-down': ({ channel }, show) => `aucun fournisseur ne marche (${show.channel(channel)})`,
  'channel-not-set-up': ({ channel }, show) => `aucun fournisseur n’est configuré (${show.channel(channel)})`,
  'number-not-served': ({ channel }, show) => `aucun fournisseur de ${show.channel(channel)} ne dessert ce numéro`,
  heard: () => 'en a pris connaissance',
  declined: () => 'a refusé',
  'not-reached': () => 'tous les essais sont restés sans réponse',
  'no-number': () => 'n’a pas de numéro',
  'no-usable-number': () => 'n’a pas de numéro utilisable à cette heure',
  unverified: () => 'n’a pas de numéro valide et vérifié',
  'locked-number': () => 'le numéro est bloqué après de faux PIN',
  delayed: ({ until }, show) => `commence à ${show.time(until)}, après son délai`,
  'nobody-on-call': () => 'personne n’est d’astreinte',
  'duty-locked': () => 'l’astreinte est verrouillée : personne n’est appelé',
  'target-removed': () => 'le groupe ou la personne à appeler n’existe plus',
  discarded: () => 'abandonné, car personne n’est d’astreinte',
  'everybody-heard-in-group': () => 'tous ceux du dernier recours en ont déjà pris connaissance',
  'called-in-vain': ({ round }) => `le tour ${round} est terminé : tous ont été appelés, et personne ne l’a prise`,
  taken: ({ by }, show) => `prise par ${show.actor(by)}`,
  masked: ({ by }, show) => `masquée par ${show.actor(by)}`,
  'back-to-normal': () => 'retour à la normale',
  'alarm-removed': ({ by }, show) => `l’alarme a été supprimée par ${show.actor(by)}`,
  cancelled: ({ by }, show) => `l’appel a été arrêté par ${show.actor(by)}`,
  'raised-again': () => 'déclenchée à nouveau : un nouvel appel la remplace',
  'not-named': () => 'l’alarme désigne maintenant quelqu’un d’autre',
  sent: () => 'envoyé ; il n’y a plus rien à faire',
  'not-to-be-called': () => 'n’est plus à appeler',
  'person-removed': () => 'la personne a été supprimée',
  'number-removed': () => 'le numéro a été supprimé',
};

function reachedLimit(limit: ReachedLimit): string {
  if (limit.of === 'person') return `limite de ${limit.most} par jour pour une personne`;
  if (limit.of === 'country') return `limite de ${limit.most} par jour vers ${limit.country}`;
  return limit.of === 'budget' ? `budget de ${limit.most} par jour` : 'limite journalière des fournisseurs';
}
