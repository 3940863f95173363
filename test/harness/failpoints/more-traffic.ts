// Everything else that peers and users do to a server in a test of failpoints: people who ring in, hostile peers at every door, answers by
// mail, scripts, holiday calendars, changes of the directory, keys that are revoked, refused requests.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { chanceOf } from '../chance.ts';
import { http } from '../fuzz/doors/http.ts';
import { classicHub, coreHub } from '../fuzz/doors/hubs.ts';
import { imap, smtp } from '../fuzz/doors/mail.ts';
import { rtp, sipOverTcp, sipOverUdp } from '../fuzz/doors/ring-in.ts';
import { trunkOverTcp, trunkOverUdp } from '../fuzz/doors/trunk.ts';
import { webhook } from '../fuzz/doors/webhook.ts';
import type { Door, DoorSite } from '../fuzz/fuzz-site.ts';
import { MailProgram } from '../mail/mail-program.ts';
import type { Caller } from '../site/site-caller.ts';
import type { Plant } from './traffic.ts';

const doors: readonly Door[] = [
  ...[http, sipOverUdp, sipOverTcp, rtp, coreHub, classicHub, smtp, imap, webhook, trunkOverUdp, trunkOverTcp],
];
/** A door whose peer waits for what a fault has ended is left alone after this time. */
const doorMs = 20_000;

/** Settings of a server that runs scripts, makes backups and reads calendars of this machine. */
export function settingsForMore(t: TestContext): Readonly<Record<string, string>> {
  const folder = mkdtempSync('/tmp/tocsin-failpoints-');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const script = join(folder, '1-says');
  writeFileSync(script, '#!/bin/sh\necho "$2"\n');
  chmodSync(script, 0o755);
  const backups = mkdtempSync('/tmp/tocsin-failpoints-backups-');
  t.after(() => rmSync(backups, { recursive: true, force: true }));
  const user = process.getuid?.() === 0 ? { TOCSIN_SCRIPTS_USER: '65534' } : {};
  return { TOCSIN_SCRIPTS_DIR: folder, ...user, TOCSIN_BACKUP_DIR: backups, TOCSIN_PRIVATE_ADDRESSES: 'true' };
}

/** What fails in it is what the test provoked. */
export async function moreTraffic(site: DoorSite, plant: Plant, turn: number, inputs: number): Promise<void> {
  const { caller } = site;
  await Promise.allSettled([
    ...doors.map((door) => Promise.race([door.run(site, chanceOf(turn), inputs), pause(doorMs)])),
    script(caller, turn),
    answerByMail(plant),
    calendar(site, turn),
    directory(caller, turn),
    refusal(caller),
  ]);
}

async function script(caller: Caller, turn: number): Promise<void> {
  const alarmActions = [{ type: 'ExecuteCommand', scriptId: 1, parameter: String(turn) }];
  await caller.ask('POST', '/alarms', { path: `Door/${turn}`, alarmMessage: 'open', alarmActions });
}

async function answerByMail({ mail }: Plant): Promise<void> {
  const cy = new MailProgram(mail, 'cy');
  const newest = (await cy.mails()).at(-1);
  if (newest !== undefined) await cy.reply(newest, '1');
  await cy.send('tocsin@plant.example', 'nobody asked for this');
}

/** A schedule whose holidays are read from a calendar, and a team that follows it. */
async function calendar({ t, caller }: DoorSite, turn: number): Promise<void> {
  const day = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20261225\r\nSUMMARY:x\r\nEND:VEVENT\r\n';
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${day}END:VCALENDAR\r\n`;
  const server = createServer((_request, response) => void response.end(text)).listen(0, '127.0.0.1');
  t.after(() => void server.close());
  await pause(50);
  const icalUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const schedule = { name: `Schedule ${turn}`, timeZone: 'UTC', holidays: { icalUrl } };
  const id = await caller.create('/schedules', schedule);
  await caller.ask('PUT', `/schedules/${id}`, { ...schedule, name: `Schedule ${turn} again` });
}

async function directory(caller: Caller, turn: number): Promise<void> {
  const person = { name: `passing ${turn}`, firstName: 'passing', role: 'operator' };
  const id = await caller.create('/users', { ...person, numbers: [{ channel: 'voice', address: '+33100000099' }] });
  const user = await caller.ask<{ readonly numbers: readonly { readonly id: number }[] }>('GET', `/users/${id}`);
  await caller.request('POST', `/users/${id}/numbers/${user.numbers[0]?.id}/verify`, {});
  await caller.ask('PUT', `/users/${id}`, { ...person, firstName: 'again' });
  await caller.ask('DELETE', `/users/${id}`);
  const key = await caller.ask<{ readonly id: number }>('POST', '/auth/keys', {
    name: `key ${turn}`,
    scopes: ['alarms:read'],
  });
  await caller.ask('DELETE', `/auth/keys/${key.id}`);
}

async function refusal(caller: Caller): Promise<void> {
  await caller.request('POST', '/alarms', { path: '', alarmMessage: 7 });
  await pause(500);
  const [newest] = (await caller.list('/intake/refusals?sort=-id&limit=1')).items;
  await caller.request('POST', `/intake/refusals/${newest?.id}/retry`, { confirm: true });
}
