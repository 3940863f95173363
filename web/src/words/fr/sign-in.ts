// French texts of the sign-in.

import type { Words } from '../words.ts';

export const signIn: Words['signIn'] = {
  title: 'Connexion',
  name: 'Nom',
  password: 'Mot de passe',
  show: 'Montrer le mot de passe',
  hide: 'Cacher le mot de passe',
  shared: 'Écran partagé de salle de contrôle',
  sharedMeans: 'reste connecté',
  action: 'Se connecter',
  wait: (seconds: number) => `Attendre ${seconds} s`,
  firstStart: 'Premier démarrage ? Le nom est',
  firstStartPassword: '. Son mot de passe a été affiché une fois là où le serveur a démarré. Perdu :',
  promise: ['Une alarme atteint quelqu’un qui la prend.', 'Ou tous voient que non.'],
  ready: 'Le serveur est prêt',
  notReady: (what: string) => `Le serveur n’est pas prêt : ${what}`,
  noServer: 'Le serveur ne répond pas',
  encrypted: 'Chiffré',
  notEncrypted: 'Non chiffré',
  theme: 'Couleurs',
  light: 'Clair',
  dark: 'Sombre',
  highContrast: 'Contraste élevé',
  ended: 'Votre session est terminée',
  endedMeans: 'Reconnectez-vous : l’écran et ce que vous avez écrit sont toujours là.',
  endsSoon: (time: string) => `Votre session se termine ${time}. Reconnectez-vous à un moment calme.`,
  notSignedOut:
    'Le serveur n’a pas encore reçu la déconnexion : elle lui est envoyée jusqu’à ce qu’il réponde. Laissez cette page ouverte.',
  signOut: 'Se déconnecter',
};
