/** Alert rules, scrape settings and the dashboard, by Prometheus' own program and held against the runbook. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MONITORING, readDashboard, readMonitoring } from '../support/monitoring.ts';
import { findPromtool } from '../support/promtool.ts';

const hasPromtool = findPromtool();
const RULES = readMonitoring('rules.yml');
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '');
const RUNBOOK = readFileSync(join(MONITORING, '../../docs/runbook.md'), 'utf8');

/** What a test brings a service or process into, by alert. */
const BROUGHT_ABOUT = ['alerts.test.ts', 'alerts-process.test.ts'].flatMap((file) => {
  const text = readFileSync(join(import.meta.dirname, '../http', file), 'utf8');
  return [...text.matchAll(/^ {4}\[?'?(Geoopslag\w+)\b/gm)].map(([, name]) => name);
});

function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd: MONITORING,
    encoding: 'utf8',
  });
  return status === 0 ? 'passed' : `exit code ${status}: ${stdout}${stderr}`;
}

describe.skipIf(!hasPromtool)('promtool', () => {
  test.each([
    ['check', 'rules', 'rules.yml'],
    ['test', 'rules', 'rules.test.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ])('%s %s', (...args) => {
    expect(promtool(...args)).toBe('passed');
  });
});

describe('an alert', () => {
  test.each(ALERTS)('%s has a paragraph of the runbook, and is tried', (alert) => {
    const rule = RULES.split('- alert: ').find((text) => text.startsWith(`${alert}\n`)) ?? '';
    expect(rule).toContain(`runbook: docs/runbook.md#${alert.toLowerCase()}`);
    const [, paragraph = ''] = RUNBOOK.split(`\n### ${alert}\n`);
    for (const part of ['**Symptom.**', '**Means.**', '**Do.**']) {
      expect(paragraph.split('\n### ')[0]).toContain(part);
    }
    const tried = readMonitoring('rules.test.yml').split('alert_rule_test:')[1] ?? '';
    expect(tried).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:`));
  });

  test.each(ALERTS)('%s is brought about in the product', (alert) => {
    expect(BROUGHT_ABOUT.filter((name) => name === alert)).toHaveLength(1);
  });

  test('is all that the runbook has paragraphs of', () => {
    const named = [...RUNBOOK.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(named).toEqual(ALERTS);
  });
});

test('the dashboard has a row for each part of the service', () => {
  const { rows, queries } = readDashboard();
  expect(rows).toEqual([
    ...['Traffic', 'Rungs', 'Freshness', 'Refusals', 'Jobs', 'Webhooks'],
    ...['Threads', 'Memory', 'Database'],
  ]);
  for (const row of rows) {
    expect(
      queries.some(({ name }) => name.startsWith(`${row}: `)),
      row,
    ).toBe(true);
  }
});
