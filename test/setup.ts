/**
 * `npm run test:setup [-- --install]`: what the whole suite wants on this machine and does not find, as
 * the commands that bring it; `--install` runs them, on Debian and Ubuntu as root. `npm test` needs none
 * of it: it runs what can be run, and says what was not.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readServers } from './support/postgres-binaries.ts';
import { offeredBy, planSetup, systemOf } from './support/setup-plan.ts';
import type { Command, Machine } from './support/setup-plan.ts';
import { missingTools } from './support/test-tools.ts';

/** Debian starts a server of its own beside a server it installs, unless this says no. */
const NO_SERVER = {
  directory: '/etc/postgresql-common',
  path: '/etc/postgresql-common/createcluster.conf',
  text: 'create_main_cluster = false\n',
};

function readMachine(): Machine {
  const path = '/etc/os-release';
  const osRelease = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const system = systemOf(osRelease, process.platform);
  const listed = system === 'debian' || system === 'ubuntu' ? listedByApt() : [];
  const installed = readServers().map(({ version }) => Number.parseInt(version ?? '', 10));
  const offered = listed.length > 0 ? listed : offeredBy(osRelease);
  return { system, isRoot: process.getuid?.() === 0, postgres: { offered, installed } };
}

/** Versions of PostgreSQL that PostGIS is packaged for; none before the first `apt-get update`. */
function listedByApt(): readonly number[] {
  const listed = spawnSync('apt-cache', ['pkgnames', 'postgresql-'], { encoding: 'utf8' });
  // Nothing, whatever its type says, where there is no such program.
  const names = (listed.stdout as string | null) ?? '';
  return [...names.matchAll(/^postgresql-(\d+)-postgis-3$/gm)].map(([, version]) =>
    Number(version),
  );
}

function install(): number {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (!existsSync(NO_SERVER.path)) {
    mkdirSync(NO_SERVER.directory, { recursive: true });
    writeFileSync(NO_SERVER.path, NO_SERVER.text);
  }
  const run = ([program = '', ...args]: Command): number =>
    spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
  const [update] = planSetup(missingTools(), readMachine());
  const updated = update === undefined ? 0 : run(update);
  if (updated !== 0) return updated;
  // What it has is known only now.
  const [, packages] = planSetup(missingTools(), readMachine());
  return packages === undefined ? 0 : run(packages);
}

function main(wantsInstall: boolean): number {
  const missing = missingTools();
  if (missing.length === 0) {
    console.log('Everything that the whole suite wants is here.');
    return 0;
  }
  const machine = readMachine();
  if (wantsInstall) {
    if (!['debian', 'ubuntu'].includes(machine.system ?? '') || !machine.isRoot) {
      console.error(
        '--install is for root on Debian and Ubuntu: `npm run test:setup` prints what to run.',
      );
      return 1;
    }
    const status = install();
    const left = missingTools().map(({ name }) => name);
    if (left.length > 0) console.error(`Still missing: ${left.join(', ')}.`);
    return status !== 0 || left.length > 0 ? 1 : 0;
  }
  console.log('Not here:');
  for (const { name, tries } of missing) console.log(`  ${name} (${tries})`);
  const commands = planSetup(missing, machine);
  console.log(
    commands.length > 0
      ? 'What brings it:'
      : 'Packages of this system are not known here: install them as it does.',
  );
  for (const words of commands) console.log(`  ${words.join(' ')}`);
  return 0;
}

const { values } = parseArgs({ options: { install: { type: 'boolean', default: false } } });
process.exitCode = main(values.install);
