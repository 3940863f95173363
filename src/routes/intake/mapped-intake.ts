// The route for monitoring systems with a body of their own: maps it to alarms by the preset that the address names.

import { Type } from 'typebox';
import { type Caller, callerOf } from '../../domain/access/access.ts';
import { itemsOf, type MappedAlarm, mapItem, type PreparedMapping } from '../../domain/intake/mapping.ts';
import { presetNamed, presetNames } from '../../domain/intake/presets.ts';
import { AppError } from '../../errors.ts';
import { ownTurn } from '../../http/body/own-turn.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { intakeCheck } from '../../http/validation.ts';
import { keyOfItem } from '../../operations/alarms/intake/idempotency.ts';
import { reportAlarms } from '../../operations/alarms/intake/report.ts';
import { type AlarmReport, reportWeight } from '../../operations/alarms/intake/report-message.ts';
import {
  type AlarmCreationBody,
  alarmCreationSchema,
  readAlarmCreation,
  sourceTimeOf,
} from '../../wire/alarms/alarm-creation.ts';
import { uint } from '../../wire/paging.ts';
import { type GatedParts, noteReports, unset, writeList } from '../alarms/write-list.ts';
import { intakeHeaders, printWarning, responseHeaders, unreadableIn, unusableIn, warningsHeader } from '../alarms.ts';
import { idempotencyKey } from '../make-once.ts';

const bodyLimit = 16 * 1024 * 1024;
/** Items that are mapped in one turn of the event loop: some milliseconds. */
const itemsPerTurn = 100;
/** As much of a body as the alarm about it shows. */
const shownLength = 500;

const anyObject = Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), Type.Unknown(), {
  maxProperties: 10_000,
  title: 'SenderBody',
  description: 'What the sender sends.',
  examples: [
    { alerts: [{ status: 'firing', labels: { alertname: 'DiskFull', instance: 'web1' }, fingerprint: 'a1' }] },
  ],
});

const checkAlarm = intakeCheck(alarmCreationSchema);

/** A report, and what to say about it. */
type Reading = { readonly report: AlarmReport; readonly warnings: readonly string[] };

type Reader = {
  readonly name: string;
  readonly mapping: PreparedMapping;
  readonly caller: Caller;
  readonly timeZone: string;
};

export function mappedIntakeRoute(parts: GatedParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/in/:name',
    scope: 'alarms:write',
    tag: 'Alarms',
    operationId: 'sendMappedAlarms',
    summary: 'Send alarms as a monitoring system does',
    description: `Takes the body of a sender as it is and reads alarms out of it. The name is that of the sender: ${presetNames.map((name) => `\`${name}\``).join(', ')}. What cannot be read is raised all the same, as one alarm. The key may also be sent as \`?key=\` or as the password of basic authentication, for senders that can set no header.`,
    isIntake: true,
    takesSimpleKey: true,
    params: Type.Object({
      name: Type.String({ maxLength: 100, description: 'The sender.', examples: ['alertmanager'] }),
    }),
    query: Type.Object({
      key: Type.Optional(Type.String({ maxLength: 200, description: 'The API key, if no header can be set.' })),
    }),
    headers: intakeHeaders,
    bodyLimit,
    body: anyObject,
    responses: {
      200: Type.Object(
        {
          ids: Type.Array(uint({ examples: [1] }), { description: 'The alarms that were raised or returned.' }),
          warnings: Type.Array(Type.String(), { description: 'What could not be used, and why.' }),
        },
        { title: 'MappedAlarms', description: 'The alarms that were read out of the body.' },
      ),
    },
    responseHeaders,
    refusals: ['not-found'],
    handle: async ({ params: { name }, body, principal, request, setHeader }) => {
      const mapping = presetNamed(name);
      if (mapping === undefined)
        throw new AppError('not-found', `There is no intake "${name}"; there are ${presetNames.join(', ')}.`);
      const once = idempotencyKey(request);
      const readings = await readBody({ name, mapping, caller: callerOf(principal), timeZone: parts.timeZone }, body);
      const items = readings.map(({ report }, index) => ({ ...report, once: once && keyOfItem(once, index) }));
      const read = (report: AlarmReport) => report;
      const results = await writeList(parts, { operation: reportAlarms, items, read, weigh: reportWeight });
      noteReports(parts, principal, results);
      const failed = results.find((result) => result instanceof AppError);
      if (failed !== undefined) throw failed;
      const taken = results.flatMap((result) => ('outcome' in result ? [result.outcome] : []));
      const refused = results.flatMap((result) => ('sentence' in result ? [result.sentence] : []));
      const warnings = [
        ...readings.flatMap((reading) => reading.warnings),
        ...taken.flatMap((one) => one.warnings),
        ...refused,
      ];
      if (warnings.length > 0) setHeader(warningsHeader, warnings.join('; '));
      return { ids: taken.flatMap(({ id }) => (id === 0 ? [] : [id])), warnings };
    },
  });
}

