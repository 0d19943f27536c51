/** The service of operators in memory, for what belongs to the edge alone. */
import { allLayers } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { MirrorId } from '../../src/layers/keys.ts';
import type { KeptAct } from '../../src/ops/operator-acts.ts';
import type { OperatorService } from '../../src/ops/operator-service.ts';
import { dataAge } from '../../src/ops/freshness.ts';
import { createLookupTally, tallyOf } from '../../src/ops/metrics.ts';
import type { EndedRun, LayerHistory } from '../../src/ops/layer-history.ts';
import type { Overview } from '../../src/ops/overview.ts';
import type { RunRecord } from '../../src/ops/run-log.ts';
import type { VersionDifference } from '../../src/ops/version-difference.ts';

export const TOKEN = 'a-token-of-the-operator';
export const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
export const LIFTABLE = ['empty', 'change-share'];

export const NOW_MS = Date.UTC(2026, 1, 3, 4, 5, 6);

export function run(change: Partial<RunRecord> = {}): RunRecord {
  return {
    ...{ id: '41', layer: 'soe', kind: 'sync', trigger: 'schedule', state: 'published' },
    ...{ phase: 'announce', startedAtMs: NOW_MS - 60_000, endedAtMs: NOW_MS - 58_750 },
    ...{ heartbeatAgeMs: 58_750, version: 3 },
    counts: {
      ...{ pages: 2, bytes: 81_000, received: 60, parsed: 60, staged: 58, unreadable: 2 },
      ...{ inserted: 1, changed: 2, removed: 3 },
      ...{ repaired: 0, coveredTwice: 0, slivers: 0, outsideDenmark: 0 },
    },
    ...{ announced: 60, refusals: [], error: null, liftedGuards: [], askedBy: null },
    ...change,
  };
}

export const REFUSED = run({
  ...({ id: '42', state: 'refused', phase: 'check', version: null } as const),
  refusals: [
    { guard: 'empty', message: 'The layer came empty.', numbers: { rows: 0, lastGoodRows: 58 } },
    { guard: 'staged', message: 'Rows were lost.', numbers: { mapped: 60, staged: 58 } },
    { guard: 'new-guard', message: 'A guard of tomorrow.', numbers: { sheep: 7 } },
  ],
});

/** `soe` refused, `aa` never mirrored and running, `kirke` failed, the others fresh. */
export function overview(): Overview {
  const tally = createLookupTally({ nowMs: () => NOW_MS });
  tally.answered('soe', 'store');
  tally.answered('soe', 'stale');
  tally.originFailed('soe', 'timeout');
  return {
    ...{ nowMs: NOW_MS, knownForS: null, generation: 12 },
    syncLeader: { holder: 'front-1/17/a1b2c3', sinceMs: NOW_MS - 3_600_000, epoch: 4, leads: true },
    hosts: [{ host: 'portal', breaker: 'half_open', inFlight: 1, queued: 2 }],
    memory: {
      generation: 12,
      layers: ['soe'],
      suspended: ['aa'],
      bytes: 4096,
      properties: { records: 40, written: 2 },
      files: null,
      audit: {
        compared: 288,
        differences: 1,
        skipped: { busy: 2, storeUnavailable: 3 },
        scrubbedBytes: 1024,
        lastComparedAtMs: null,
        alarms: [{ layer: 'aa', version: 3, atMs: 0, kind: 'answer' }],
      },
    },
    actions: [
      { atMs: NOW_MS, layer: 'soe', action: 'release', guards: ['empty'], who: 'Opdigtet Person' },
    ],
    layers: allLayers(REGISTERS_CATALOGUE).map((layer) => {
      const { id } = layer;
      const missing = id === 'aa';
      const failed = id === 'kirke' ? run({ layer: id, state: 'failed', error: 'cut off' }) : null;
      const refused = id === 'soe' ? REFUSED : null;
      const running = run({ layer: id, state: 'running', endedAtMs: null, phase: 'fetch' });
      return {
        layer: id,
        name: layer.name,
        register: layer.register,
        coverage: layer.coverage,
        host: layer.source.host,
        lacksKey: false,
        health: missing ? 'missing' : failed !== null || refused !== null ? 'failed' : 'fresh',
        limitS: layer.freshness.limitS,
        hardLimitS: layer.freshness.hardLimitS,
        data: dataAge(null, layer.freshness, NOW_MS),
        copy: missing
          ? null
          : {
              ...{ version: 3, generation: 12, ageS: 60, rowCount: 58, areaM2: 1234.5 },
              ...{ syncedAtMs: NOW_MS - 60_000, publishedAtMs: NOW_MS - 60_000 },
              ...{ hold: null, outdatedAtMs: null },
            },
        revertible: id === 'soe',
        hold: id === 'soe' ? { sinceMs: NOW_MS, by: 'Opdigtet Person' } : null,
        running: missing ? { ...running, silent: true } : null,
        lastGood: missing ? null : run({ layer: id }),
        refusal: refused === null ? null : { run: refused, stands: true },
        failure: failed,
        recent: [refused ?? failed ?? run({ layer: id })],
        lookups: tallyOf(tally.layers, id),
      };
    }),
  };
}

