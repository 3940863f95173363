// The JSON of the report on the installation for administrators.

import { type Static, Type } from 'typebox';
import { messageIn } from '../domain/alarms/system-texts/catalogue.ts';
import { troubleIn } from '../domain/calls/words/trouble-words.ts';
import { wordedReason } from '../domain/channels/words/catalogue.ts';
import type { Language } from '../domain/language.ts';
import { type WorkKind, workKinds } from '../domain/quarantine.ts';
import type { OutcomeCount, ProviderReport, SystemReport } from '../domain/system-report.ts';
import { instantText, printInstant } from './date-time.ts';
import { choice, idOf, uint } from './paging.ts';

const bytes = (description: string) => Type.Integer({ minimum: 0, description });
const text = (description: string) => Type.String({ description });

const states = [
  ['up', 'it worked'],
  ['down', 'it failed at some time'],
  ['unknown', 'it was neither used nor checked'],
] as const;

const outcomeCounts = Type.Record(Type.String(), uint(), {
  description:
    'How many attempts of the last hour had which outcome, as in call histories; `underWay` and `delivered` have none yet.',
  examples: [{ answered: 3, busy: 1 }],
});

const check = Type.Object(
  {
    time: instantText('When this node last checked it.'),
    ok: Type.Boolean({ description: 'Whether it could be used.' }),
    reason: text('Why it could not; empty if it could.'),
  },
  { title: 'ProviderSelfTest', description: 'The last check of a provider, without calling anybody.' },
);

const provider = Type.Object(
  {
    id: idOf('provider'),
    name: text('Its name.'),
    kind: text('Its kind.'),
    enabled: Type.Boolean({ description: 'Whether it is used.' }),
    state: choice([...states], { description: 'Its state now.' }),
    since: Type.Optional(instantText('Since when; absent if the state is unknown.')),
    reason: text('Why it is down, in words.'),
    inUse: uint({ description: 'Deliveries under way, on all nodes.' }),
    selfTest: Type.Optional(check),
    halfHours: Type.Array(choice([...states]), {
      description: 'Its state in the last 48 half-hours, the newest last.',
    }),
    lastHour: outcomeCounts,
  },
  { title: 'ProviderReport', description: 'A provider and its health.' },
);

const channel = Type.Object(
  {
    channel: text('The channel.'),
    providers: Type.Array(provider, { description: 'Its providers, in the order of use.' }),
    lastHour: outcomeCounts,
  },
  { title: 'ChannelReport', description: 'A channel with its providers; attempts of all of them and of none.' },
);

const nodes = Type.Array(
  Type.Object(
    {
      id: text('The id of the node.'),
      address: text('Where other nodes reach it.'),
      seenTime: instantText('When it last reported.'),
      self: Type.Boolean({ description: 'Whether it is the one that answers.' }),
      scriptIds: Type.Optional(
        Type.Array(uint(), { description: 'The scripts that it can run; missing if it has no folder of scripts.' }),
      ),
      unopenedProviders: Type.Optional(
        Type.Array(
          Type.Object(
            { providerId: idOf('provider'), reason: text('Why the node cannot use it.') },
            { title: 'UnopenedProvider', description: 'A provider that the node cannot use.' },
          ),
          {
            description:
              'The providers that the node cannot use, mostly because its key for their secrets is another one; missing if there are none. Other nodes carry their calls.',
          },
        ),
      ),
    },
    { title: 'NodeReport', description: 'A node that serves this database.' },
  ),
  { description: 'The nodes that serve this database now.' },
);

/** In the report, and in the addresses of what an administrator decides. */
export const workKind = choice(Object.entries(workKinds) as [WorkKind, string][], {
  title: 'WorkKind',
  description: 'What kind of work it is.',
});

