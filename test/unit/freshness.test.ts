import { describe, expect, test } from 'vitest';
import { copyAgeS } from '../../src/layers/published-copy.ts';
import { factsWithMemory, layerHealth } from '../../src/ops/freshness.ts';
import type { EndedState, LayerState } from '../../src/ops/freshness.ts';

const nowMs = Date.parse('2026-07-10T12:00:00Z');
const freshness = { limitS: 3600, hardLimitS: 86_400 };

const copy = (secondsOld: number): LayerState => ({
  version: 3,
  generation: 7,
  syncedAtMs: nowMs - secondsOld * 1000,
  publishedAtMs: nowMs - 86_400_000,
  rowCount: 10,
  areaM2: 1,
  hold: null,
  outdatedAtMs: null,
});

const ended = (state: EndedState) => ({
  state,
  startedAtMs: nowMs - 2000,
  endedAtMs: nowMs - 1000,
});

describe('layer health', () => {
  test('is missing when nothing was ever mirrored or tried', () => {
    expect(layerHealth({ state: null, lastRun: null, freshness, nowMs })).toBe('missing');
  });

  test('is fresh up to and including the limit, delayed after it', () => {
    const lastRun = ended('unchanged');
    expect(layerHealth({ state: copy(3600), lastRun, freshness, nowMs })).toBe('fresh');
    expect(layerHealth({ state: copy(3601), lastRun, freshness, nowMs })).toBe('delayed');
  });

  test('is delayed when the copy claims to be of a time to come', () => {
    const ahead = copy(-40 * 86_400);
    expect(layerHealth({ state: ahead, lastRun: ended('unchanged'), freshness, nowMs })).toBe(
      'delayed',
    );
  });

  test.each(['failed', 'refused'] as const)('is failed when the last run was %s', (state) => {
    const lastRun = ended(state);
    expect(layerHealth({ state: copy(10), lastRun, freshness, nowMs })).toBe('failed');
    expect(layerHealth({ state: copy(99_999), lastRun, freshness, nowMs })).toBe('failed');
    expect(layerHealth({ state: null, lastRun, freshness, nowMs })).toBe('failed');
  });

  test('is fresh again once a run has published', () => {
    const lastRun = ended('published');
    expect(layerHealth({ state: copy(1), lastRun, freshness, nowMs })).toBe('fresh');
  });
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