const DAY_MS = 24 * 3_600_000;

export function endedRun(change: Partial<EndedRun> = {}): EndedRun {
  return {
    ...{ id: '41', kind: 'sync', state: 'published', endedAtMs: NOW_MS - DAY_MS },
    ...{ durationMs: 1_250, provedAtMs: NOW_MS - DAY_MS - 1_250 },
    ...{ version: 3, rowCount: 58, areaM2: 1234.5 },
    ...{ guards: [], liftedGuards: [], askedBy: null },
    ...change,
  };
}

export function history(): LayerHistory {
  const nothing = { provedAtMs: null, version: null, rowCount: null, areaM2: null } as const;
  return {
    fromMs: NOW_MS - 30 * DAY_MS,
    toMs: NOW_MS,
    provedBeforeMs: null,
    runs: [
      endedRun(),
      endedRun({ id: '42', state: 'refused', guards: ['empty', 'staged'], ...nothing }),
    ],
    versions: [endedRun()],
    comparable: [{ version: 3, publishedAtMs: NOW_MS - DAY_MS }],
  };
}

const POINT = (x: number) => ({ type: 'Point', coordinates: [x, 6_200_000.25] });

export const DIFFERENCE: VersionDifference = {
  from: { version: 2, publishedAtMs: NOW_MS - 2 * DAY_MS },
  to: { version: 3, publishedAtMs: NOW_MS - DAY_MS },
  counts: { added: 0, removed: 4_000, moved: 1, changed: 0 },
  features: [
    { key: 'k1', objectId: '17', what: 'moved', before: POINT(6e5), after: POINT(600_001.5) },
    { key: 'k2', objectId: '18', what: 'removed', before: POINT(7e5), after: null },
  ],
};

export const ACT: KeptAct = {
  ...{ id: 7, atMs: NOW_MS, who: 'Opdigtet Person', via: 'command', from: 'drift-1' },
  ...{ act: 'tier', accountId: 'account_x', target: null, requestId: null, redacted: false },
  ...{ before: { tier: 'free', capUnits: null }, wanted: { tier: 'pro' } },
};

export interface TestOperator extends OperatorService {
  readonly asked: string[];
}

export function memoryOperator(change: Partial<OperatorService> = {}): TestOperator {
  const asked: string[] = [];
  const note = (what: string, layer: MirrorId, ...more: readonly string[]) => {
    asked.push([what, layer, ...more].join(' '));
  };
  return {
    asked,
    can: { sync: true, revert: true },
    liftableGuards: LIFTABLE,
    overview: () => Promise.resolve(overview()),
    runs: (layer, { limit, before }) => {
      note('runs', layer, String(limit), String(before));
      const issues = [{ key: null, kind: 'geometry', detail: 'no ring' }];
      return Promise.resolve({
        unread: [
          {
            ...{ key: 'soe.1', objectId: '1', reason: 'a ring that is not closed' },
            ...{ box: [650_000, 6_314_000, 650_060, 6_314_060], raw: '{"type":"Polygon"}' },
          },
        ],
        runs: [{ ...REFUSED, issueCount: 1, issues }],
        next: '42',
      });
    },
    history: (layer, days) => {
      note('history', layer, String(days));
      return Promise.resolve(history());
    },
    difference: (layer, { from, to }) => {
      note('difference', layer, String(from), String(to));
      return Promise.resolve({ state: 'compared', difference: DIFFERENCE });
    },
    acts: (wanted) => {
      asked.push(`acts ${JSON.stringify(wanted)}`);
      return Promise.resolve([ACT]);
    },
    runCounts: () => Promise.resolve([{ layer: 'soe', state: 'refused', count: 4 }]),
    swept: () => Promise.resolve([{ table: 'usage_line', removed: 12, ageS: 3 }]),
    requestSync: (layer, guards, { who }) => {
      note('sync', layer, guards.join('+'), who);
      return Promise.resolve('queued');
    },
    changes: () => Promise.resolve({ nowMs: NOW_MS, changes: [] }),
    confirm: () => Promise.resolve({ state: 'refused', why: 'unknown' }),
    unconfirm: () => Promise.resolve({ state: 'refused', why: 'unknown' }),
    revert: (layer, { who }) => {
      note('revert', layer, who);
      return Promise.resolve({ state: 'reverted', version: 5, generation: 13, rowCount: 57 });
    },
    ...change,
  };
}
