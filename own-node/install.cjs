/**
 * Run behind `npm ci`: where the machine's Node is too old to run Geoopslag, fetches one that can into this
 * folder, by its own lock file, and puts it first on the path of every `npm run`.
 */
'use strict';

const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } = require('node:fs');
const { join, relative, sep } = require('node:path');
const { oldest, serves } = require('./version.cjs');

const HERE = __dirname;
const PACKAGE = join(HERE, 'node_modules', `node-${process.platform}-${process.arch}`);
const BIN = join(HERE, '..', 'node_modules', '.bin');
/** Headers and manuals: a third of the package, and of no use to who runs programs. */
const UNUSED = ['include', 'share', 'CHANGELOG.md'];

function fetchNode() {
  const npm = process.env.npm_execpath;
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // In this folder, whatever the run around it was told of its own.
  const options = { cwd: HERE, stdio: ['ignore', 'ignore', 'inherit'] };
  if (npm === undefined) execFileSync('npm', words, options);
  else execFileSync(process.execPath, [npm, ...words], options);
  for (const name of UNUSED) rmSync(join(PACKAGE, name), { recursive: true, force: true });
}

function main() {
  const { node: version } = process.versions;
  if (serves(version)) {
    // It may be the one fetched before that runs this.
    const isOwn = realpathSync(process.execPath).startsWith(realpathSync(HERE) + sep);
    if (!isOwn) rmSync(join(HERE, 'node_modules'), { recursive: true, force: true });
    return;
  }
  console.log(`Node ${version} is older than ${oldest}: fetching one for this folder.`);
  fetchNode();
  const program = join(PACKAGE, 'bin', 'node');
  if (!existsSync(program)) {
    throw new Error(`npm has no Node for ${process.platform} on ${process.arch}: install Node 24.`);
  }
  mkdirSync(BIN, { recursive: true });
  rmSync(join(BIN, 'node'), { force: true });
  symlinkSync(relative(BIN, program), join(BIN, 'node'));
}

try {
  main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