const quarantine = Type.Array(
  Type.Object(
    {
      kind: workKind,
      id: uint({
        description:
          'Its id: of an attempt as in the call history, of a schedule for its calendar; 0 for work that is there once.',
      }),
      user: Type.String({ description: 'Who was called; empty for other work.' }),
      state: choice(
        [
          ['suspect', 'it was under way at two unexpected ends within ten minutes, and is begun last and alone'],
          ['failed', 'it was under way alone at another, and was given up'],
        ],
        { description: 'What becomes of it.' },
      ),
      endTimes: Type.Array(instantText('When the server ended.'), {
        description: 'The unexpected ends, oldest first.',
      }),
    },
    { title: 'QuarantinedWork', description: 'Work that was under way when the server ended unexpectedly.' },
  ),
  { description: 'Work that is suspected of ending the server, or was given up for it; empty when all is well.' },
);

const setAside = Type.Array(
  Type.Object(
    {
      alarmId: idOf('alarm that says so'),
      message: text('What fails, in the language of `Accept-Language`.'),
      retryTime: Type.Optional(instantText('When it is tried again; absent for calls that were given up.')),
    },
    { title: 'SetAsideWork', description: 'Stored work that fails because of a fault in Tocsin.' },
  ),
  {
    description:
      'Calls, delays, acknowledgements and moves that fail because of a fault in Tocsin, and wait so that they hold up no others; empty when all is well.',
  },
);

const calling = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether people can be called.' }),
    simulated: Type.Boolean({ description: 'Whether only simulated phones ring.' }),
    reasons: Type.Array(Type.String(), { description: 'Everything that is wrong.' }),
  },
  { title: 'CallingReport', description: 'Whether people can be called, as in `/health/calling`.' },
);

const database = Type.Object(
  {
    kind: choice([
      ['sqlite', 'the embedded database'],
      ['postgres', 'PostgreSQL'],
    ]),
    latencyMs: Type.Optional(uint({ description: 'How long a small write takes; absent if it fails.' })),
    bytes: bytes('Its size.'),
  },
  { title: 'DatabaseReport', description: 'The database.' },
);

const disk = Type.Object(
  { freeBytes: bytes('Free for Tocsin.'), totalBytes: bytes('The whole disk.') },
  { title: 'DiskReport', description: 'The disk of the data folder of this node.' },
);

const heartbeat = Type.Object(
  {
    configured: Type.Boolean({ description: 'Whether `TOCSIN_HEARTBEAT_URL` is set.' }),
    lastTime: Type.Optional(instantText('When this node last sent it.')),
    ok: Type.Optional(Type.Boolean({ description: 'Whether it was received.' })),
    reason: Type.Optional(text('Why it was not.')),
  },
  {
    title: 'HeartbeatReport',
    description: 'The request to an external monitor, sent every minute while calling works.',
  },
);

const certificate = Type.Object(
  { subject: text('Whose it is.'), issuer: text('Who issued it.'), expiryTime: instantText('When it expires.') },
  { title: 'CertificateReport', description: 'The certificate that this node serves.' },
);

const setting = Type.Object(
  {
    name: text('Its name.'),
    value: Type.Optional(text('Its value, `***` for a secret; absent if it is not set and has no default.')),
    secret: Type.Boolean({ description: 'Whether its value is a secret.' }),
  },
  { title: 'SettingReport', description: 'A setting of this node.' },
);

export const systemReportSchema = Type.Object(
  {
    version: text('The version of Tocsin on this node.'),
    startTime: instantText('When this node started.'),
    uptimeSeconds: uint({ description: 'How long it has been running.' }),
    nodes,
    calling,
    quarantine,
    setAside,
    database,
    disk: Type.Optional(disk),
    channels: Type.Array(channel, { description: 'The channels that have providers or were used in the last hour.' }),
    heartbeat,
    certificate: Type.Optional(certificate),
    settings: Type.Array(setting, { description: 'All settings of this node.' }),
  },
  {
    title: 'SystemReport',
    description: 'The state of the installation. What is of one node is of the one that answers.',
  },
);

type Printed = Static<typeof systemReportSchema>;

type About = {
  readonly version: string;
  readonly now: number;
  readonly timeZone: string;
  readonly language: Language;
};

