// A call group whose schedule names one team by day and another by night.

import type { Site } from './site.ts';

export const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'holiday'];
export const voice = { channel: 'voice', address: '+33123456789' };

/** Ana by day, Bo by night with Cy as relief; it is Sunday, 13:00 in Paris. */
export async function dayAndNight(site: Site) {
  const ana = await site.create('/users', { name: 'ana', numbers: [voice] });
  const bo = await site.create('/users', { name: 'bo', numbers: [voice] });
  const cy = await site.create('/users', { name: 'cy', numbers: [voice] });
  const day = await site.create('/teams', { name: 'Day', members: [{ userId: ana }] });
  const night = await site.create('/teams', {
    name: 'Night',
    members: [{ userId: cy, relief: true }, { userId: bo }],
  });
  const weekly = [
    { teamId: day, days: allDays, from: '08:00', to: '18:00' },
    { teamId: night, days: allDays, from: '18:00', to: '06:00' },
  ];
  const scheduleId = await site.create('/schedules', { name: 'Programme', timeZone: 'Europe/Paris', weekly });
  const group = await site.create('/callgroups', { name: 'Pumps', teamIds: [day, night], scheduleId });
  return { ana, bo, cy, day, night, scheduleId, group };
}
