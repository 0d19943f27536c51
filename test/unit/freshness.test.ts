import { expect, test } from 'vitest';
import { copyAgeS } from '../../src/layers/published-copy.ts';
import { factsWithMemory, layerHealth } from '../../src/ops/freshness.ts';
import type { EndedState, LayerState } from '../../src/ops/freshness.ts';

const nowMs = Date.parse('2026-07-10T12:00:00Z');
const freshness = { limitS: 3600, hardLimitS: 86_400 };

const copy = (secondsOld: number): LayerState => ({
  ...{ version: 3, generation: 7, syncedAtMs: nowMs - secondsOld * 1000 },
  ...{ publishedAtMs: nowMs - 86_400_000, rowCount: 10, areaM2: 1, hold: null, outdatedAtMs: null },
});

const ended = (state: EndedState) => {
  return { state, startedAtMs: nowMs - 2000, endedAtMs: nowMs - 1000 };
};

test.each<readonly [string, LayerState | null, EndedState | null]>([
  // Nothing was ever mirrored or tried.
  ['missing', null, null],
  // Up to and including the limit.
  ['fresh', copy(3600), 'unchanged'],
  ['delayed', copy(3601), 'unchanged'],
  // The copy claims to be of a time to come.
  ['delayed', copy(-40 * 86_400), 'unchanged'],
  ...(['failed', 'refused'] as const).flatMap((state) =>
    [copy(10), copy(99_999), null].map((held) => ['failed', held, state] as const),
  ),
  ['fresh', copy(1), 'published'],
])('a layer is %s by %j and a last run that was %s', (health, state, last) => {
  const lastRun = last === null ? null : ended(last);
  expect(layerHealth({ state, lastRun, freshness, nowMs })).toBe(health);
});

test('the age is whole seconds and never negative, even when the clock went back', () => {
  expect(copyAgeS(copy(61.9), nowMs)).toBe(61);
  expect(copyAgeS(copy(-30), nowMs)).toBe(0);
});

test('while the store is away, memory knows better when a copy will be past', () => {
  const known = {
    generation: 7,
    layers: new Map([['region', { state: copy(20), lastRun: null }]]),
  };
  // The same version, proved once more by a file that tells of a change to come.
  const renewed = { ...copy(1), outdatedAtMs: nowMs };
  const memory = { generation: 7, layers: new Map([['region', renewed]]) };
  const { state = null } = factsWithMemory(known, memory).layers.get('region') ?? {};
  expect(state).toEqual(renewed);
  expect(layerHealth({ state, lastRun: null, freshness, nowMs })).toBe('delayed');
});
