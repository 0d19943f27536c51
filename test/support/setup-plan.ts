/** The commands that bring what the whole suite wants to this system. Decides only; test/setup.ts runs them. */
import { POSTGRES_VERSION } from './test-tools.ts';
import type { System, Tool } from './test-tools.ts';

export type Command = readonly string[];

export interface Machine {
  /** null: one that we know no packages of. */
  readonly system: System | null;
  readonly isRoot: boolean;
  /** Numbers of PostgreSQL that its packages have PostGIS for, and of the servers that are here. */
  readonly postgres: { readonly offered: readonly number[]; readonly installed: readonly number[] };
}

/** Debian's name of a release: the PostgreSQL it has PostGIS for, before `apt-get update` says it. */
const RELEASES: Readonly<Record<string, number>> = {
  bookworm: 15,
  trixie: 17,
  noble: 16,
  plucky: 17,
  questing: 17,
};
const USUAL_POSTGRES = 17;
const OLDEST_POSTGRES = 15;

export function systemOf(osRelease: string, platform: NodeJS.Platform): System | null {
  if (platform === 'darwin') return 'homebrew';
  const ids = `${field(osRelease, 'ID')} ${field(osRelease, 'ID_LIKE')}`.split(' ');
  if (ids[0] === 'ubuntu' || ids.includes('ubuntu')) return 'ubuntu';
  if (ids.includes('debian')) return 'debian';
  return ids.includes('fedora') ? 'fedora' : null;
}

/** The versions a release has by its name; what `apt-cache` lists counts more. */
export function offeredBy(osRelease: string): readonly number[] {
  const version = RELEASES[field(osRelease, 'VERSION_CODENAME')];
  return version === undefined ? [] : [version];
}

function field(osRelease: string, name: string): string {
  return new RegExp(`^${name}="?([^"\\n]*)`, 'm').exec(osRelease)?.[1] ?? '';
}

/** In order; none where nothing is missing, or the system is not known. */
export function planSetup(missing: readonly Tool[], machine: Machine): readonly Command[] {
  const { system, isRoot } = machine;
  if (missing.length === 0 || system === null) return [];
  const sudo = isRoot ? [] : ['sudo'];
  switch (system) {
    case 'debian':
    case 'ubuntu':
      return [
        [...sudo, 'apt-get', 'update', '-q'],
        [...sudo, 'apt-get', 'install', '-y', '--no-install-recommends', ...apt(missing, machine)],
      ];
    case 'fedora':
      return [[...sudo, 'dnf', 'install', '-y', ...missing.flatMap(({ fedora }) => fedora)]];
    case 'homebrew': {
      const names = missing.flatMap(({ homebrew }) => homebrew);
      const casks = names.filter((name) => name.startsWith(CASK));
      const formulas = names.filter((name) => !name.startsWith(CASK));
      return [
        ...(formulas.length === 0 ? [] : [['brew', 'install', ...formulas]]),
        ...casks.map((name) => ['brew', 'install', '--cask', name.slice(CASK.length)]),
      ];
    }
  }
}

const CASK = '--cask ';

function apt(missing: readonly Tool[], { system, postgres }: Machine): readonly string[] {
  const version = String(postgresFor(postgres));
  return missing
    .flatMap(({ debian, ubuntu = debian }) => (system === 'ubuntu' ? ubuntu : debian))
    .map((name) => name.replace(POSTGRES_VERSION, version));
}

/** The server that is here already, where PostGIS is to be had for it; else the newest. */
function postgresFor({ offered, installed }: Machine['postgres']): number {
  const good = offered.filter((version) => version >= OLDEST_POSTGRES);
  const here = good.filter((version) => installed.includes(version));
  return Math.max(...(here.length > 0 ? here : good.length > 0 ? good : [USUAL_POSTGRES]));
}
