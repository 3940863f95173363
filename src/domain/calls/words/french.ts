// The message catalogue in French. Pure.

import type { ItemKind, StationCount, Words } from './words.ts';

const nouns: Readonly<Record<ItemKind, string>> = { alarm: 'une alarme', message: 'un message', test: 'un essai' };
const items: Readonly<Record<ItemKind, string>> = { alarm: 'Alarme', message: 'Message', test: 'Essai' };

function perStation(stations: readonly StationCount[]): string {
  const [only] = stations;
  if (stations.length < 2) return only === undefined ? '' : `, station ${only.station}`;
  return ` : ${stations.map(({ station, count }) => `${count} de ${station}`).join(', ')}`;
}

export const french: Words = {
  greeting: (name, kind, site) =>
    `Bonjour${name === '' ? '' : ` ${name}`}, ici ${site} avec ${nouns[kind]}. Appuyez sur 1 pour l’écouter.`,
  pressOne: 'Appuyez sur 1 pour l’écouter.',
  pin: 'Entrez votre code puis dièse.',
  wrongPin: 'Ce code est faux. Réessayez.',
  locked: 'Ce code est faux. Au revoir.',
  bundle: (total, stations) => `Il y en a ${total}${perStation(stations)}.`,
  nth: (n, total, kind) => `${items[kind]} ${n} sur ${total} :`,
  menu: 'Appuyez sur 1 pour la prendre, 2 entendu mais continuer à appeler, 3 refuser, 4 répéter, 5 suivante, 6 me rappeler plus tard.',
  allOfIt: 'C’est le début. Appuyez sur 4 pour tout entendre.',
  takeAllKey: 'Appuyez sur 9 pour tout prendre.',
  newsMenu:
    'Appuyez sur 1 pour confirmer que vous l’avez entendu, 3 refuser, 4 répéter, 5 suivant, 6 me rappeler plus tard.',
  takeAll: (count, stations) =>
    `Vous allez prendre ${count === 1 ? 'une alarme' : `${count} alarmes`}${perStation(stations)}. Appuyez sur 1 pour confirmer, sur une autre touche pour revenir.`,
  notTaken: 'Rien n’a été pris.',
  taken: (count) => `${count === 1 ? 'Vous l’avez prise' : `Vous avez pris ${count} alarmes`}. Merci.`,
  takenBy: (name) => `${name} l’a prise.`,
  takenByYou: 'Vous l’avez déjà prise.',
  othersTakenBy: (name, count) => `${name} en a pris ${count === 1 ? 'une autre' : `${count} autres`}.`,
  othersOver: (count) => (count === 1 ? 'Une autre est déjà terminée.' : `${count} autres sont déjà terminées.`),
  somebodyElse: 'Quelqu’un d’autre',
  over: 'C’est déjà terminé.',
  confirmed: 'Confirmé. Merci.',
  thanks: 'Merci.',
  heard: (others) =>
    `Entendu.${others === 'nobody' ? ' Personne d’autre n’est appelé maintenant.' : ' Les autres sont encore appelés.'}`,
  declined: (others) =>
    `Refusé.${{ next: ' La personne suivante est appelée.', others: ' D’autres sont appelés.', nobody: ' Personne d’autre n’est appelé maintenant.' }[others]}`,
  later: 'Vous serez rappelé dans cinq minutes.',
  notLater: (others) => `Vous ne serez plus rappelé.${others === 'nobody' ? '' : ' D’autres sont appelés.'}`,
  onlyTest: 'Ce n’était qu’un essai.',
  goodbye: 'Au revoir.',
  ofTotal: (n, total) => `${n} sur ${total} :`,
  more: (count) => `et ${count} de plus`,
  moreCharacters: (count) => `... (${count} caractères de plus)`,
  replyToConfirm: (code) => `Répondez ${code} pour confirmer que vous l'avez lu.`,
  replyToTake: (code, alarms, isAll) => {
    if (isAll) return `Répondez ${code} pour ${alarms === 1 ? 'la' : 'les'} prendre.`;
    return `Répondez ${code} pour prendre ${alarms === 1 ? "l'alarme" : `les ${alarms} alarmes`} ci-dessus.`;
  },
  howToAnswer: 'Envoyez 1 pour la prendre, 2 entendu, 3 refuser, et le code du message.',
  sendCode: 'Envoyez aussi le code du message auquel vous répondez.',
  nothingToAnswer: 'Il n’y a rien à répondre.',
  untaken: (text) => `Personne n’a pris ceci en charge : ${text}`,
  back: (text) => `Retour à la normale : ${text}`,
  acknowledged: (text) => `Acquittée : ${text}`,
  test: (text) => `Essai : ${text}`,
  testCall: "ceci est un appel d'essai",
  drill: 'ceci est un exercice',
  number: (number) => `Message ${number}`,
  onDuty: (text) => `Vous êtes d’astreinte : ${text}`,
  offDuty: (text) => `Vous n’êtes plus d’astreinte : ${text}`,
  until: (time) => `jusqu’au ${time}`,
  withCode: (text, code) => `${text}\nLe code est ${code}.`,
  ringIn: (site) => `Ici ${site}. Entrez votre numéro d’utilisateur puis dièse.`,
  ringInRefused: 'Ce n’est pas correct.',
  nothingOpen: 'Rien n’est ouvert pour vous.',
  recording: (text) => `Enregistrement : ${text}`,
  verificationCode: (code) => `Votre code pour confirmer ce numéro : ${code}. Il est valable 15 minutes.`,
  confirmAddress: 'Confirmez votre adresse',
  tooManyCodes: 'Trop de codes faux sont venus de votre adresse. Répondez par le lien ou par téléphone.',
  priority: (priority) => `Priorité ${priority}`,
  whatToDo: (instructions) => `À faire : ${instructions}`,
  takeIt: 'La prendre',
  heardIt: 'Entendu, continuer à appeler',
  declineIt: 'Refuser',
  confirmIt: 'Confirmer que je l’ai lu',
  answerHere: 'Répondre ici :',
  whatHappened: 'Ce qui s’est passé :',
  replyToMail: (code, hasAlarms) =>
    hasAlarms
      ? `Répondez à ce message par 1 pour la prendre, 2 entendu, 3 refuser (code ${code}).`
      : `Répondez à ce message par 1 pour confirmer que vous l’avez lu (code ${code}).`,
  fileMissing: (name) => `Le fichier ${name} n’est pas joint : il n’existe pas.`,
  fileTooLarge: (name) => `Le fichier ${name} n’est pas joint : il est trop grand.`,
  notTakenYet: 'Personne ne l’a encore prise.',
  wrongLink: 'Ce lien est faux ou trop ancien. Rien n’a été changé.',
  noLongerYours: 'On ne vous appelle plus ici. Rien n’a été changé.',
  closePage: 'Vous pouvez fermer cette page.',
};
