/** Prometheus' own judge of an exposition: `promtool check metrics`, of Debian's package prometheus. */
import { spawnSync } from 'node:child_process';

/** Whether promtool is here; says so when it is not. With REQUIRE_ALL=1 a missing one is a failure. */
export function findPromtool(): boolean {
  if (spawnSync('promtool', ['--version']).status === 0) return true;
  const missing = "promtool is missing: install Debian's prometheus to have the metrics checked.";
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(missing);
  console.log(`SKIPPED: ${missing}`);
  return false;
}

/** What promtool has against the metrics; empty: nothing, and it has read them. */
export function checkMetrics(exposition: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: exposition,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `exit code ${status}: ${stdout}${stderr}`;
}