/** Reads the reports out of a body, in slices of the event loop. All that cannot be mapped is one report, of the newest. */
async function readBody(reader: Reader, body: unknown): Promise<readonly Reading[]> {
  const items = itemsOf(reader.mapping, body);
  if (items === undefined) return [unmapped(reader, body, `there is no list "${reader.mapping.each}"`)];
  const readings: Reading[] = [];
  let left: Reading | undefined;
  for (const [index, item] of items.entries()) {
    if (index % itemsPerTurn === itemsPerTurn - 1) await ownTurn();
    const mapped = mapItem(reader.mapping, item, body);
    if (mapped.kind === 'alarm') readings.push(mappedReport(reader, mapped.alarm, placeOf(reader, index)));
    else if (mapped.kind === 'unmapped') left = unmapped(reader, item, `${placeOf(reader, index)}${mapped.reason}`);
  }
  return left === undefined ? readings : [...readings, left];
}

function placeOf({ mapping: { each } }: Reader, index: number): string {
  return each === undefined ? '' : `${each}[${index}]: `;
}

/** Makes the report that a body of the interface with the same fields would make. */
function mappedReport(reader: Reader, alarm: MappedAlarm, place: string): Reading {
  const { warnings: ofMapping, path, raised, value, time, ...definition } = alarm;
  // What is sent with a return to normal often lacks the texts: those of the raise stay.
  const fields = { path: `${reader.name}/${path}`, raised, value, time, ...(raised ? definition : {}) };
  const given = Object.entries(fields).filter(([, field]) => field !== undefined);
  const checked = checkAlarm({ value: Object.fromEntries(given), mended: [] });
  const warnings = checked.warnings ?? [];
  return {
    report: {
      ...reportOf(reader, checked.value as AlarmCreationBody),
      unreadable: unreadableIn(warnings),
      unusable: unusableIn(warnings),
      ...(alarm.raised ? {} : { onlyIfKnown: true, endsCalls: reader.mapping.endOnReturn || undefined }),
    },
    warnings: [...ofMapping, ...warnings.map(printWarning)].map((warning) => `${place}${warning}`),
  };
}

/** One alarm for each intake says what came last and could not be read, so that it is seen and not lost. */
function unmapped(reader: Reader, sent: unknown, reason: string): Reading {
  const shown = JSON.stringify(sent).slice(0, shownLength);
  const body = {
    path: `in/${reader.name}/unmapped`,
    raised: true,
    priority: 2,
    alarmMessage: `"${reader.name}" sent what cannot be read as an alarm (${reason}): ${shown}`,
  };
  const { value } = checkAlarm({ value: body, mended: [] });
  return { report: reportOf(reader, value as AlarmCreationBody), warnings: [`cannot be read: ${reason}`] };
}

function reportOf({ caller, timeZone }: Reader, body: AlarmCreationBody): AlarmReport {
  const { definition: change, ...creation } = readAlarmCreation(body);
  return { ...unset, ...creation, change, time: sourceTimeOf(body, timeZone), caller };
}
