/** Prometheus' own judge of an exposition: `promtool check metrics`, of Debian's package prometheus. */
import { spawnSync } from 'node:child_process';
import { isHere } from './programs.ts';

export const findPromtool = (): boolean =>
  isHere('promtool', "install Debian's prometheus to have the metrics checked.");

/** What promtool has against the metrics; empty: nothing, and it has read them. */
export function checkMetrics(exposition: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: exposition,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `exit code ${status}: ${stdout}${stderr}`;
}
