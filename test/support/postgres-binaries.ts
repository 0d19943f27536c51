/**
 * The PostgreSQL servers installed on this machine, each judged by what it can do: tests need PostgreSQL
 * 15 or newer with PostGIS 3.3 or newer, and a server without it is as good as none.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export interface Server {
  readonly bin: string;
  /** null: `postgres --version` said none. */
  readonly version: string | null;
  /** What `create extension postgis` would make of this very version; null: it offers none. */
  readonly postgis: string | null;
}

export interface Places {
  /** Folders that have a folder of programs per version, and what that is called in them. */
  readonly roots: readonly { readonly folder: string; readonly programs: RegExp }[];
  /** As the variable PATH. */
  readonly path: string;
}

/** The bin folder the run has chosen; empty: none serves. Set by `npm test`, which has started it. */
export const POSTGRES_ENV = 'TEST_POSTGRES';
/** Folders as PATH has them, instead of where packages put servers. */
export const POSTGRES_PATH_ENV = 'TEST_POSTGRES_PATH';

const OLDEST = { postgres: [15], postgis: [3, 3] } as const;

/** Debian and Ubuntu, PostgreSQL's own packages for Fedora and its kin, Homebrew on both processors. */
const ROOTS = [
  { folder: '/usr/lib/postgresql', programs: /^(\d+)$/ },
  { folder: '/usr', programs: /^pgsql-(\d+)$/ },
  { folder: '/opt/homebrew/opt', programs: /^postgresql@(\d+)$/ },
  { folder: '/usr/local/opt', programs: /^postgresql@(\d+)$/ },
] as const;

/** The bin folder of the first server that serves; null: none on this machine. */
export function findPostgres(): string | null {
  found ??= process.env[POSTGRES_ENV] ?? readServers().find(serves)?.bin ?? '';
  return found === '' ? null : found;
}
let found: string | undefined;

/** By its files: whether it can be started as well, only a start tells. */
export function serves(server: Server): boolean {
  return refusal(server) === null;
}

/** Why a server is of no use to the tests, as half a sentence about it; null: it serves. */
export function refusal({ version, postgis }: Server): string | null {
  if (version === null) return 'does not tell its version';
  if (!isAtLeast(version, OLDEST.postgres)) return 'is older than 15';
  if (postgis === null) return 'has no PostGIS';
  if (!isAtLeast(postgis, OLDEST.postgis)) return `has PostGIS ${postgis}, which is older than 3.3`;
  return null;
}

export function nameOf({ version, bin }: Server): string {
  return `PostgreSQL${version === null ? '' : ` ${version}`} (${bin})`;
}

/** Every server installed, the newest version of each root first, then those of the PATH. */
export function readServers(places: Places = placesHere()): readonly Server[] {
  const folders = [...places.roots.flatMap(programsIn), ...places.path.split(delimiter)];
  const bins = folders.filter((folder) => folder !== '').flatMap(serverIn);
  return [...new Set(bins)].map(readServer);
}

function placesHere(): Places {
  const given = process.env[POSTGRES_PATH_ENV];
  if (given !== undefined) return { roots: [], path: given };
  return { roots: ROOTS, path: process.env['PATH'] ?? '' };
}

function programsIn({ folder, programs }: Places['roots'][number]): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const version = programs.exec(name)?.[1];
      return version === undefined ? [] : [{ name, version: Number(version) }];
    })
    .toSorted((a, b) => b.version - a.version)
    .map(({ name }) => join(folder, name, 'bin'));
}

/** The folder that the server's programs truly lie in: links of a PATH lead there. */
function serverIn(folder: string): readonly string[] {
  const postgres = join(folder, 'postgres');
  if (!existsSync(postgres)) return [];
  const bin = dirname(realpathSync(postgres));
  return existsSync(join(bin, 'initdb')) ? [bin] : [];
}

function readServer(bin: string): Server {
  const version = /\d+(\.\d+)*/.exec(say(join(bin, 'postgres'), '--version'))?.[0] ?? null;
  return { bin, version, postgis: version === null ? null : offeredPostgis(bin, version) };
}

/** The version in the control file of the folder that this very server reads. */
function offeredPostgis(bin: string, version: string): string | null {
  const major = version.split('.')[0] ?? '';
  const told = say(join(bin, 'pg_config'), '--sharedir').trim();
  const usual = ['../share', '../share/postgresql', '../share/pgsql'];
  const debian = `../../../../share/postgresql/${major}`;
  const folders = told === '' ? [...usual, debian].map((folder) => join(bin, folder)) : [told];
  const control = folders
    .map((folder) => join(folder, 'extension/postgis.control'))
    .find((path) => existsSync(path));
  if (control === undefined) return null;
  return /^default_version\s*=\s*'([\d.]+)/m.exec(readFileSync(control, 'utf8'))?.[1] ?? null;
}

/** What a program prints; empty where it cannot be run. */
function say(program: string, argument: string): string {
  try {
    return execFileSync(program, [argument], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

/** Whether a version, as `15.18` or `18beta1`, is a given one or newer. */
export function isAtLeast(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [place, least] of oldest.entries()) {
    const part = parts[place] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
