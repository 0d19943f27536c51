import { describe, expect, test } from 'vitest';
import { offeredBy, planSetup, systemOf } from '../support/setup-plan.ts';
import type { Machine } from '../support/setup-plan.ts';
import { TOOLS } from '../support/test-tools.ts';

const BOOKWORM = 'ID=debian\nVERSION_CODENAME=bookworm\n';
const NOBLE = 'ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n';

const machine = (more: Partial<Machine> = {}): Machine => ({
  system: 'debian',
  isRoot: true,
  postgres: { offered: [15], installed: [] },
  ...more,
});
const plan = (names: readonly string[], more: Partial<Machine> = {}): readonly string[] =>
  planSetup(
    TOOLS.filter(({ name }) => names.includes(name)),
    machine(more),
  ).map((words) => words.join(' '));

const POSTGRES = 'PostgreSQL with PostGIS';

describe('what brings what is missing', () => {
  test.each([
    [BOOKWORM, 'debian'],
    [NOBLE, 'ubuntu'],
    ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n', 'ubuntu'],
    ['ID=fedora\nVERSION_ID=42\n', 'fedora'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'fedora'],
    ['ID=arch\n', null],
    ['', null],
  ])('%j is known for what it is', (osRelease, system) => {
    expect(systemOf(osRelease, 'linux')).toBe(system);
  });

  test('a machine of Apple has Homebrew', () => {
    expect(systemOf('', 'darwin')).toBe('homebrew');
    expect(plan([POSTGRES, 'Chromium'], { system: 'homebrew' })).toEqual([
      'brew install postgresql@17 postgis',
      'brew install --cask chromium',
    ]);
  });

  test('Debian installs as root, and by sudo as anybody else', () => {
    const install = 'apt-get install -y --no-install-recommends';
    expect(plan([POSTGRES, 'GDAL'])).toEqual([
      'apt-get update -q',
      `${install} postgresql-15 postgresql-15-postgis-3 gdal-bin`,
    ]);
    const [update, packages] = plan(['GDAL'], { isRoot: false });
    expect(update).toBe('sudo apt-get update -q');
    expect(packages).toBe(`sudo ${install} gdal-bin`);
  });

  test('PostGIS is brought for the server that is here, else for the newest', () => {
    const offered = [14, 15, 16, 17];
    const brought = (installed: readonly number[]) =>
      plan([POSTGRES], { postgres: { offered, installed } })[1];
    expect(brought([])).toContain('postgresql-17-postgis-3');
    expect(brought([15])).toContain('postgresql-15-postgis-3');
    expect(brought([14])).toContain('postgresql-17-postgis-3');
    expect(offeredBy(BOOKWORM)).toEqual([15]);
    expect(offeredBy(NOBLE)).toEqual([16]);
    expect(offeredBy('ID=debian\n')).toEqual([]);
  });

  test('Ubuntu has a Chromium of another name', () => {
    expect(plan(['Chromium'], { system: 'ubuntu' })[1]).toMatch(/ chromium-browser$/);
    expect(plan(['Chromium'])[1]).toMatch(/ chromium-headless-shell$/);
  });

  test('nothing missing takes nothing, and a system not known gets no guess', () => {
    expect(plan([])).toEqual([]);
    expect(plan([POSTGRES], { system: null })).toEqual([]);
  });

  test.each(['debian', 'ubuntu', 'fedora', 'homebrew'] as const)('%s has all of it', (system) => {
    for (const { name } of TOOLS) {
      const [last] = plan([name], { system }).slice(-1);
      expect(last, name).toMatch(/\w$/);
    }
  });
});
