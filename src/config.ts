// The settings: one table, read once from the environment into a frozen Config; nothing else reads the environment.

import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  addresses,
  basePath,
  ConfigError,
  callCap,
  commandWords,
  contact,
  databaseUrl,
  isLoopback,
  languageTag,
  nearestOf,
  oneOf,
  origins,
  password,
  paths,
  priorities,
  readableFile,
  readableFolder,
  siteName,
  text,
  timeZone,
  trueOrFalse,
  userIds,
  voices,
  webAddress,
  wholeNumber,
} from './config-values.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

type Setting<T> = {
  readonly default: string | undefined;
  readonly secret?: true;
  readonly meaning: string;
  /** Parses the text, or throws an Error whose message says what was expected. */
  readonly read: (text: string) => T;
};

const machine = (): Intl.ResolvedDateTimeFormatOptions => new Intl.DateTimeFormat().resolvedOptions();

export const settings = {
  TOCSIN_HOST: { default: '127.0.0.1', meaning: 'Address to listen on', read: text },
  TOCSIN_PORT: { default: '8080', meaning: 'Port to listen on; 0 takes any free one', read: wholeNumber(0, 65_535) },
  TOCSIN_DATA_DIR: {
    default: './data',
    meaning: 'Folder of the embedded database and of files',
    read: (value) => resolve(value),
  },
  TOCSIN_DATABASE_URL: {
    default: undefined,
    secret: true,
    meaning: 'PostgreSQL to use, postgres://…; unset: SQLite in the data folder',
    read: databaseUrl,
  },
  TOCSIN_ADMIN_PASSWORD: {
    default: undefined,
    secret: true,
    meaning: 'Password of the first administrator `admin`; unset: a random one, printed once',
    read: password,
  },
  TOCSIN_BASE_PATH: { default: '', meaning: 'Path below which everything is served, such as /alertws', read: basePath },
  TOCSIN_SITE_NAME: {
    default: '',
    meaning: 'Seeds the call policy: name of the installation; unset: consoles show the host, calls say Tocsin',
    read: siteName,
  },
  TOCSIN_TIME_ZONE: {
    default: undefined,
    meaning: "Zone of the times in responses, such as Europe/Paris; unset: the machine's",
    read: timeZone,
  },
  TOCSIN_LANGUAGE: {
    default: undefined,
    meaning:
      "Language of the names of alarms, and of system alarms, in the hub, such as fr or de-CH; unset: the machine's",
    read: languageTag,
  },
  TOCSIN_LOG_LEVEL: {
    default: 'info',
    meaning: `Least urgent level that is logged: ${logLevels.join(', ')}`,
    read: oneOf(logLevels),
  },
  TOCSIN_TLS_CERT: {
    default: undefined,
    meaning: 'PEM file of the certificate; needs TOCSIN_TLS_KEY',
    read: readableFile,
  },
  TOCSIN_TLS_KEY: {
    default: undefined,
    meaning: 'PEM file of the private key; needs TOCSIN_TLS_CERT',
    read: readableFile,
  },
  TOCSIN_INSECURE: {
    default: 'false',
    meaning: 'true: plain HTTP beyond loopback is allowed (a proxy in front does TLS)',
    read: trueOrFalse,
  },
  TOCSIN_SECURITY_CONTACT: { default: undefined, meaning: 'The Contact of /.well-known/security.txt', read: contact },
  TOCSIN_MAX_CONNECTIONS: {
    default: undefined,
    meaning:
      'Connections that are served at once, those of the hub included; unset: as many as the file descriptors allow, at most 20000',
    read: wholeNumber(1, 1_000_000),
  },
  TOCSIN_TRUSTED_PROXIES: {
    default: undefined,
    meaning: 'Addresses of proxies whose X-Forwarded-For is trusted, such as 127.0.0.1; unset: none',
    read: addresses,
  },
  TOCSIN_ALLOWED_ORIGINS: {
    default: undefined,
    meaning:
      'Origins of other web pages that may use the interface and the hub, such as https://console.example.org; unset: none',
    read: origins,
  },
  TOCSIN_PUBLIC_URL: {
    default: undefined,
    meaning: 'Where people reach this server with a browser, for links in mails; unset: mails have no link',
    read: webAddress,
  },
  TOCSIN_NODE_URL: {
    default: undefined,
    meaning: 'Where the other nodes of the same database reach this one; unset: its host and port',
    read: webAddress,
  },
  TOCSIN_NODE_NAME: {
    default: undefined,
    meaning: 'Name of this node, for providers that only one node may use; unset: the name of the machine',
    read: text,
  },
  TOCSIN_SECRETS_KEY: {
    default: undefined,
    secret: true,
    meaning:
      'Key that encrypts the secrets of providers, the same on all nodes; unset: the file secrets.key in the data folder, which is in no backup',
    read: password,
  },
  TOCSIN_SECRETS_OLD_KEYS: {
    default: undefined,
    secret: true,
    meaning: 'Former keys, separated by commas: secrets made with them are encrypted again at the next start',
    read: (value) => value.split(',').map((key) => key.trim()),
  },
  TOCSIN_TOKEN_SECONDS: {
    default: '1209599',
    meaning: 'How long a sign-in lasts, in seconds',
    read: wholeNumber(60, 31_536_000),
  },
  TOCSIN_METRICS_PORT: {
    default: undefined,
    meaning: 'Separate port for /metrics without a token, on TOCSIN_HOST; unset: /metrics needs an administrator',
    read: wholeNumber(1, 65_535),
  },
  TOCSIN_MASK_HOURS: {
    default: '168',
    meaning: 'How many hours an alarm may be masked at most',
    read: wholeNumber(1, 87_600),
  },
  TOCSIN_HISTORY_YEARS: {
    default: '10',
    meaning: 'How many years the history of alarms and the audit trail are kept',
    read: wholeNumber(1, 100),
  },
  TOCSIN_HUB_PATHS: {
    default: '/alarmHub,/signalr,/signalr/alarmHub,/hubs/alarmHub',
    meaning: 'Paths the hub is served at, below the base path',
    read: paths,
  },
  TOCSIN_CALL_UNTIL_ACKNOWLEDGED: {
    default: '1,2',
    meaning:
      'Seeds the call policy at the first start: priorities that are called for again and again until somebody acknowledges the alarm; or none',
    read: priorities,
  },
  TOCSIN_CALL_END_ON_RETURN: {
    default: 'none',
    meaning: 'Seeds the call policy: priorities whose calls end when the alarm is back to normal; or none',
    read: priorities,
  },
  TOCSIN_CALL_PAUSE: {
    default: '300',
    meaning: 'Seeds the call policy: seconds between a round of calls that nobody took and the next',
    read: wholeNumber(10, 86_400),
  },
  TOCSIN_CALL_AGAIN: {
    default: 'true',
    meaning: 'Seeds the call policy: true: people who heard an alarm are called again for a new one',
    read: trueOrFalse,
  },
  TOCSIN_CALL_CAP: {
    default: '30/15',
    meaning: 'Seeds the call policy: attempts a person gets at most in so many minutes, never for priority 1; or off',
    read: callCap,
  },
  TOCSIN_LAST_RESORT_GROUP: {
    default: undefined,
    meaning:
      'Seeds the call policy: id of the call group that is called when nobody else is; unset: all administrators',
    read: wholeNumber(1, 4_294_967_295),
  },
  TOCSIN_SIMULATOR: {
    default: 'true',
    meaning: 'true: phones of the simulator ring for every number that no other channel serves',
    read: trueOrFalse,
  },
  TOCSIN_PRIVATE_ADDRESSES: {
    default: 'false',
    meaning: 'true: calendars may be read from private networks and without TLS',
    read: trueOrFalse,
  },
  TOCSIN_HEARTBEAT_URL: {
    default: undefined,
    secret: true,
    meaning:
      'Address that is requested every minute while calling works, so that an external monitor notices when it stops',
    read: webAddress,
  },
  TOCSIN_SCRIPTS_DIR: {
    default: undefined,
    meaning: 'Folder of the scripts that alarms may run, the same on every node; unset: this node runs no scripts',
    read: readableFolder,
  },
  TOCSIN_SCRIPTS_USER: {
    default: undefined,
    meaning: 'Number of the user scripts run as, or user:group; needed where the server runs as root',
    read: userIds,
  },
  TOCSIN_SPEECH_COMMAND: {
    default: 'espeak-ng -v {voice} -b 1 -s 150 --stdin --stdout',
    meaning:
      'Program that speaks: reads UTF-8 text from its input and writes WAV to its output; {voice} stands for the voice; words are separated by spaces, "…" holds a word with spaces; no shell',
    read: commandWords,
  },
  TOCSIN_SPEECH_VOICES: {
    default: 'en=en,fr=fr,de=de',
    meaning: 'Voice of each language, as the program calls it; the first one speaks all other languages',
    read: voices,
  },
  TOCSIN_AUDIO_DECODER: {
    default:
      'ffmpeg -hide_banner -loglevel error -protocol_whitelist pipe -f mp3 -i pipe:0 -t 121 -vn -ac 1 -ar 8000 -f wav pipe:1',
    meaning: 'Program that reads MP3 from its input and writes WAV to its output, for recorded messages',
    read: commandWords,
  },
  TOCSIN_EVENT_DAYS: { default: '30', meaning: 'How many days the event log is kept', read: wholeNumber(1, 3_650) },
  TOCSIN_BACKUP_DIR: {
    default: undefined,
    meaning: 'Folder for backups by the server; unset: none',
    read: readableFolder,
  },
  TOCSIN_BACKUP_HOURS: { default: '24', meaning: 'Hours between two such backups', read: wholeNumber(1, 168) },
  TOCSIN_BACKUP_KEEP: { default: '7', meaning: 'How many such backups are kept', read: wholeNumber(1, 1_000) },
  TOCSIN_RECORDING_DAYS: {
    default: '30',
    meaning: 'How many days the sound of recorded messages is kept; their text is kept with the calls',
    read: wholeNumber(1, 36_500),
  },
  TOCSIN_SEND_KEY: { default: undefined, secret: true, meaning: 'API key of `tocsin send`', read: text },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;

/** The value of a setting: always there when the setting has a default. */
type ValueOf<N extends SettingName> = (typeof settings)[N] extends { default: string; read: (text: string) => infer T }
  ? T
  : (typeof settings)[N] extends { read: (text: string) => infer T }
    ? T | undefined
    : never;

export type Config = ReturnType<typeof configFrom> & {
  /** The settings that the environment has, so not those that have only a default. */
  readonly given: readonly SettingName[];
  readonly shown: readonly ShownSetting[];
};

/** A setting as people may see it; the value is undefined if it is not set and has no default. */
type ShownSetting = { readonly name: string; readonly value: string | undefined; readonly isSecret: boolean };

export type Environment = Readonly<Record<string, string | undefined>>;

// The test runner's settings, which share the environment, are not the server's.
const ignoredPrefix = 'TOCSIN_TEST_';

/** Returns the settings in `environment`; throws one ConfigError that lists all mistakes. */
export function readConfig(environment: Environment): Config {
  const mistakes = unknownSettings(environment);
  // A setting with a mistake has no value; that is never visible, because readConfig throws.
  const config = configFrom((name) => readSetting(name, environment, mistakes) as ValueOf<typeof name>);
  if (isSet(environment, 'TOCSIN_TLS_CERT') !== isSet(environment, 'TOCSIN_TLS_KEY'))
    mistakes.push('TOCSIN_TLS_CERT and TOCSIN_TLS_KEY go together: set both or none');
  if (config.tls === undefined && !config.insecure && !isLoopback(config.host)) {
    mistakes.push(
      `TOCSIN_HOST=${config.host} would serve plain HTTP beyond this machine: set TOCSIN_TLS_CERT and TOCSIN_TLS_KEY, or TOCSIN_INSECURE=true behind a proxy that does TLS`,
    );
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const given = (Object.keys(settings) as SettingName[]).filter((name) => isSet(environment, name));
  return Object.freeze({ ...config, given, shown: shownSettings(environment) });
}

/** Groups and names the values as the server uses them; each setting has one line here. */
function configFrom(value: <N extends SettingName>(name: N) => ValueOf<N>) {
  const [certFile, keyFile] = [value('TOCSIN_TLS_CERT'), value('TOCSIN_TLS_KEY')];
  const [scriptsDir, scriptsUser] = [value('TOCSIN_SCRIPTS_DIR'), value('TOCSIN_SCRIPTS_USER')];
  return {
    host: value('TOCSIN_HOST'),
    port: value('TOCSIN_PORT'),
    dataDir: value('TOCSIN_DATA_DIR'),
    databaseUrl: value('TOCSIN_DATABASE_URL'),
    adminPassword: value('TOCSIN_ADMIN_PASSWORD'),
    basePath: value('TOCSIN_BASE_PATH'),
    timeZone: value('TOCSIN_TIME_ZONE') ?? machine().timeZone,
    language: value('TOCSIN_LANGUAGE') ?? machine().locale,
    logLevel: value('TOCSIN_LOG_LEVEL'),
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    insecure: value('TOCSIN_INSECURE'),
    securityContact: value('TOCSIN_SECURITY_CONTACT'),
    maxConnections: value('TOCSIN_MAX_CONNECTIONS'),
    trustedProxies: value('TOCSIN_TRUSTED_PROXIES') ?? [],
    allowedOrigins: value('TOCSIN_ALLOWED_ORIGINS') ?? [],
    publicUrl: value('TOCSIN_PUBLIC_URL'),
    nodeUrl: value('TOCSIN_NODE_URL'),
    nodeName: value('TOCSIN_NODE_NAME') ?? hostname(),
    secrets: { key: value('TOCSIN_SECRETS_KEY'), oldKeys: value('TOCSIN_SECRETS_OLD_KEYS') ?? [] },
    tokenSeconds: value('TOCSIN_TOKEN_SECONDS'),
    metricsPort: value('TOCSIN_METRICS_PORT'),
    maskHours: value('TOCSIN_MASK_HOURS'),
    historyYears: value('TOCSIN_HISTORY_YEARS'),
    eventDays: value('TOCSIN_EVENT_DAYS'),
    recordingDays: value('TOCSIN_RECORDING_DAYS'),
    backups: {
      dir: value('TOCSIN_BACKUP_DIR'),
      hours: value('TOCSIN_BACKUP_HOURS'),
      keep: value('TOCSIN_BACKUP_KEEP'),
    },
    hubPaths: value('TOCSIN_HUB_PATHS'),
    calling: {
      untilAcknowledged: value('TOCSIN_CALL_UNTIL_ACKNOWLEDGED'),
      endOnReturn: value('TOCSIN_CALL_END_ON_RETURN'),
      pauseSeconds: value('TOCSIN_CALL_PAUSE'),
      callAgain: value('TOCSIN_CALL_AGAIN'),
      cap: value('TOCSIN_CALL_CAP'),
      lastResortGroupId: value('TOCSIN_LAST_RESORT_GROUP'),
      hasSimulator: value('TOCSIN_SIMULATOR'),
      siteName: value('TOCSIN_SITE_NAME'),
    },
    allowsPrivateAddresses: value('TOCSIN_PRIVATE_ADDRESSES'),
    heartbeatUrl: value('TOCSIN_HEARTBEAT_URL'),
    speech: {
      command: value('TOCSIN_SPEECH_COMMAND'),
      voices: value('TOCSIN_SPEECH_VOICES'),
      decoder: value('TOCSIN_AUDIO_DECODER'),
    },
    scripts: scriptsDir === undefined ? undefined : { dir: scriptsDir, user: scriptsUser },
  };
}

/** Returns one `NAME=value` line per setting that is set, secrets as ***. */
export function printSettings(environment: Environment): readonly string[] {
  return shownSettings(environment)
    .filter(({ name }) => environment[name] !== undefined)
    .map(({ name, value }) => `${name}=${value}`);
}

function shownSettings(environment: Environment): readonly ShownSetting[] {
  return Object.entries(settings).map(([name, setting]: [string, Setting<unknown>]) => {
    const given = environment[name] ?? setting.default;
    const isSecret = setting.secret === true;
    return { name, value: isSecret && given !== undefined ? '***' : given, isSecret };
  });
}

function unknownSettings(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('TOCSIN_') && !name.startsWith(ignoredPrefix) && !Object.hasOwn(settings, name))
    .map((name) => `${name} is not a setting of Tocsin${nearestOf(Object.keys(settings), name)}`);
}

function readSetting(name: SettingName, environment: Environment, mistakes: string[]): unknown {
  const setting: Setting<unknown> = settings[name];
  const given = isSet(environment, name) ? environment[name] : setting.default;
  if (given === undefined) return undefined;
  try {
    return setting.read(given);
  } catch (error) {
    const shown = setting.secret ? '***' : given;
    mistakes.push(`${name}=${shown} ${error instanceof Error ? error.message : 'is not valid'}`);
    return undefined;
  }
}

/** An empty variable is how shells and compose files say "not set". */
function isSet(environment: Environment, name: SettingName): boolean {
  return environment[name] !== undefined && environment[name] !== '';
}
