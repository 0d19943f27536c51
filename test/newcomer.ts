/**
 * `npm run test:newcomer [-- --whole]`: `npm test` on what a fresh machine has less than this one: with no
 * PostgreSQL, with a PostgreSQL that has no PostGIS, and with an address that nobody answers. A mount
 * namespace hides what is here; where the machine allows none, the same code is given other folders.
 * The gate runs a share of the tests; with `--whole`, at night, the first run is all of the command.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { POSTGRES_PATH_ENV, readServers } from './support/postgres-binaries.ts';

/** What a machine lacks: folders bound over others, or the settings that say the same. */
interface Machine {
  readonly binds: readonly (readonly [from: string, over: string])[];
  readonly settings: Readonly<Record<string, string>>;
}

interface Trial {
  readonly name: string;
  readonly machine: Machine;
  readonly args: readonly string[];
  readonly isGood: boolean;
  /** What its output has to have, each somewhere. */
  readonly says: readonly RegExp[];
}

const DEBIAN_SERVERS = '/usr/lib/postgresql';
const dir = mkdtempSync(join(tmpdir(), 'geoopslag-newcomer-'));
// A namespace of a user's own maps to root inside; root needs none.
const namespace = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
const canHide =
  spawnSync('unshare', [...namespace, 'true']).status === 0 && existsSync(DEBIAN_SERVERS);

const { values } = parseArgs({ options: { whole: { type: 'boolean', default: false } } });

const TRIALS: readonly Trial[] = [
  {
    name: 'no PostgreSQL',
    machine: withoutPostgres(),
    args: values.whole ? [] : ['store', '--shard=13/20'],
    isGood: true,
    says: [
      /^Store: the embedded one; no PostgreSQL is here\. Not run: .*npm run test:setup/m,
      /^NOT RUN: the tests on PostgreSQL .*npm run test:setup/m,
      /^NOT RUN: the embedded store beyond its core\. By night: npm run test:nightly/m,
    ],
  },
  {
    name: 'PostgreSQL without PostGIS',
    machine: withoutPostgis(),
    args: ['test/store-contract/sessions'],
    isGood: true,
    says: [/^Store: the embedded one; PostgreSQL .* has no PostGIS.*npm run test:setup/m],
  },
  {
    name: 'an address that nobody answers',
    machine: { binds: [], settings: { TEST_DATABASE_URL: 'postgres://127.0.0.1:1/postgres' } },
    args: ['test/store-contract/sessions'],
    isGood: false,
    says: [/^TEST_DATABASE_URL: no connection to its database postgres: /m],
  },
];

function withoutPostgres(): Machine {
  const empty = join(dir, 'empty');
  mkdirSync(empty);
  return canHide
    ? { binds: [[empty, DEBIAN_SERVERS]], settings: {} }
    : { binds: [], settings: { [POSTGRES_PATH_ENV]: empty } };
}

/** The extensions of the servers that are here, without PostGIS. */
function withoutPostgis(): Machine {
  const servers = readServers();
  if (!canHide) return { binds: [], settings: { [POSTGRES_PATH_ENV]: bareServer() } };
  const shares = servers.map(({ bin }) =>
    execFileSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim(),
  );
  const binds = shares.map((share, n): readonly [string, string] => {
    const over = join(share, 'extension');
    const copy = join(dir, `extension-${n}`);
    mkdirSync(copy);
    for (const name of readdirSync(over)) {
      if (!name.startsWith('postgis'))
        cpSync(join(over, name), join(copy, name), { recursive: true });
    }
    return [copy, over];
  });
  return { binds, settings: {} };
}

/** A folder of programs that tell of a server, with an empty folder of extensions. */
function bareServer(): string {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  const say = { initdb: '', postgres: 'postgres (PostgreSQL) 15.0', pg_config: dir };
  for (const [name, line] of Object.entries(say)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho '${line}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** Whether the command ended and said as it should; prints its output where it did not. */
function tryOut({ name, machine: { binds, settings }, args, isGood, says }: Trial): boolean {
  const begun = performance.now();
  const command = ['npm', 'test', ...(args.length === 0 ? [] : ['--', ...args])];
  const mounts = binds.map((_, n) => `mount --bind "$${2 * n + 1}" "$${2 * n + 2}"`);
  const script = [...mounts, `shift ${2 * binds.length}`, 'exec "$@"'].join(' && ');
  const words =
    binds.length === 0
      ? command
      : ['unshare', ...namespace, 'sh', '-c', script, 'sh', ...binds.flat(), ...command];
  const [program = '', ...rest] = words;
  // What this machine was told of its own store is none of a newcomer's.
  const { REQUIRE_ALL: _, TEST_STORE: _kind, TEST_DATABASE_URL: _url, ...own } = process.env;
  const { status, stdout, stderr } = spawnSync(program, rest, {
    env: { ...own, ...settings, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  const output = `${stdout}${stderr}`;
  const unsaid = says.filter((line) => !line.test(output));
  const asExpected = (status === 0) === isGood && unsaid.length === 0;
  if (!asExpected) console.log(output, `exit code ${status}; not said: ${unsaid.join(' ')}`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const counts = /^\d+ passed, .*$/m.exec(output)?.[0] ?? 'no test was run';
  console.log(`${name}: ${asExpected ? 'ok' : 'FAILED'} (${counts}; ${seconds} s)`);
  return asExpected;
}

const isGood = TRIALS.map(tryOut).every(Boolean);
rmSync(dir, { recursive: true, force: true });
process.exitCode = isGood ? 0 : 1;
