// The texts of system alarms in French. Pure.

import { channelName } from '../../channels/channel-names.ts';
import { printTime } from '../../time-range.ts';
import { becauseIn, linesOf, type RoundedTime, type SystemTextParameters, type SystemTextWords } from './texts.ts';

const more = 'Il y en a d’autres de ce genre.';
const units: Readonly<Record<RoundedTime['unit'], string>> = { d: 'jours', h: 'heures', min: 'minutes', s: 'secondes' };

function setAside(what: string): string {
  return `${what} à cause d’une erreur dans Tocsin, que décrit son journal. Une nouvelle tentative a lieu chaque minute ; tout le reste continue.`;
}

function calledName({ kind, id, name }: SystemTextParameters['set-aside-call']): string {
  if (kind === 'last-resort') return 'du dernier recours';
  if (kind === 'number') return 'd’un numéro';
  if (kind === 'group') return name === '' ? `du groupe d’appel ${id}` : `du groupe d’appel « ${name} »`;
  return name === '' ? `de l’utilisateur ${id}` : `de l’utilisateur ${id} « ${name} »`;
}

function aboutAlarm({ alarmId, alarm }: { readonly alarmId: number; readonly alarm: string }): string {
  return `Alarme ${alarmId}, « ${alarm} »`;
}

function calendarOf({ scheduleId, schedule }: { readonly scheduleId: number; readonly schedule: string }): string {
  return `Le calendrier des jours fériés de l’horaire ${scheduleId}, « ${schedule} »,`;
}

function rounded({ amount, unit }: RoundedTime): string {
  return amount === 1 ? 'une seconde' : `${amount} ${units[unit]}`;
}

function scriptsOf({ node, scripts }: SystemTextParameters['scripts-differ']['nodes'][number]): string {
  if (scripts === null) return `${node} n’a pas de dossier de scripts`;
  return `${node} a ${scripts.map(([id, pattern]) => (pattern === null ? id : `${id} (${pattern})`)).join(', ') || 'aucun script'}`;
}

const noWay: Readonly<Record<SystemTextParameters['no-way']['why'], string>> = {
  'not-set-up': 'ce canal n’est pas configuré',
  'switched-off': 'tous ses fournisseurs sont désactivés',
  'not-served': 'aucun de ses fournisseurs ne dessert le numéro',
  down: 'aucun de ses fournisseurs ne fonctionne',
  limited: 'ses fournisseurs ont transmis tout ce qu’ils peuvent transmettre en un jour',
};

const works: { readonly [K in SystemTextParameters['work-given-up']['kind']]: (id: number) => string } = {
  acknowledgement: () => 'acquitter de nombreuses occurrences',
  alarm: (id) => `ce qui est prévu pour l’alarme ${id}`,
  audit: () => 'chercher les appels dont rien ne s’occupe',
  calendar: (id) => `lire le calendrier des jours fériés du planning ${id}`,
  cause: (id) => `appeler quelqu’un (appel ${id})`,
  demo: () => 'animer l’installation de démonstration',
  'hand-over': () => 'dire aux personnes que leur astreinte commence ou finit',
  mail: () => 'lire un courriel',
  move: () =>
    'modifier de nombreux points qui passent à un autre serveur de données, ou prennent le nouveau nom du leur',
  purge: () => 'supprimer ce qui est plus ancien que sa durée de conservation',
  seal: () => 'sceller la piste d’audit',
  source: () => 'chercher les sources muettes',
};

