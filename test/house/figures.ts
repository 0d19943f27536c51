/**
 * `npm run figures`: how large the house is, each figure held to its ceiling in ceilings.json (exit code 1 above
 * one). `-- --lower` lowers the ceilings to the figures. A ceiling rises by hand, with the reason in the commit.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerImports, roomsInCircles } from './circles.ts';
import { filesOf, readSource, wordsIn } from './tree.ts';
import type { Source } from './tree.ts';

/** Copies of the contract, and what was said of versions. */
const NO_DOCUMENT = /^(test\/contract\/|CHANGELOG\.md$)/;

/** The invented island: its server, and what a register of it holds. */
const SAMPLE = /^sample\//;
/** What a register may not name. */
const EDGE = /^(src\/(http|jobs|memory)|workers|sample)\//;
const CEILINGS = join(import.meta.dirname, 'ceilings.json');
const COUNTER = `import { registerHooks } from 'node:module';
let count = 0;
registerHooks({ load: (url, context, next) => ((count += 1), next(url, context)) });
process.on('exit', () => process._rawDebug('modules', count));`;

function sourcesIn(root: string, paths: readonly string[], where: RegExp): Source[] {
  return paths.filter((path) => where.test(path)).map((path) => readSource(root, path));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The value that a share of all are not above. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
}

function modulesOf(
  root: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const counter = `data:text/javascript,${encodeURIComponent(COUNTER)}`;
  const { stderr } = spawnSync(process.execPath, ['--import', counter, ...words], {
    ...{ cwd: root, encoding: 'utf8', timeout: 60_000 },
    env: { ...process.env, ...env },
  });
  return Number(/modules (\d+)/.exec(stderr)?.[1] ?? Number.NaN);
}

function figures(root: string): Readonly<Record<string, number>> {
  const paths = filesOf(root);
  const all = sourcesIn(root, paths, /^(src|sync|workers|sample)\/.*\.ts$/);
  const sample = all.filter(({ path }) => SAMPLE.test(path));
  const product = all.filter(({ path }) => !SAMPLE.test(path));
  const registers = product.filter(({ path }) => path.startsWith('src/registers/'));
  const tests = sourcesIn(root, paths, /^test\/.*\.ts$/);
  const documents = paths.filter((path) => path.endsWith('.md') && !NO_DOCUMENT.test(path));
  const functions = all.flatMap(({ functions: each }) => each);
  const comments = sumOf(product.map(({ commentWords }) => commentWords));
  const dialect = sumOf(product.map(({ dialectWords }) => dialectWords));
  const closed = 'postgres://nobody:none@127.0.0.1:1/none';
  return {
    'rooms in a circle, by value': roomsInCircles(all, ({ values }) => values).length,
    'rooms in a circle, with types': roomsInCircles(all, ({ imports }) => imports).length,
    'files of registers that name http, jobs, workers, memory or sample': registers.filter(
      ({ imports }) => imports.some((target) => EDGE.test(target)),
    ).length,
    'imports from general rooms that name one register': registerImports(all),
    'modules that sync --help loads': modulesOf(root, ['sync/cli.ts', '--help']),
    'modules that migrate loads': modulesOf(root, ['src/start/migrate-cli.ts'], {
      DATABASE_URL: closed,
    }),
    'product lines (src, sync, workers)': sumOf(product.map(({ lines }) => lines)),
    'product files': product.length,
    'sample lines': sumOf(sample.map(({ lines }) => lines)),
    'test lines': sumOf(tests.map(({ lines }) => lines)),
    'words in doc comments of the product': sumOf(product.map(({ docWords }) => docWords)),
    'dialect words in 1,000 of comments': Math.round((10_000 * dialect) / comments) / 10,
    'words in documents': sumOf(
      documents.map((path) => wordsIn(readFileSync(join(root, path), 'utf8'))),
    ),
    'lines of the longest function': Math.max(...functions),
    'function lines, 99th percentile': quantile(functions, 0.99),
    'file lines, 90th percentile': quantile(
      product.map(({ lines }) => lines),
      0.9,
    ),
  };
}

if (import.meta.main) {
  const now = figures(join(import.meta.dirname, '../..'));
  const ceilings = JSON.parse(readFileSync(CEILINGS, 'utf8')) as Readonly<Record<string, number>>;
  for (const [what, value] of Object.entries(now)) {
    const ceiling = ceilings[what] ?? 0;
    // Written so that a figure that could not be measured is above every ceiling.
    const isWithin = value <= ceiling;
    console.log(
      `${what.padEnd(68)} ${String(value).padStart(7)} of ${ceiling}${isWithin ? '' : '  ABOVE'}`,
    );
    if (!isWithin) process.exitCode = 1;
  }
  if (process.exitCode === 1)
    console.log(
      'What an addition needs is raised by hand in test/house/ceilings.json: CONTRIBUTING.md',
    );
  if (process.argv.includes('--lower')) {
    const lowered = Object.entries(now).map(([what, value]) => [
      what,
      Math.min(value, ceilings[what] ?? Infinity),
    ]);
    writeFileSync(CEILINGS, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
  }
}
