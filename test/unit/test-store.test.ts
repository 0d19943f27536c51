import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readServers, refusal } from '../support/postgres-binaries.ts';
import type { Server } from '../support/postgres-binaries.ts';
import { chooseTestStore } from '../support/test-store.ts';
import type { StoreWishes, Trials } from '../support/test-store.ts';
import { ownFolder } from '../support/opened.ts';

const root = ownFolder('servers');

interface Installed {
  /** What `postgres --version` prints behind the name. */
  readonly version: string;
  /** default_version of PostGIS' control file; null: there is none. */
  readonly postgis: string | null;
  /** Whether pg_config is there: Fedora has it in a package of its own. */
  readonly config?: boolean;
}

/** A server's programs and extensions, as packages lay them out under a root of their own. */
function install(prefix: string, { version, postgis, config = true }: Installed): string {
  const bin = join(prefix, 'bin');
  const share = join(prefix, 'share');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(share, 'extension'), { recursive: true });
  writeScript(join(bin, 'initdb'), 'exit 1');
  writeScript(join(bin, 'postgres'), `echo 'postgres (PostgreSQL) ${version}'`);
  if (config) writeScript(join(bin, 'pg_config'), `echo '${share}'`);
  if (postgis !== null) {
    writeFileSync(
      join(share, 'extension/postgis.control'),
      `comment = 'PostGIS'\ndefault_version = '${postgis}'\nrelocatable = false\n`,
    );
  }
  return bin;
}

function writeScript(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

describe('servers of a machine', () => {
  test('are read with their own PostGIS, the newest of a root first, each once', () => {
    const folder = join(root, 'debian');
    const old = install(join(folder, '9'), { version: '9.6.24', postgis: '3.3.2' });
    const with15 = install(join(folder, '15'), { version: '15.18 (Debian)', postgis: '3.3.2' });
    const bare17 = install(join(folder, '17'), { version: '17.6', postgis: null });
    const links = join(root, 'links');
    mkdirSync(links);
    for (const name of ['initdb', 'postgres']) symlinkSync(join(with15, name), join(links, name));
    const path = [links, join(root, 'nothing'), ''].join(':');
    expect(readServers({ roots: [{ folder, programs: /^(\d+)$/ }], path })).toEqual([
      { bin: bare17, version: '17.6', postgis: null },
      { bin: with15, version: '15.18', postgis: '3.3.2' },
      { bin: old, version: '9.6.24', postgis: '3.3.2' },
    ]);
  });

  test('one without pg_config is read where packages put its extensions', () => {
    const bin = install(join(root, 'fedora'), { version: '16.3', postgis: '3.4.2', config: false });
    const [server] = readServers({ roots: [], path: bin });
    expect(server).toEqual({ bin, version: '16.3', postgis: '3.4.2' });
  });

  test.each<[Partial<Server>, string | null]>([
    [{}, null],
    [{ version: '18beta1' }, null],
    [{ version: null }, 'does not tell its version'],
    [{ version: '14.19' }, 'is older than 15'],
    [{ postgis: null }, 'has no PostGIS'],
    [{ postgis: '3.2.9' }, 'has PostGIS 3.2.9, which is older than 3.3'],
    [{ postgis: '2.5.5' }, 'has PostGIS 2.5.5, which is older than 3.3'],
    [{ postgis: '4.0.0' }, null],
    [{ postgis: '3.10.1' }, null],
  ])('%j serves, or says why not', (facts, why) => {
    expect(refusal({ bin: '/bin', version: '15.18', postgis: '3.3.2', ...facts })).toBe(why);
  });
});

const BARE: Server = { bin: '/usr/lib/postgresql/17/bin', version: '17.6', postgis: null };
const GOOD: Server = { bin: '/usr/lib/postgresql/15/bin', version: '15.18', postgis: '3.3.2' };

/** Where every server starts, and an address says that it has no PostGIS. */
const trials: Trials = {
  start: () => Promise.resolve(null),
  ask: () => Promise.resolve('it has no PostGIS.'),
};

test.each<[Partial<StoreWishes>, readonly Server[], RegExp]>([
  [{ databaseUrl: 'postgres://db.example/test' }, [GOOD], /^TEST_DATABASE_URL: it has no PostGIS/],
  [{ isStrict: true }, [BARE], /^REQUIRE_ALL=1: PostgreSQL 17\.6 .* no PostGIS/],
  [{ kind: 'postgres' }, [], /^TEST_STORE=postgres: no PostgreSQL is here/],
  [{ kind: 'postgre' }, [], /not postgre\./],
])('a store asked for by %j is an error where it cannot be had', async (wishes, servers, why) => {
  const chosen = chooseTestStore({ isStrict: false, ...wishes }, servers, trials);
  await expect(chosen).rejects.toThrow(why);
});
