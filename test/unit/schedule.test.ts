import { describe, expect, test } from 'vitest';
import type { LastRun, LayerFacts, LayerState } from '../../src/ops/freshness.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { isDue, lastSlotMs, nightlyMinute } from '../../sync/due.ts';

const at = (iso: string) => Date.parse(iso);

function state(syncedAt: string): LayerState {
  const ms = at(syncedAt);
  const counts = { version: 1, generation: 1, rowCount: 9, areaM2: 0 };
  return { ...counts, syncedAtMs: ms, publishedAtMs: ms, outdatedAtMs: null, hold: null };
}

function run(ended: string, result: LastRun['state']): LastRun {
  return { state: result, startedAtMs: at(ended) - 60_000, endedAtMs: at(ended) };
}

const facts = (copy: string | null, lastRun: LastRun | null = null): LayerFacts => ({
  state: copy === null ? null : state(copy),
  lastRun,
});

describe('the nightly slots', () => {
  test('differ for every layer, regions first', () => {
    const minutes = LAYER_IDS.map(nightlyMinute);
    expect(new Set(minutes).size).toBe(LAYER_IDS.length);
    expect(Math.min(...minutes)).toBe(nightlyMinute('region'));
  });

  test('lie between 03:00 and 05:00, where every local time exists once', () => {
    for (const layer of LAYER_IDS) {
      expect(nightlyMinute(layer)).toBeGreaterThanOrEqual(180);
      expect(nightlyMinute(layer)).toBeLessThan(300);
    }
  });

  test('are local: 03:10 is 01:10 UTC in summer and 02:10 in winter', () => {
    expect(lastSlotMs('region', at('2026-07-10T12:00:00Z'))).toBe(at('2026-07-10T01:10:00Z'));
    expect(lastSlotMs('region', at('2026-01-10T12:00:00Z'))).toBe(at('2026-01-10T02:10:00Z'));
  });

  test('keep the local hour on the nights the clock is turned', () => {
    expect(lastSlotMs('region', at('2026-03-29T12:00:00Z'))).toBe(at('2026-03-29T01:10:00Z'));
    expect(lastSlotMs('region', at('2026-10-25T12:00:00Z'))).toBe(at('2026-10-25T02:10:00Z'));
  });

  test('a moment before today’s slot belongs to yesterday’s, also over a turn of the year', () => {
    expect(lastSlotMs('region', at('2026-01-01T02:09:59Z'))).toBe(at('2025-12-31T02:10:00Z'));
    expect(lastSlotMs('region', at('2026-01-01T02:10:00Z'))).toBe(at('2026-01-01T02:10:00Z'));
  });

  test('are found for every quarter of an hour of a year, never ahead, never over 25 hours old', () => {
    const start = at('2026-01-01T00:00:00Z');
    for (let ms = start; ms < start + 366 * 86_400_000; ms += 900_000) {
      const age = ms - lastSlotMs(LAYER_IDS.at(-1)!, ms);
      expect(age >= 0 && age <= 25 * 3_600_000).toBe(true);
    }
  });
});

/** The regions' slot is the first, 03:10, whatever is added to the catalogue: 01:10 UTC in July. */
describe('a layer is due', () => {
  const noon = at('2026-07-10T12:00:00Z');

  test('when it was never mirrored', () => {
    expect(isDue('region', facts(null), noon)).toBe(true);
  });

  test('again a few minutes after its first mirroring failed', () => {
    expect(isDue('region', facts(null, run('2026-07-10T11:59:00Z', 'failed')), noon)).toBe(false);
    expect(isDue('region', facts(null, run('2026-07-10T11:54:00Z', 'failed')), noon)).toBe(true);
  });

  test('when its copy is older than its last slot: the night was missed', () => {
    expect(isDue('region', facts('2026-07-09T02:00:00Z'), noon)).toBe(true);
    expect(isDue('region', facts('2026-07-10T03:00:00Z'), noon)).toBe(false);
  });

  test('again half an hour after the night failed', () => {
    const copy = '2026-07-09T02:00:00Z';
    expect(isDue('region', facts(copy, run('2026-07-10T11:45:00Z', 'failed')), noon)).toBe(false);
    expect(isDue('region', facts(copy, run('2026-07-10T11:29:00Z', 'failed')), noon)).toBe(true);
  });

  test('not after a refusal, until the next night', () => {
    const refused = facts('2026-07-09T02:00:00Z', run('2026-07-10T02:00:00Z', 'refused'));
    expect(isDue('region', refused, noon)).toBe(false);
    expect(isDue('region', refused, at('2026-07-11T03:00:00Z'))).toBe(true);
  });
});
