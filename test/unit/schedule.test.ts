import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LastRun, LayerFacts, LayerState } from '../../src/ops/freshness.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import {
  isDue,
  isDueSince,
  lastSlotMs,
  lastSlotOfMinuteMs,
  nightlyMinute,
} from '../../sync/due.ts';
import { everyMinute } from '../../sync/start.ts';
import { amountOf } from '../support/run-settings.ts';

const at = (iso: string) => Date.parse(iso);
const MINUTE_MS = 60_000;

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
    const minutes = MIRROR_IDS.map(nightlyMinute);
    expect(new Set(minutes).size).toBe(MIRROR_IDS.length);
    expect(Math.min(...minutes)).toBe(nightlyMinute('region'));
  });

  test('lie between 03:00 and 06:00, where every local time exists once', () => {
    for (const layer of MIRROR_IDS) {
      expect(nightlyMinute(layer)).toBeGreaterThanOrEqual(180);
      expect(nightlyMinute(layer)).toBeLessThan(360);
    }
  });

  test('are found for every hour of a year, never ahead, never over 25 hours old', () => {
    const start = at('2026-01-01T00:00:00Z');
    for (let ms = start; ms < start + 366 * 86_400_000; ms += 3_600_000) {
      const age = ms - lastSlotMs(LAYER_IDS.at(-1)!, ms);
      expect(age >= 0 && age <= 25 * 3_600_000).toBe(true);
    }
  });
});

/** The regions' slot is the first, 03:10, whatever is added to the catalogue: 01:10 UTC in July. */
describe('a layer is due', () => {
  const noon = '2026-07-10T12:00:00Z';
  const [before, after] = ['2026-07-09T02:00:00Z', '2026-07-10T03:00:00Z'];
  const refused = run('2026-07-10T02:00:00Z', 'refused');
  const failedAt = (time: string) => run(`2026-07-10T${time}Z`, 'failed');
  test.each([
    ['it was never mirrored', facts(null), noon, true],
    ['its first mirroring failed a minute ago', facts(null, failedAt('11:59:00')), noon, false],
    ['its first mirroring failed some minutes ago', facts(null, failedAt('11:54:00')), noon, true],
    ['its copy is older than its last slot', facts(before), noon, true],
    ['its copy is of its last slot', facts(after), noon, false],
    ['the night failed a quarter of an hour ago', facts(before, failedAt('11:45:00')), noon, false],
    ['the night failed half an hour ago', facts(before, failedAt('11:29:00')), noon, true],
    ['it was refused that night', facts(before, refused), noon, false],
    ['it was refused the night before', facts(before, refused), '2026-07-11T03:00:00Z', true],
  ])('where %s', (_what, known, now, due) => {
    expect(isDue('region', known, at(now))).toBe(due);
  });

  test('where its copy is past its date, until the change has come, however young it is', () => {
    const change = '2026-12-31T23:00:00Z';
    const young = { ...state('2026-12-31T22:59:59Z'), outdatedAtMs: at(change) };
    const due = (lastRun: LastRun, minutes: number, hold: LayerState['hold'] = null) =>
      isDue('region', { state: { ...young, hold }, lastRun }, at(change) + minutes * MINUTE_MS);
    const before = run(change, 'unchanged');
    expect([due(before, -1), due(before, 0)]).toEqual([false, true]);
    const [asked, again] = (['unchanged', 'refused'] as const).map((result) =>
      run('2026-12-31T23:01:00Z', result),
    );
    expect([due(asked!, 5), due(asked!, 12), due(again!, 12)]).toEqual([false, true, false]);
    expect(due(asked!, 150, { sinceMs: 0, by: 'x' })).toBe(false);
  });
});

/** From local midnight of the day the clock is turned to that of the day after the next. */
const TURNS = [
  { night: '2026-10-25', from: '2026-10-24T22:00:00Z', to: '2026-10-26T23:00:00Z' },
  { night: '2027-10-31', from: '2027-10-30T22:00:00Z', to: '2027-11-01T23:00:00Z' },
  { night: '2027-03-28', from: '2027-03-27T23:00:00Z', to: '2027-03-29T22:00:00Z' },
];
/**
 * Minutes of the hour that is skipped or there twice, and of the hour before and after, its first and
 * last among them. By night each.
 */
const EVERY = amountOf({ gate: 20, night: 1 });
const SLOTS = Array.from({ length: 180 }, (_, i) => 60 + i).filter(
  (minute) => minute % EVERY === 0 || minute % 60 === 59,
);

describe.each(TURNS)('the night the clock is turned, $night', ({ night, from, to }) => {
  const nextDay = new Date(at(`${night}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  /** Every minute of five hours, then every quarter of an hour. */
  const looks: number[] = [];
  for (let ms = at(from); ms < at(to); ms += (looks.length < 300 ? 1 : 15) * MINUTE_MS) {
    looks.push(ms);
  }

  /** When a layer whose slot is at a minute ran, in local time; each run succeeds and takes a minute. */
  function runsOf(minuteOfDay: number): readonly string[] {
    const runs: string[] = [];
    let known = facts(new Date(at(from) - MINUTE_MS).toISOString());
    for (const ms of looks) {
      if (!isDueSince(lastSlotOfMinuteMs(minuteOfDay, ms), known, ms)) continue;
      runs.push(new Date(ms).toLocaleString('sv-SE', { timeZone: 'Europe/Copenhagen' }));
      const started = new Date(ms).toISOString();
      known = facts(started, run(new Date(ms + MINUTE_MS).toISOString(), 'published'));
    }
    return runs;
  }

  test.each(SLOTS)('a slot at minute %i comes once that night and once the next', (minute) => {
    const written = `0${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;
    const isSkipped = night.includes('-03-') && written.startsWith('02');
    const [first = '', ...later] = runsOf(minute);
    // What the clock never shows is the moment of the jump.
    expect(first).toBe(`${night} ${isSkipped ? '03:00' : written}:00`);
    expect(later.map((text) => text.slice(0, 10))).toEqual([nextDay]);
  });

  test('keeps the order of the layers, were their slots to begin at any minute of the hour', () => {
    for (const first of SLOTS) {
      const slots = MIRROR_IDS.map((_, i) =>
        lastSlotOfMinuteMs(first + 6 * i, at(`${night}T12:00:00Z`)),
      );
      expect(slots).toEqual([...slots].sort((a, b) => a - b));
    }
  });
});

test.each([-1, 1, 20_000])(
  'the clockwork looks every minute though the clock is set by %s days',
  async (days) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let looks = 0;
    const clockwork = everyMinute(() => {
      looks += 1;
      return Promise.resolve();
    });
    vi.setSystemTime(Date.now() + days * 24 * 60 * MINUTE_MS);
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    clockwork.stop();
    expect(looks).toBe(10);
  },
);
