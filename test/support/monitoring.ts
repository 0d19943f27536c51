import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const MONITORING = join(import.meta.dirname, '../../deploy/monitoring');

export const readMonitoring = (name: string): string =>
  readFileSync(join(MONITORING, name), 'utf8');

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export function readDashboard() {
  const { panels } = JSON.parse(readMonitoring('dashboard.json')) as { panels: Panel[] };
  const rows: string[] = [];
  const queries = panels.flatMap(({ type, title, targets = [] }) => {
    if (type === 'row') rows.push(title);
    return targets.map(({ expr, legendFormat }) => ({
      name: `${rows.at(-1)}: ${title}: ${legendFormat}`,
      expr,
    }));
  });
  return { rows, queries };
}

/** Metrics that a query or a rule names, without what a histogram adds to its own. */
export function metricsIn(text: string): string[] {
  const names = text.match(/\b(?:geoopslag|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

/** What a service has no series of while nothing is wrong, or nothing waits. */
export const QUIET: Readonly<Record<string, string>> = {
  geoopslag_origin_failures_total: 'no register was asked in vain',
  geoopslag_upstream_in_flight: 'no register was asked live',
  geoopslag_upstream_queued: 'no register was asked live',
  geoopslag_upstream_breaker: 'no register was asked live',
  geoopslag_memory_audit_alarms_total: 'no memory was taken out of service',
  geoopslag_jobs_still_seconds: 'no job is open',
  geoopslag_webhook_oldest_due_seconds: 'no delivery is due',
};

/** Metrics that the rules and the dashboard name and an exposition does not have. */
export function metricsMissing(exposition: string): string[] {
  const offered = new Set([...exposition.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const queries = readDashboard().queries.map(({ expr }) => expr);
  const named = metricsIn([readMonitoring('rules.yml'), ...queries].join('\n'));
  return named.filter((name) => !offered.has(name) && !(name in QUIET));
}