export function printSystemReport(report: SystemReport, { version, now, timeZone, language }: About): Printed {
  const at = (ms: number): string => printInstant(ms, timeZone);
  const { stored, nodeId, database: base, calling: health, certificate: served } = report;
  return {
    version,
    startTime: at(report.startedAt),
    uptimeSeconds: Math.max(0, Math.floor((now - report.startedAt) / 1000)),
    nodes: stored.nodes.map(({ id, address, seenAt, scriptIds, unopened }) => ({
      id,
      address,
      seenTime: at(seenAt),
      self: id === nodeId,
      ...(scriptIds === undefined ? {} : { scriptIds: [...scriptIds] }),
      ...(unopened.length === 0
        ? {}
        : {
            unopenedProviders: unopened.map(({ providerId, reason }) => ({
              providerId,
              reason: wordedReason(language, reason),
            })),
          }),
    })),
    quarantine: stored.quarantine.map(({ kind, id, user, state, ends }) => ({
      kind,
      id,
      user,
      state: state as 'suspect' | 'failed',
      endTimes: ends.map(at),
    })),
    setAside: stored.setAside.map(({ alarmId, definition, retryAt }) => ({
      alarmId,
      message: messageIn([language], definition),
      ...(retryAt === undefined ? {} : { retryTime: at(retryAt) }),
    })),
    calling: {
      ok: health.troubles.length === 0,
      simulated: health.isSimulated,
      reasons: health.troubles.map((code) => troubleIn(language, code)),
    },
    database: {
      kind: base.kind as Printed['database']['kind'],
      ...(base.latencyMs === undefined ? {} : { latencyMs: base.latencyMs }),
      bytes: stored.databaseBytes,
    },
    ...(report.disk === undefined ? {} : { disk: report.disk }),
    channels: printChannels(report, at, language),
    heartbeat: printHeartbeat(report, at),
    ...(served === undefined
      ? {}
      : { certificate: { subject: served.subject, issuer: served.issuer, expiryTime: at(served.expiresAt) } }),
    settings: report.settings.map(({ name, value, isSecret }) => ({
      name,
      ...(value === undefined ? {} : { value }),
      secret: isSecret,
    })),
  };
}

function printChannels(
  { stored, checks }: SystemReport,
  at: (ms: number) => string,
  language: Language,
): Printed['channels'] {
  const names = new Set([
    ...stored.providers.map(({ provider: { channel: name } }) => name),
    ...stored.lastHour.map(({ channel: name }) => name).filter((name) => name !== ''),
  ]);
  return [...names].toSorted().map((name) => ({
    channel: name,
    providers: stored.providers
      .filter((one) => one.provider.channel === name)
      .map((one) => printProvider(one, checks.get(one.provider.id), at, language)),
    lastHour: printCounts(stored.lastHour.filter((count) => count.channel === name)),
  }));
}

type Check = { readonly at: number; readonly reason: string | undefined } | undefined;

function printProvider(
  report: ProviderReport,
  last: Check,
  at: (ms: number) => string,
  language: Language,
): Static<typeof provider> {
  const worded = (reason: string): string => wordedReason(language, reason);
  const { provider: one, health, inUse } = report;
  const selfTest = last && { time: at(last.at), ok: last.reason === undefined, reason: worded(last.reason ?? '') };
  return {
    id: one.id,
    name: one.name,
    kind: one.kind,
    enabled: one.isEnabled,
    state: health.state,
    ...(health.state === 'unknown' ? {} : { since: at(health.since) }),
    reason: worded(health.reason),
    inUse,
    ...(selfTest === undefined ? {} : { selfTest }),
    halfHours: [...report.halfHours],
    lastHour: printCounts(report.lastHour),
  };
}

function printCounts(counts: readonly OutcomeCount[]): Record<string, number> {
  return Object.fromEntries(counts.map(({ outcome, count }) => [outcome, count]));
}

function printHeartbeat(
  { hasHeartbeat, lastHeartbeat }: SystemReport,
  at: (ms: number) => string,
): Printed['heartbeat'] {
  if (lastHeartbeat === undefined) return { configured: hasHeartbeat };
  const { at: sentAt, problem } = lastHeartbeat;
  const outcome = problem === undefined ? { ok: true } : { ok: false, reason: problem };
  return { configured: hasHeartbeat, lastTime: at(sentAt), ...outcome };
}
