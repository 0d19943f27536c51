/** Finds PostgreSQL's server programs where Debian, Homebrew or the PATH have them. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The directory of initdb and postgres, the newest version first; null: none on this machine. */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, 'bin'))
    : [];
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '');
  const found = [...versions, ...path].find(
    (dir) => existsSync(join(dir, 'initdb')) && existsSync(join(dir, 'postgres')),
  );
  return found ?? null;
}