export const french: SystemTextWords = {
  'attempt-failed': ({ userId, name }) =>
    `Un appel à ${name === '' ? `l’utilisateur ${userId}` : name} n’a pas pu être fait à cause d’une erreur dans Tocsin, que décrit son journal. Le numéro ou la personne qui suit est appelé.`,
  'attempt-given-up': ({ userId, name }) =>
    `Tocsin s’est arrêté de façon inattendue chaque fois qu’il appelait ${name === '' ? `l’utilisateur ${userId}` : name} pour une alarme, et a abandonné cet appel. Le numéro ou la personne qui suit est appelé. Son journal et la page Système en disent plus.`,
  auditor: ({ count, kinds }) =>
    `La surveillance a trouvé ${count === 1 ? 'un appel' : `${count} appels`} dont rien ne s’occupait, et a rétabli la suite (${kinds.map((one) => `${one.kind} ${one.count}`).join(', ')}).`,
  'backup-old': ({ goodAt, folder, stuckSince, problem }) => {
    const failed = problem === '' ? '' : ` La dernière tentative a échoué : ${problem}.`;
    const why = stuckSince === null ? failed : ` Celle commencée le ${printTime(stuckSince)} n’est pas terminée.`;
    return `Depuis le ${printTime(goodAt)}, aucune bonne sauvegarde n’a été faite dans ${folder}.${why}`;
  },
  'bad-number': ({ name, channel }) =>
    `Un numéro de ${name} (${channelName('fr', channel)}) n’existe pas : corrigez-le dans le répertoire.`,
  budget: ({ cost, budgetDay }) =>
    `Les appels et les messages ont coûté ${cost} sur ${budgetDay} aujourd’hui. Une fois le budget dépensé, on n’appelle plus que pour les alarmes de priorité 1.`,
  'called-in-vain': (called) =>
    `L’appel ${calledName(called)} est resté sans effet : personne n’a pris en charge ce qui a été signalé.`,
  'cannot-be-used': ({ actor, ...growing }) =>
    `Une partie de ce qu’envoie ${actor} n’est pas utilisable ; d’autres personnes que prévu sont peut-être appelées.\n${linesOf(growing, (line) => `${aboutAlarm(line)} : ${line.sentence}.`, more)}`,
  'channel-down': ({ channel, ...because }) =>
    `Personne n’est joignable par ${channelName('fr', channel)} : ${becauseIn('fr', because)}.`,
  chattering: ({ actor, ...growing }) =>
    `${actor} envoie plus que ce qui est gardé d’une source ; ce qui dépasse est regroupé.\n${linesOf(
      growing,
      (line) =>
        `${aboutAlarm(line)} : elle est apparue plus de 60 fois en une minute ; son retour à la normale compte quand il a duré 10 s.`,
      more,
    )}`,
  clock: ({ direction, seconds }) =>
    `L’horloge a été ${direction === 'forward' ? 'avancée' : 'reculée'} de ${seconds} s. Les délais, pauses et autres attentes durent autant qu’avant ; les services, masquages et autres heures du jour suivent l’horloge.`,
  command: ({ scriptId, alarmId, alarm, detail }) =>
    `Script ${scriptId} pour l’alarme ${alarmId}, « ${alarm} » : ${detail}.`,
  'disk-low': ({ node, percent }) =>
    `Le disque qui contient les données de ${node} est plein à ${percent} %. Quand il sera plein, plus aucune alarme ne pourra être prise : faites de la place.`,
  'duty-locked': (called) => `La garde ${calledName(called)} est verrouillée : personne n’est appelé.`,
  'events-delayed': ({ node, seconds }) =>
    `Sur le nœud ${node}, les changements des ${seconds} dernières secondes sont enregistrés mais pas transmis : les consoles montrent un ancien état, et un acquittement n’y arrête aucun téléphone. Vérifiez sa connexion à la base de données.`,
  'few-descriptors': ({ node, open, limit }) =>
    `${open} des ${limit} descripteurs de fichiers sont utilisés sur ${node}. Quand il n’y en aura plus, aucun client ne pourra se connecter : cherchez qui garde tant de connexions ouvertes, ou relevez la limite (ulimit -n).`,
  'holidays-left-out': ({ count, first, ...calendar }) =>
    `${calendarOf(calendar)} a été lu sans ${count} de ses événements : ${first}${count > 1 ? `, et ${count - 1} de plus` : ''}. Les autres comptent.`,
  'holidays-unread': ({ problem, ...calendar }) =>
    `${calendarOf(calendar)} n’est pas lisible : ${problem}. Les jours lus auparavant restent valables.`,
  'intake-refused': ({ actor, name, route, reason, code, address }) =>
    `Des alarmes de ${actor}, « ${name} », sont refusées à ${route} : ${reason} (${code} ; depuis ${address}). Ce qui a été envoyé est gardé : voir /api/v1/intake/refusals.`,
  'key-expiring': ({ keyId, name, days }) =>
    `La clé d’API ${keyId}, « ${name} », expire dans ${days === 1 ? 'un jour' : `${days} jours`} : qui l’utilise en a besoin d’une nouvelle.`,
  'no-free-line': ({ channel }) =>
    `Des appels attendent depuis plus d’une minute une ligne libre du canal « ${channel} » ; les autres numéros des personnes et le niveau suivant sont appelés entre-temps.`,
  'nobody-on-call': (called) => `Personne n’est d’astreinte pour l’appel ${calledName(called)}.`,
  'no-attempts': () =>
    'Personne ne peut être appelé en ce moment à cause d’une erreur dans Tocsin, que décrit son journal. Une nouvelle tentative a lieu toutes les quelques secondes.',
  'no-way': ({ channel, why }) =>
    why === 'not-served'
      ? `Quelqu’un n’a pas pu être joint par ${channelName('fr', channel)} : ${noWay[why]}.`
      : `Personne n’est joignable par ${channelName('fr', channel)} : ${noWay[why]}.`,
  'not-served': ({ channel, ...because }) =>
    `Quelqu’un n’a pas pu être joint par ${channelName('fr', channel)} : ${becauseIn('fr', because)}.`,
  'provider-down': ({ provider, ...because }) =>
    `Le fournisseur ${provider} est en panne : ${becauseIn('fr', because)}.`,
  'provider-mailbox': ({ provider, ...because }) =>
    `Les réponses aux e-mails du fournisseur ${provider} ne sont pas lues : ${becauseIn('fr', because)}.`,
  'provider-refused': ({ provider, isSpoken, ...because }) =>
    `Le fournisseur ${provider} refuse les ${isSpoken ? 'appels' : 'messages'} : ${becauseIn('fr', because)}.`,
  'provider-ring-in': ({ provider, ...because }) =>
    `Personne ne peut appeler Tocsin par le fournisseur ${provider} : ${becauseIn('fr', because)}.`,
  'provider-voice': ({ provider, ...because }) =>
    `Les appels par le fournisseur ${provider} sont dits par une autre voix : ${becauseIn('fr', because)}.`,
  'providers-unopened': ({ node, providers }) =>
    `Le serveur ${node} ne peut pas utiliser ces fournisseurs : ${providers.join(', ')}. D’autres serveurs passent leurs appels. Le plus souvent sa clé des secrets est différente : donnez à tous les serveurs le même TOCSIN_SECRETS_KEY. La page Système dit pourquoi.`,
  'purge-waits': ({ clock, days }) =>
    `Les anciennes données ne sont pas supprimées pour l’instant : l’horloge indique ${printTime(clock)}, ${days} jours plus tard que lors de la dernière suppression. Si l’horloge est fausse, réglez-la, et rien n’est perdu. Si le serveur est resté arrêté aussi longtemps, tout va bien : dans un jour, il commence à supprimer une semaine de données par jour.`,
  'refusal-not-kept': (growing) =>
    linesOf(
      growing,
      ({ caller, route, code }) =>
        `Une requête de ${caller} vers ${route} a été refusée (${code}) et n’a pas pu être gardée ; le journal du serveur dit pourquoi.`,
      more,
    ),
  'scripts-differ': ({ nodes }) =>
    `Les nœuds n’ont pas les mêmes scripts : ${nodes.map(scriptsOf).join(' ; ')}. Une commande s’exécute sur un nœud qui a son script, et pas tant que ce nœud est absent : donnez à tous les nœuds le même TOCSIN_SCRIPTS_DIR.`,
  'set-aside-acknowledgement': () =>
    setAside('L’acquittement de nombreuses occurrences ne peut pas être inscrit dans toutes'),
  'set-aside-alarm': ({ alarmId }) => setAside(`Ce qui est prévu pour l’alarme ${alarmId} ne peut pas être fait`),
  'set-aside-call': (called) => setAside(`L’appel ${calledName(called)} ne peut pas continuer`),
  'set-aside-move': () =>
    setAside(
      'De nombreux points qui passent à un autre serveur de données, ou prennent le nouveau nom du leur, ne peuvent pas tous être modifiés',
    ),
  'source-silent': ({ kind, id, name, silentFor, usually }) =>
    `Rien n’est venu ${kind === 'key' ? 'de la clé d’API' : 'du serveur de données'} ${id}, « ${name} », depuis ${rounded(silentFor)} ; d’habitude, l’intervalle est de ${rounded(usually)}. Ses alarmes n’arrivent peut-être pas : vérifiez la source et le chemin qui en vient.`,
  'store-damaged': () =>
    'La base de données de Tocsin est endommagée, et plus aucune alarme n’est prise : arrêtez Tocsin, récupérez ce qui est lisible avec « tocsin rescue FILE », et restaurez cela ou une sauvegarde.',
  'tags-not-moved': ({ count, from, to, toName, paths }) =>
    `${count} points du serveur de données ${from} restent où ils sont, parce que le serveur de données ${to}, « ${toName} », a des points de même chemin : ${paths.map((path) => `« ${path} »`).join(', ')}${count > paths.length ? ' et d’autres' : ''}.`,
  'telephony-ended': ({ node }) =>
    `Une erreur dans Tocsin, que son journal décrit, a coupé les appels téléphoniques sur ${node}. La téléphonie a été relancée, et les personnes sont rappelées.`,
  'work-given-up': ({ kind, id }) =>
    `Tocsin s’est arrêté de façon inattendue chaque fois qu’il en était là : ${works[kind](id)}. Ce n’est plus fait, jusqu’à ce qu’un administrateur le libère. Le journal et la page Système en disent plus.`,
};
