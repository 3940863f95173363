// The reasons of providers in French. Pure.

import type { ProviderReasonWords, TlsAdvice, UnservedBecause, WebhookAddressProblem } from './provider-reason.ts';

const pbxMeanings: Readonly<Record<number, string>> = {
  302: 'le numéro est renvoyé, et les renvois ne sont pas suivis',
  400: 'il ne comprend pas l’appel',
  401: 'le mot de passe est faux, ou le compte n’existe pas',
  403: 'le compte n’a pas le droit d’appeler ce numéro',
  404: 'ce numéro n’existe pas',
  406: 'il ne veut pas de l’appel sous cette forme',
  407: 'le mot de passe est faux, ou le compte n’existe pas',
  408: 'il n’a trouvé personne à temps',
  410: 'le numéro n’est plus attribué',
  415: 'il n’accepte pas le son G.711',
  421: 'il exige une extension de SIP qui n’est pas parlée ici',
  423: 'il est sollicité trop souvent',
  480: 'le numéro est injoignable pour le moment',
  482: 'l’appel a tourné en rond',
  483: 'l’appel est passé par trop de centraux',
  484: 'le numéro est incomplet',
  485: 'le numéro n’est pas unique',
  488: 'il n’accepte pas le son G.711, ou seulement chiffré',
  491: 'il est occupé par le même appel',
  500: 'il a une erreur interne',
  501: 'il ne sait pas faire cela',
  502: 'un central derrière lui a donné une réponse inutilisable',
  503: 'il est surchargé ou hors service',
  504: 'un central derrière lui n’a pas répondu à temps',
  513: 'le message est trop grand pour lui',
  604: 'le numéro n’existe nulle part',
  606: 'le téléphone veut l’appel autrement',
};

const receiverMeanings: Readonly<Record<number, string>> = {
  401: 'il n’accepte pas la signature ou veut une autre preuve',
  403: 'il n’accepte pas la signature ou interdit la requête',
  404: 'il n’y a rien à cette adresse',
  405: 'il n’accepte pas de POST',
  410: 'l’adresse n’est plus utilisée',
  413: 'le message est trop grand pour lui',
  429: 'il reçoit trop de requêtes',
  503: 'il est surchargé ou hors service',
};

const tlsAdvice: Readonly<Record<TlsAdvice, string>> = {
  smtp: 'essayez la sécurité starttls',
  imap: 'essayez imapSecurity starttls',
  sip: 'essayez un autre port, ou le transport tcp ou udp',
};

const unserved: Readonly<Record<UnservedBecause, (channel: string) => string>> = {
  'not-set-up': (channel) => `aucun canal « ${channel} » n’est configuré`,
  'switched-off': (channel) => `tous les fournisseurs du canal « ${channel} » sont désactivés`,
  'not-served': (channel) => `aucun fournisseur du canal « ${channel} » ne dessert ce numéro`,
  down: (channel) => `aucun fournisseur du canal « ${channel} » ne fonctionne`,
  limited: (channel) => `les fournisseurs du canal « ${channel} » ont transmis tout ce qu’ils peuvent en un jour`,
};

const allowedByPrivate = 'le fournisseur l’autorise par allowPrivate';

const addressProblems: Readonly<Record<WebhookAddressProblem, (port: number, most: number) => string>> = {
  'too-long': (_, most) => `est une URL de plus de ${most} caractères`,
  'no-url': () => 'doit être une URL telle que https://example.org/hook',
  'plain-http': () =>
    'doit commencer par https:// : HTTP en clair n’est pas permis, à moins que le fournisseur n’ait allowHttp',
  scheme: () => 'doit commencer par https://',
  credentials: () => 'ne doit contenir ni nom ni mot de passe',
  fragment: () => 'ne doit pas contenir de fragment (#)',
  private: () => `est une adresse d’un réseau privé : ${allowedByPrivate}`,
  host: () => 'est sur un hôte que le fournisseur ne permet pas : son réglage hosts en nomme d’autres',
  port: (port) => `a le port ${port} : le fournisseur l’autorise par ports`,
};

/** What a foreign machine said, if anything. */
function quoted(said: string, before = ' : '): string {
  return said === '' ? '' : `${before}« ${said} »`;
}

function meaning(known: string | undefined, said: string): string {
  return known === undefined ? quoted(said) : ` : ${known}`;
}

