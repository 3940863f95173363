// The mappings of senders whose bodies are known, by the name that stands in the address.

import { type Mapping, type PreparedMapping, prepareMapping } from './mapping.ts';

const severities = { critical: 1, page: 1, error: 2, high: 2, warning: 3, warn: 3, low: 4, info: 4, none: 4 };

/** Alertmanager and the unified alerting of Grafana send the same body. */
const alertmanager: Mapping = {
  each: 'alerts',
  path: '{labels.alertname}/{labels.instance|labels.job|labels.grafana_folder}',
  identity: 'fingerprint',
  alarmMessage: '{annotations.summary|annotations.description|annotations.message|labels.alertname}',
  instructions: '{annotations.runbook_url|annotations.runbook|generatorURL}',
  raised: { from: 'status', true: ['firing'], false: ['resolved'] },
  priority: { from: 'labels.severity', map: severities, default: 3 },
  time: 'startsAt',
  heartbeat: { from: 'labels.alertname', values: ['Watchdog'] },
  endOnReturn: true,
};

const mappings: Readonly<Record<string, Mapping>> = {
  alertmanager,
  grafana: { ...alertmanager, value: '{valueString}' },
  'grafana-legacy': {
    path: '{ruleName|title}',
    identity: 'ruleId',
    alarmMessage: '{message|title|ruleName}',
    instructions: '{ruleUrl}',
    raised: { from: 'state', true: ['alerting', 'no_data'], false: ['ok', 'paused'] },
    endOnReturn: true,
  },
  'uptime-kuma': {
    path: '{monitor.name}',
    identity: 'monitor.id',
    alarmMessage: '{msg|heartbeat.msg}',
    raised: { from: 'heartbeat.status', true: ['0', '2'], false: ['1', '3'] },
    endOnReturn: true,
  },
  'azure-monitor': {
    path: '{data.essentials.alertRule}',
    identity: 'data.essentials.originAlertId',
    alarmMessage: '{data.essentials.description|data.essentials.alertRule}',
    raised: { from: 'data.essentials.monitorCondition', true: ['Fired'], false: ['Resolved'] },
    priority: { from: 'data.essentials.severity', map: { Sev0: 1, Sev1: 2, Sev2: 3, Sev3: 4, Sev4: 4 }, default: 3 },
    endOnReturn: true,
  },
  'gcp-monitoring': {
    path: '{incident.policy_name}/{incident.resource_name|incident.condition_name}',
    alarmMessage: '{incident.summary|incident.policy_name}',
    instructions: '{incident.url}',
    raised: { from: 'incident.state', true: ['open'], false: ['closed'] },
    priority: { from: 'incident.severity', map: { Critical: 1, Error: 2, Warning: 3 }, default: 3 },
    endOnReturn: true,
  },
};

const prepared = new Map(Object.entries(mappings).map(([name, mapping]) => [name, prepareMapping(mapping)]));

export const presetNames: readonly string[] = [...prepared.keys()];

export function presetNamed(name: string): PreparedMapping | undefined {
  return prepared.get(name);
}
