/** What an operator announces by hand, and the clock of a trial: settings that stop the program or hold. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourcesOf } from '../../src/registers.ts';
import { loadConfig } from '../../src/config.ts';
import { clockFrom } from '../../src/kernel/clock.ts';
import { ownFolder } from '../support/opened.ts';

const dir = ownFolder('announced');

function announced(layer: string, announcements: unknown) {
  const path = join(dir, 'sources.json');
  writeFileSync(path, JSON.stringify({ [layer]: { announcements } }));
  const { overrides } = sourcesOf(path);
  return (overrides as Record<string, { announcements?: unknown }>)[layer]?.announcements;
}

describe('an announcement', () => {
  test.each([
    ['2027-01-01', '2026-12-31T23:00:00.000Z'],
    // In summer midnight in Copenhagen is two hours before midnight UTC.
    ['2027-07-01', '2027-06-30T22:00:00.000Z'],
    // The nights the clock is turned: midnight is before the hour that is skipped or told twice.
    ['2027-03-28', '2027-03-27T23:00:00.000Z'],
    ['2027-10-31', '2027-10-30T22:00:00.000Z'],
    ['2027-01-01T00:00:00+01:00', '2026-12-31T23:00:00.000Z'],
    ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
  ])('of %s comes at %s', (at, instant) => {
    expect(announced('region', [{ at, ends: ['1084', '1085'], begins: [null] }])).toEqual([
      { at: instant, ends: ['1084', '1085'], begins: [null] },
    ]);
  });

  const GOOD = { at: '2027-01-01', ends: ['1084'], begins: [] };

  test.each([
    [{ at: 'i morgen' }, /no date and no time/],
    [{ at: '2027-02-30' }, /no date and no time/],
    [{ ends: [] }, /nothing ends and nothing begins/],
    [{ begins: ['1084'] }, /both end and begin/],
    [{ ends: [1084] }, /region/],
    [{ ends: ['84'] }, /region/],
    [{ begins: undefined }, /region/],
  ])('of %j stops the program', (wrong, why) => {
    expect(() => announced('region', [{ ...GOOD, ...wrong }])).toThrow(why);
  });

  test('of one instant twice, and of a line, stops the program', () => {
    const again = { ...GOOD, at: '2026-12-31T23:00:00Z', ends: ['1085'] };
    expect(() => announced('region', [GOOD, again])).toThrow(/announced twice/);
    expect(() => announced('skov', [GOOD])).toThrow(/only areas can be announced/);
  });
});

describe('the clock of a trial', () => {
  test('begins where it is told and goes on', () => {
    const { trialClockMs } = loadConfig({ TRIAL_CLOCK: '2098-12-31T23:59:30+01:00' });
    const clock = clockFrom(trialClockMs);
    expect(Math.abs(clock.nowMs() - Date.parse('2098-12-31T22:59:30Z'))).toBeLessThan(60_000);
    expect(loadConfig({}).trialClockMs).toBeNull();
  });

  test('is refused beside live sources, and when it is no time', () => {
    const at = '2098-12-31T23:59:30+01:00';
    expect(() => loadConfig({ TRIAL_CLOCK: at, SOURCES: 'live' })).toThrow(/not with SOURCES=live/);
    expect(() => loadConfig({ TRIAL_CLOCK: 'snart' })).toThrow(/TRIAL_CLOCK must be/);
  });
});