export const french: ProviderReasonWords = {
  said: ({ text }) => quoted(text, ''),
  'name-unknown': ({ host }) => `le nom ${host} est inconnu`,
  'name-not-looked-up': ({ host }) => `le nom ${host} ne peut pas être cherché pour le moment`,
  'address-not-here': ({ address }) => `cette machine n’a pas d’adresse ${address}`,
  'nothing-listens': ({ place }) => `rien n’écoute sur ${place}`,
  'no-way-there': ({ place }) => `aucun chemin du réseau ne mène à ${place}`,
  'connection-closed': ({ place }) => `${place} a fermé la connexion`,
  'certificate-expired': ({ place }) => `le certificat de ${place} a expiré`,
  'certificate-of-another': ({ place }) => `le certificat de ${place} est fait pour un autre nom`,
  'certificate-untrusted': ({ place }) =>
    `le certificat de ${place} n’est pas digne de confiance : nommez le fichier de son autorité dans NODE_EXTRA_CA_CERTS et redémarrez`,
  'no-tls': ({ place, advice }) => `${place} ne parle pas TLS : ${tlsAdvice[advice]}`,
  'no-response': ({ place }) => `pas de réponse de ${place}`,
  'mail-no-sign-in': ({ place }) => `le serveur de messagerie ${place} n’offre aucune identification connue ici`,
  'mail-password': ({ status }) => `le serveur de messagerie a refusé le mot de passe (${status})`,
  'mail-wants-password': () => 'le serveur de messagerie veut un nom et un mot de passe (530)',
  'mail-no-starttls': ({ place, status }) =>
    `le serveur de messagerie ${place} n’offre pas STARTTLS (${status}) : essayez la sécurité tls`,
  'mail-too-large': () => 'le courriel est plus grand que ce que le serveur de messagerie accepte',
  'mail-sender-refused': ({ said }) => `le serveur de messagerie refuse l’expéditeur${quoted(said)}`,
  'mail-answered': ({ said }) => `le serveur de messagerie a répondu${quoted(said, ' ')}`,
  'mail-silent': ({ place }) => `le serveur de messagerie ${place} ne répond pas`,
  'mail-address-wrong': () => 'ce n’est pas une adresse de courriel',
  'mail-taken': ({ said }) => `le serveur de messagerie l’a accepté${quoted(said)}`,
  'mail-bounced': ({ status }) => `un serveur de messagerie a signalé qu’il n’a pas été remis (${status})`,
  'imap-password': ({ place }) => `le serveur IMAP ${place} a refusé le nom ou le mot de passe de la boîte aux lettres`,
  'imap-no-mailbox': ({ mailbox }) => `le compte n’a pas de boîte aux lettres « ${mailbox} »`,
  'imap-silent': ({ place }) => `le serveur IMAP ${place} ne répond pas comme il devrait`,
  'replies-unread': ({ why }, say) => `les réponses ne sont pas lues : ${say(why)}`,
  'pbx-answered': ({ status, said }) => `le PBX a répondu ${status}${meaning(pbxMeanings[status], said)}`,
  'pbx-unreached': ({ why }, say) => `le PBX est injoignable : ${say(why)}`,
  'pbx-rang-nobody': () => 'le PBX a pris l’appel et n’a pas fait sonner le numéro',
  'no-sound-port': ({ from, to }) => `aucun port de ${from} à ${to} n’est libre pour le son de l’appel`,
  'no-account-password': ({ user }) => `le compte ${user} ne peut pas être enregistré sans mot de passe`,
  'account-refused': ({ user, status, said }) =>
    `le PBX n’enregistre pas le compte ${user} : ${status}${quoted(said, ' ')}`,
  'no-session-description': () => 'le téléphone a répondu, mais sans description de session',
  'session-description': ({ said }) =>
    `le téléphone a répondu, mais sa description de session est inutilisable${quoted(said)}`,
  mute: ({ why }, say) => `rien ne peut être dit : ${say(why)}`,
  'conversation-failed': ({ said }) => `la conversation a échoué${quoted(said)}`,
  answered: ({ failures }, say) => ['a répondu', ...failures.map(say)].join(' ; '),
  'answered-without-pin': ({ failures }, say) => ['a répondu, sans code PIN correct', ...failures.map(say)].join(' ; '),
  vanished: () => 'le correspondant a disparu pendant l’appel : plus aucun son n’est arrivé',
  busy: () => 'la ligne était occupée',
  rejected: () => 'a refusé',
  'no-answer': () => 'sans réponse',
  'wrong-pin': () => 'un PIN faux a été saisi trois fois',
  'hung-up-without-key': () => 'a répondu, et raccroché sans touche',
  'no-key': () => 'quelqu’un ou quelque chose a répondu sans appuyer sur une touche',
  machine: () => 'un répondeur a pris l’appel',
  'nobody-answered': ({ seconds }) => `personne n’a répondu en ${seconds} s`,
  'code-read-out': () => 'lu au téléphone',
  'rang-in': () => 'a appelé',
  'telephony-restarts': () => 'la téléphonie de ce serveur s’est arrêtée sur une erreur et redémarre',
  'ring-in-closed': ({ why }, say) => `personne ne peut appeler ici : ${say(why)}`,
  'ring-in-needs-port': () => 'il faut register, ou listenPort avec udp ou tcp',
  'port-unusable': ({ port, said }) => `le port ${port} est inutilisable${quoted(said)}`,
  'recording-not-played': ({ name, said }) =>
    `l’enregistrement ${name === '' ? 'du message' : name} n’a pas été joué${quoted(said)}`,
  'voices-silent': ({ voices }, say) =>
    voices.map(({ voice, why }) => `la voix ${voice} ne parle pas : ${say(why)}`).join(' ; '),
  'program-silent': ({ program }) => `${program} reste muet`,
  'program-output': ({ program, said }) => `ce que ${program} produit est inutilisable${quoted(said)}`,
  'program-not-started': ({ program, said }) => `${program} ne démarre pas${quoted(said)}`,
  'program-slow': ({ program, seconds }) => `${program} a mis plus de ${seconds} s`,
  'program-wrote-too-much': ({ program, bytes }) => `${program} a écrit plus de ${bytes} octets`,
  'program-ended': ({ program, end, said }) => `${program} s’est terminé par ${end}${quoted(said)}`,
  'program-missing': ({ program, looked }) =>
    `${program} n’est pas installé${looked.length === 0 ? ` : apt install ${program}` : ` ; cherché : ${looked.join(', ')}`}`,
  'receiver-answered': ({ status }) => {
    const redirects = status >= 300 && status < 400;
    return `le destinataire a répondu ${status}${meaning(redirects ? 'il redirige, ce qui n’est pas suivi' : receiverMeanings[status], '')}`;
  },
  'receiver-took': ({ status }) => `le destinataire a répondu ${status}`,
  'receiver-unreached': ({ why }, say) => `le destinataire n’a pas été joint : ${say(why)}`,
  'outside-late': () => 'pas de réponse à temps',
  'outside-host-unknown': () => 'le nom de l’hôte est inconnu',
  'outside-host-not-looked-up': () => 'le nom de l’hôte ne peut pas être cherché pour le moment',
  'outside-nothing-there': () => 'rien n’y écoute',
  'outside-cut': () => 'la connexion a été coupée',
  'outside-unreachable': () => 'injoignable',
  'outside-only-https': () => 'seul https est demandé',
  'outside-credentials': () => 'l’adresse ne doit contenir ni nom ni mot de passe',
  'outside-private': () => 'l’adresse est celle d’un réseau privé',
  'outside-private-webhook': () => `l’adresse est celle d’un réseau privé : ${allowedByPrivate}`,
  'outside-certificate': ({ said }) => `son certificat n’est pas accepté (${said})`,
  'outside-status': ({ status }) => `la réponse était ${status}`,
  'outside-large': ({ bytes }) => `la réponse a plus de ${bytes} octets`,
  'webhook-address': ({ problem, port, most }) => `l’adresse ${addressProblems[problem](port, most)}`,
  unserved: ({ why, channel }) => unserved[why](channel),
  'not-accepted': () => 'le fournisseur ne répond pas',
  'store-away': () => 'la base de données était injoignable',
  'internal-fault': () => 'erreur interne',
  'own-fault': () => 'une erreur dans Tocsin',
  cancelled: () => 'interrompu',
  'unknown-end': () => 'personne ne sait ce qu’il en est advenu',
  'server-ended': () => 'Tocsin s’est arrêté à l’improviste pendant cet appel, plusieurs fois',
  'switched-off': () => 'il est désactivé',
  'simulation-off': () => 'les téléphones simulés sont désactivés sur ce serveur',
  'provider-unknown': () => 'ce nœud ne connaît pas le fournisseur',
  unusable: () => 'il est inutilisable',
  'kind-unknown': ({ kind }) => `cette version n’a pas de type ${kind}`,
  'secret-missing': ({ name }) => `le secret « ${name} », qui signe les messages, manque`,
  'secret-of-another-key': ({ name }) =>
    `le secret « ${name} » a été chiffré avec une autre clé : saisissez-le à nouveau, ou donnez cette clé à ce serveur`,
  'secret-damaged': ({ name }) => `le secret « ${name} » est endommagé : saisissez-le à nouveau`,
  'secret-short': ({ name, least }) => `le secret « ${name} » a moins de ${least} caractères`,
  'no-codes': ({ channel }) => `aucun fournisseur du canal ${channel} n’envoie de codes`,
  'channel-failed': () => 'le canal a échoué',
  'simulator-dead': () => 'le fournisseur simulé est réglé sur « dead »',
  'simulator-dead-check': () => 'sa panne « dead » est activée',
  'no-such-number': () => 'ce numéro n’existe pas',
  shown: () => 'affiché sur le téléphone simulé',
  claimed: () => 'le fournisseur l’a dit',
};
