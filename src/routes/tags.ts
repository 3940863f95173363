// The groups of routes in the reference, in order, each with a sentence that describes it.

export const tagMeanings: Readonly<Record<string, string>> = {
  Alarms: 'Send alarms, and see, acknowledge, mask and remove them.',
  Histories: 'What happened: occurrences of alarms, statistics, and interventions of people.',
  Access: 'Sign in and out; sessions, and API keys for machines.',
  Stations: 'The sites of the installation.',
  'Data servers': 'The sources of tags.',
  'Tag groups': 'Tags that belong together.',
  Users: 'People who sign in or are called, with their numbers.',
  Teams: 'People who have the duty together.',
  'Call groups': 'Teams that are called together, with a schedule and a relief.',
  Groupings: 'Call groups under one name.',
  Schedules: 'Which team has the duty when.',
  Scenarios: 'Actions that several alarms share.',
  'On call': 'Who is on duty, who could not be reached, and calendars of the duty.',
  Media: 'Sounds, pictures and documents that alarms refer to by name.',
  Calls: 'Call people and groups, see the attempts, and ask whom an alarm would call.',
  Simulator: 'Simulated phones, to try calls without a provider.',
  Journal: 'The audit trail.',
  'Refused requests': 'What sources sent and was refused, to be seen and sent again.',
  Site: 'The installation itself.',
  Service: 'The health of the server, its metrics, and this document.',
};
