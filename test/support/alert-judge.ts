/**
 * Which alerts of deploy/monitoring fire for what a process said at `/metrics`: its scrapes become the series of a
 * promtool test, a minute apart, and the last state goes on for two hours. The rules are those that are shipped.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MONITORING, readMonitoring } from './monitoring.ts';

export interface Scrape {
  /** null: it did not answer. */
  readonly text: string | null;
  readonly atMs: number;
}

/** The first is held for ten minutes, before which nothing may be wrong for the alert that is tried. */
export interface Told {
  readonly before: Scrape;
  /** One after the other; of the last two follows what goes on rising. */
  readonly then: readonly [Scrape, ...Scrape[]];
}

const [HELD_MIN, GOES_ON_MIN] = [10, 120];
/** A process whose start is no news. */
const UP_S = 7_200;
const LABELS = 'job="geoopslag",instance="tried"';

export function alertsFor({ before, then }: Told) {
  const series = seriesOf([before, ...then]);
  const directory = mkdtempSync(join(tmpdir(), 'geoopslag-alerts-'));
  const file = join(directory, 'test.json');
  const endMin = HELD_MIN + then.length + GOES_ON_MIN;
  const firing = (rangeMin: number): string =>
    `group by (alertname) (count_over_time(ALERTS{alertstate="firing"}[${rangeMin}m]))`;
  const asked = [
    { expr: firing(HELD_MIN), eval_time: `${HELD_MIN - 1}m`, exp_samples: [] },
    { expr: firing(GOES_ON_MIN + then.length), eval_time: `${endMin}m`, exp_samples: [] },
  ];
  const tests = [{ interval: '1m', input_series: series, promql_expr_test: asked }];
  writeFileSync(
    file,
    JSON.stringify({
      ...{ rule_files: [join(MONITORING, 'rules.yml')], evaluation_interval: '1m', tests },
    }),
  );
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  rmSync(directory, { recursive: true, force: true });
  const said = stdout + stderr;
  if (/error|panic/i.test(said.replaceAll(/alertname[^}]*/g, ''))) throw new Error(said);
  const at = (minute: number): string[] => {
    const part =
      new RegExp(`time: ${clockOf(minute)},\\s+exp:.*\\s+got: (.*)`).exec(said)?.[1] ?? '';
    return [...part.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name);
  };
  return { before: at(HELD_MIN - 1), after: at(endMin) };
}

function clockOf(minutes: number): string {
  const [hours, left] = [Math.floor(minutes / 60), minutes % 60];
  return (hours > 0 ? `${hours}h` : '') + (left > 0 ? `${left}m` : '');
}

type Values = ReadonlyMap<string, number>;

function seriesOf(scrapes: readonly Scrape[]): { series: string; values: string }[] {
  const named = readMonitoring('rules.yml');
  const read = scrapes.map((scrape, minute) => valuesOf(scrape, { minute, named }));
  const counters = new Set(scrapes.flatMap(({ text }) => countersOf(text ?? '')));
  const [last, previous] = [scrapes.at(-1), scrapes.length > 2 ? scrapes.at(-2) : undefined];
  const seconds = previous && last ? (last.atMs - previous.atMs) / 1000 : 0;
  const names = new Set(read.flatMap((values) => [...values.keys()]));
  return [...names].map((series) => {
    const [first, ...rest] = read.map((values) => values.get(series));
    const [from, to] = [rest.at(-2), rest.at(-1)];
    const isCounter = counters.has(/^[^{]+/.exec(series)?.[0]?.replace(/_bucket$/, '') ?? '');
    // What is counted the first time was not counted before.
    const known = from ?? (isCounter ? 0 : undefined);
    const rise = seconds > 0 && known !== undefined && to !== undefined ? to - known : 0;
    // An age grows by a second each second.
    const isAge = rise > 0 && /_(age|still|due)_seconds{/.test(series);
    const step = isCounter ? Math.max(0, rise) : isAge ? 60 : 0;
    const values = [
      first === undefined ? `_x${HELD_MIN}` : `${first}x${HELD_MIN - 1}`,
      ...rest.slice(0, -1).map((value) => String(value ?? '_')),
      to === undefined ? `_x${GOES_ON_MIN}` : `${to}+${step}x${GOES_ON_MIN}`,
    ];
    return { series, values: values.join(' ') };
  });
}

/** promtool's clock begins at 0, so instants are told as from the scrape on. */
function valuesOf(
  { text, atMs }: Scrape,
  { minute, named }: { readonly minute: number; readonly named: string },
): Values {
  const values = new Map([[`up{${LABELS}}`, text === null ? 0 : 1]]);
  for (const [, name = '', labels = '', said = ''] of (text ?? '').matchAll(
    /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/gm,
  )) {
    const value = Number(said);
    if (!named.includes(name) || !Number.isFinite(value)) continue;
    const isInstant = name.endsWith('_timestamp_seconds');
    const beganMin = minute === 0 ? 0 : HELD_MIN + minute - 1;
    const from = isInstant ? beganMin * 60 - atMs / 1000 : 0;
    const shown = name === 'process_uptime_seconds' ? UP_S + 60 * minute : value + from;
    values.set(`${name}{${[LABELS, labels].filter(Boolean).join(',')}}`, shown);
  }
  return values;
}

function countersOf(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (?:counter|histogram)$/gm)].map(([, name = '']) => name);
}
