// The reasons of the calling engine in German. Pure.

import type { ReachedLimit } from '../../channels/toll-limits.ts';
import { durationText, type ReasonWords } from './words.ts';

export const german: ReasonWords = {
  raised: () => 'der Alarm wurde ausgelöst',
  requested: () => 'von Hand gesendet: eine Nachricht, ein Test oder eine Übung',
  'ack-expired': () => 'die Quittierung ist abgelaufen',
  'new-round': ({ round }) => `Runde ${round} der Anrufe beginnt`,
  'more-urgent': ({ priority }) => `der Alarm ist dringender geworden: Priorität ${priority}`,
  unanswered: () => 'der vorige Anruf wurde nicht angenommen',
  'not-acknowledged': () => 'wurde erreicht, hat aber nicht geantwortet',
  'next-number': () => 'unter der vorigen Nummer nicht erreicht',
  'called-later': () => 'wollte später angerufen werden',
  'tried-again': () => 'der Anbieter konnte den vorigen Anruf nicht ausführen; er zählt nicht',
  'in-turn': () => 'ist an der Reihe',
  relief: () => 'Ablösung: die anderen haben ihn nicht übernommen',
  'relief-per-person': () => 'Ablösung: anstelle von jemandem, der nicht erreicht wurde',
  'on-duty-now': () => 'jetzt hat jemand Bereitschaft',
  'last-resort': () => 'letzte Instanz: sonst ist niemand zu rufen',
  bundled: ({ count }) =>
    `so oft gerufen wie erlaubt: eine Nachricht für ${count === 1 ? 'den wartenden Alarm' : `die ${count} wartenden Alarme`}`,
  notice: () => 'zur Kenntnis: diese Nummer wird benachrichtigt, ohne den Alarm übernehmen zu müssen',
  'nobody-took-it': () => 'niemand hat ihn übernommen',
  'not-taken-in-time': ({ seconds }) => `nicht innerhalb von ${durationText(seconds)} übernommen`,
  escalated: ({ by }, show) => `Ablösung gerufen von ${show.actor(by)}`,
  rings: () => 'wird gerade gerufen',
  'awaits-answer': ({ until }, show) => `wurde erreicht und kann bis ${show.time(until)} antworten`,
  rests: ({ until }, show) => `wurde eben erst gerufen, und nicht wieder vor ${show.time(until)}`,
  'asked-later': ({ until }, show) => `wollte später angerufen werden, um ${show.time(until)}`,
  'in-call-that-reads-it': () => 'ist in einem Gespräch, das auch diesen Alarm meldet',
  'in-another-call': ({ since }, show) => `ist in einem anderen Gespräch; dieser Anruf wartet seit ${show.time(since)}`,
  'line-in-use': ({ since }, show) =>
    `ein anderer Anruf belegt die Nummer; dieser Anruf wartet seit ${show.time(since)}`,
  'no-free-line': ({ channel, since }, show) =>
    `keine Leitung ist frei (${show.channel(channel)}); der Anruf wartet seit ${show.time(since)}`,
  throttled: ({ until }, show) => `so oft gerufen wie erlaubt, und nicht wieder vor ${show.time(until)}`,
  toll: ({ limit, until }, show) => `${reachedLimit(limit)}; angerufen wird wieder ab ${show.time(until)}`,
  'channel-down': ({ channel }, show) => `kein Anbieter ist in Betrieb (${show.channel(channel)})`,
  'channel-not-set-up': ({ channel }, show) => `kein Anbieter ist eingerichtet (${show.channel(channel)})`,
  'number-not-served': ({ channel }, show) => `kein Anbieter für ${show.channel(channel)} bedient die Nummer`,
  heard: () => 'weiß Bescheid',
  declined: () => 'hat abgelehnt',
  'not-reached': () => 'alle Versuche blieben ohne Antwort',
  'no-number': () => 'hat keine Nummer',
  'no-usable-number': () => 'hat keine Nummer, die zu dieser Zeit gilt',
  unverified: () => 'hat keine gültige und geprüfte Nummer',
  'locked-number': () => 'die Nummer ist nach falschen PINs gesperrt',
  delayed: ({ until }, show) => `beginnt um ${show.time(until)}, nach seiner Verzögerung`,
  'nobody-on-call': () => 'niemand hat Bereitschaft',
  'duty-locked': () => 'der Dienst ist gesperrt: niemand wird gerufen',
  'target-removed': () => 'die Gruppe oder Person, die gerufen werden soll, gibt es nicht mehr',
  discarded: () => 'entfallen, weil niemand Bereitschaft hat',
  'everybody-heard-in-group': () => 'alle der letzten Instanz wissen schon Bescheid',
  'called-in-vain': ({ round }) => `Runde ${round} ist vorbei: alle wurden gerufen, und niemand hat ihn übernommen`,
  taken: ({ by }, show) => `übernommen von ${show.actor(by)}`,
  masked: ({ by }, show) => `ausgeblendet von ${show.actor(by)}`,
  'back-to-normal': () => 'wieder normal',
  'alarm-removed': ({ by }, show) => `der Alarm wurde entfernt von ${show.actor(by)}`,
  cancelled: ({ by }, show) => `der Anruf wurde beendet von ${show.actor(by)}`,
  'raised-again': () => 'erneut ausgelöst: wird neu gerufen',
  'not-named': () => 'der Alarm nennt jetzt jemand anderen',
  sent: () => 'gesendet; mehr ist nicht zu tun',
  'not-to-be-called': () => 'soll nicht mehr angerufen werden',
  'person-removed': () => 'die Person wurde entfernt',
  'number-removed': () => 'die Nummer wurde entfernt',
};

function reachedLimit(limit: ReachedLimit): string {
  if (limit.of === 'person') return `Grenze von ${limit.most} am Tag für eine Person`;
  if (limit.of === 'country') return `Grenze von ${limit.most} am Tag für ${limit.country}`;
  return limit.of === 'budget' ? `Budget von ${limit.most} am Tag` : 'Tagesgrenze der Anbieter';
}
