// What is wrong with calling people, in the language of the reader. Pure.

import type { Language } from '../../language.ts';
import { type CallingTrouble, callingTroubles } from '../calling-health.ts';

const words: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<CallingTrouble, string>>>> = {
  fr: {
    'nobody-reachable':
      'personne ne peut être joint en dernier recours : donnez à un administrateur, ou à une personne d’astreinte du groupe de dernier recours, un numéro qui peut être appelé',
    'number-not-verified':
      'quelqu’un pourrait être joint en dernier recours si son numéro était vérifié : faites-y envoyer un code et saisissez-le',
    'last-resort-unanswered':
      'le dernier recours a été appelé en vain : cela prend fin quand quelqu’un prend l’alarme en charge',
    'call-set-aside':
      'quelqu’un n’est pas appelé à cause d’un défaut de Tocsin : une alarme dit qui, et un nouvel essai a lieu chaque minute',
    'gaps-found':
      'des appels sans étape suivante ont été trouvés et réparés : cela prend fin avec le prochain contrôle sans défaut',
    'not-audited': 'les appels ouverts ne sont plus contrôlés depuis deux minutes',
    'engine-stalled': 'le moteur des appels n’a pas terminé de cycle depuis 30 s',
    'events-delayed':
      'des changements enregistrés ne sont pas envoyés depuis 5 s : les consoles montrent un état ancien, et un acquittement n’arrête aucun téléphone',
    'database-unavailable': 'la base de données ne peut pas être lue, ou est endommagée',
  },
  de: {
    'nobody-reachable':
      'als letzte Instanz ist niemand erreichbar: geben Sie einem Administrator, oder jemandem in Bereitschaft der letzten Instanz, eine Nummer, die angerufen werden kann',
    'number-not-verified':
      'als letzte Instanz wäre jemand erreichbar, wenn die Nummer bestätigt wäre: lassen Sie einen Code dorthin senden und geben Sie ihn ein',
    'last-resort-unanswered':
      'die letzte Instanz wurde vergeblich angerufen: das endet, sobald jemand den Alarm übernimmt',
    'call-set-aside':
      'jemand wird wegen eines Fehlers in Tocsin nicht angerufen: ein Alarm nennt wen, und jede Minute wird es erneut versucht',
    'gaps-found':
      'Anrufe ohne nächsten Schritt wurden gefunden und repariert: das endet mit der nächsten fehlerfreien Prüfung',
    'not-audited': 'offene Anrufe werden seit zwei Minuten nicht geprüft',
    'engine-stalled': 'die Anrufsteuerung hat seit 30 s keinen Durchlauf beendet',
    'events-delayed':
      'gespeicherte Änderungen werden seit 5 s nicht weitergegeben: Konsolen zeigen einen alten Stand, und eine Quittierung stoppt kein Telefon',
    'database-unavailable': 'die Datenbank ist nicht lesbar oder beschädigt',
  },
};

export function troubleIn(language: Language, trouble: CallingTrouble): string {
  return language === 'en' ? callingTroubles[trouble] : words[language][trouble];
}
