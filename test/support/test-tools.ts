/** What the whole suite wants beside Node, and what installs it on the systems people work on. */
import { readServers, serves } from './postgres-binaries.ts';
import { findChromiumProgram, findMapServer, isOnPath } from './programs.ts';

export type System = 'debian' | 'ubuntu' | 'fedora' | 'homebrew';

export interface Tool {
  readonly name: string;
  readonly tries: string;
  readonly isHere: () => boolean;
  readonly debian: readonly string[];
  /** Absent: as Debian's. */
  readonly ubuntu?: readonly string[];
  readonly fedora: readonly string[];
  /** Formulas, with `--cask` before one that is an application. */
  readonly homebrew: readonly string[];
}

/** Stands for the version of the server that PostGIS is for. */
export const POSTGRES_VERSION = '<version>';

export const TOOLS: readonly Tool[] = [
  {
    name: 'PostgreSQL with PostGIS',
    tries: 'everything on PostgreSQL',
    isHere: () => readServers().some(serves),
    debian: [`postgresql-${POSTGRES_VERSION}`, `postgresql-${POSTGRES_VERSION}-postgis-3`],
    fedora: ['postgresql-server', 'postgis'],
    homebrew: ['postgresql@17', 'postgis'],
  },
  {
    name: 'Chromium',
    tries: 'the pages',
    isHere: () => findChromiumProgram() !== null,
    debian: ['chromium-headless-shell'],
    // A snap behind a package: it has no shell alone.
    ubuntu: ['chromium-browser'],
    fedora: ['chromium'],
    homebrew: ['--cask chromium'],
  },
  {
    name: 'MapServer',
    tries: 'real register data, served by another server',
    isHere: () => findMapServer() !== null,
    debian: ['cgi-mapserver'],
    fedora: ['mapserver'],
    homebrew: ['mapserver'],
  },
  {
    name: 'GDAL',
    tries: 'files of layers, read by another program',
    isHere: () => isOnPath('ogr2ogr'),
    debian: ['gdal-bin'],
    fedora: ['gdal'],
    homebrew: ['gdal'],
  },
  {
    name: 'Prometheus',
    tries: 'the metrics',
    isHere: () => isOnPath('promtool'),
    debian: ['prometheus'],
    fedora: ['golang-github-prometheus'],
    homebrew: ['prometheus'],
  },
  {
    name: 'PgBouncer',
    tries: 'the store behind a pooler',
    isHere: () => isOnPath('pgbouncer'),
    debian: ['pgbouncer'],
    fedora: ['pgbouncer'],
    homebrew: ['pgbouncer'],
  },
  {
    name: 'curl',
    tries: 'what the documents print',
    isHere: () => isOnPath('curl'),
    debian: ['curl'],
    fedora: ['curl'],
    homebrew: ['curl'],
  },
  {
    name: 'OpenSSL, Python and PHP',
    tries: 'what docs/webhooks.md gives to receivers',
    isHere: () => ['openssl', 'python3', 'php'].every(isOnPath),
    debian: ['openssl', 'python3', 'php-cli'],
    fedora: ['openssl', 'python3', 'php-cli'],
    homebrew: ['openssl', 'python', 'php'],
  },
];

/** What is not here. Some milliseconds. */
export function missingTools(): readonly Tool[] {
  return TOOLS.filter(({ isHere }) => !isHere());
}
