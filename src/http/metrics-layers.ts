import { Counter, Gauge } from '@prometheus-io/client';
import type { Registry } from '@prometheus-io/client';
import { KEY_REFUSED } from '../wfs/failure.ts';
import { ANSWERED_BY } from '../ops/metrics.ts';
import type { LayerOverview, Overview } from '../ops/overview.ts';

export function gauge<L extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  ...labelNames: L[]
): Gauge<L> {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

export function counter<L extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  ...labelNames: L[]
): Counter<L> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

/** `_total`: a counter. null is left out. */
export function put(
  registry: Registry,
  values: readonly (readonly [name: string, help: string, value: number | null])[],
): void {
  for (const [name, help, value] of values) {
    if (value === null) continue;
    if (name.endsWith('_total')) counter(registry, name, help).inc(value);
    else gauge(registry, name, help).set(value);
  }
}

/** Layers without the number are left out, never 0. */
const LAYER_GAUGES: readonly (readonly [
  name: string,
  help: string,
  read: (layer: LayerOverview) => number | null,
])[] = [
  ['age_seconds', 'Age of the copy.', ({ copy }) => copy?.ageS ?? null],
  ['age_limit_seconds', 'Age at which the copy is late.', ({ limitS }) => limitS],
  ['age_hard_limit_seconds', 'Age at which it no longer answers.', (layer) => layer.hardLimitS],
  ['data_age_seconds', 'Since the register made the data.', ({ data }) => data.ageS],
  ['data_age_limit_seconds', 'Such age at which the copy is outdated.', ({ data }) => data.limitS],
  ['rows', 'Rows of the published version.', ({ copy }) => copy?.rowCount ?? null],
  ['version', 'Published version.', ({ copy }) => copy?.version ?? null],
  [
    'last_success_timestamp_seconds',
    'Start of the last run that proved the copy equal to its source.',
    ({ copy }) => (copy === null ? null : copy.syncedAtMs / 1000),
  ],
  [
    'last_run_duration_seconds',
    'Duration of the last run that ended.',
    ({ recent }) => durationS(recent.find((run) => run.endedAtMs !== null)),
  ],
  [
    'last_success_duration_seconds',
    'Duration of the last run that ended well.',
    ({ lastGood }) => durationS(lastGood),
  ],
  ['running', '1 while a run goes on.', ({ running }) => (running === null ? 0 : 1)],
  ['held', '1 while an operator holds an earlier version.', ({ hold }) => (hold ? 1 : 0)],
  [
    'key_refused',
    '1 while the last run failed because the register refused the key.',
    ({ failure }) => (failure?.error?.includes(KEY_REFUSED) === true ? 1 : 0),
  ],
  ['refused', '1 while the last run is refused.', ({ refusal }) => (refusal?.stands ? 1 : 0)],
];

export function describeLayers(registry: Registry, { layers }: Overview): void {
  for (const [name, help, read] of LAYER_GAUGES) {
    const target = gauge(registry, `geoopslag_layer_${name}`, help, 'layer');
    for (const layer of layers) {
      const value = read(layer);
      if (value !== null) target.set({ layer: layer.layer }, value);
    }
  }
  const health = gauge(registry, 'geoopslag_layer_health', '1 for its state.', 'layer', 'state');
  for (const layer of layers) {
    for (const state of ['fresh', 'delayed', 'failed', 'missing'] as const) {
      health.set({ layer: layer.layer, state }, layer.health === state ? 1 : 0);
    }
  }
}

function durationS(
  run: { readonly startedAtMs: number; readonly endedAtMs: number | null } | null | undefined,
): number | null {
  const endedAtMs = run?.endedAtMs ?? null;
  return endedAtMs === null || !run ? null : Math.max(0, endedAtMs - run.startedAtMs) / 1000;
}

export function describeLookups(registry: Registry, { layers, hosts }: Overview): void {
  const rungs =
    'Lookups by layer and the rung that answered; all but snapshot and store are fallbacks.';
  const answers = counter(registry, 'geoopslag_lookup_answers_total', rungs, 'layer', 'rung');
  const failed = 'Live questions to the registers that failed, by layer and kind.';
  const failures = counter(registry, 'geoopslag_origin_failures_total', failed, 'layer', 'kind');
  for (const { layer, lookups } of layers) {
    for (const rung of ANSWERED_BY) answers.inc({ layer, rung }, lookups.answers[rung]);
    for (const [kind, count] of Object.entries(lookups.originFailures)) {
      failures.inc({ layer, kind }, count);
    }
  }
  const states = '1 for its state.';
  const breaker = gauge(registry, 'geoopslag_upstream_breaker', states, 'host', 'state');
  const inFlight = gauge(registry, 'geoopslag_upstream_in_flight', 'Live questions out.', 'host');
  const queued = gauge(registry, 'geoopslag_upstream_queued', 'Live questions waiting.', 'host');
  for (const host of hosts) {
    for (const state of ['closed', 'open', 'half_open'] as const) {
      breaker.set({ host: host.host, state }, host.breaker === state ? 1 : 0);
    }
    inFlight.set({ host: host.host }, host.inFlight);
    queued.set({ host: host.host }, host.queued);
  }
}
