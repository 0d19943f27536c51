/**
 * `npm run figures [-- <folder of a checkout>]`: how large the house is and how far a register reaches in
 * it, a line a figure. Two checkouts side by side show what a change of layout did.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registerImports } from './register-imports.ts';
import { filesOf, readSource, wordsIn } from './tree.ts';
import type { Fn, Source } from './tree.ts';

/** A function fits a screen. */
export const SCREEN = 60;
/** Held to the copied contract, or written by a program or for a version that was. */
const NO_GUIDE = /^(test\/|bench\/|CHANGELOG\.md$)/;

/** The invented island: its server, and what a register of it holds. */
const SAMPLE = /^sample\/|^src\/registers\/[^/]+\/sample(\/|\.ts$)/;

export interface NamedFn extends Fn {
  readonly path: string;
}

export function functionsOf(sources: readonly Source[]): NamedFn[] {
  return sources
    .flatMap(({ path, functions }) => functions.map((fn) => ({ ...fn, path })))
    .sort((a, b) => b.lines - a.lines);
}

export function sourcesIn(root: string, paths: readonly string[], where: RegExp): Source[] {
  return paths.filter((path) => where.test(path)).map((path) => readSource(root, path));
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The value that a share of all are not above. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
}

function figures(root: string): readonly (readonly [string, string | number])[] {
  const paths = filesOf(root);
  const all = sourcesIn(root, paths, /^(src|sync|workers|sample)\/.*\.ts$/);
  const sample = all.filter(({ path }) => SAMPLE.test(path));
  const product = all.filter(({ path }) => !SAMPLE.test(path));
  const tests = sourcesIn(root, paths, /^test\/.*\.ts$/);
  const handed = product.filter(({ path }) => path === 'src/http/services.ts');
  const guides = paths.filter((path) => path.endsWith('.md') && !NO_GUIDE.test(path));
  const imports = registerImports(all);
  const functions = functionsOf(all);
  const lengths = functionsOf(product).map(({ lines }) => lines);
  const files = product.map(({ lines }) => lines);
  const long = functions.filter(({ lines }) => lines > SCREEN);
  const longest = functions[0];
  return [
    ['imports from general rooms that name one register', imports.length],
    ...imports.map(({ from, to }) => ['', `${from} -> ${to}`] as const),
    ['optional members of what is handed to routes', sumOf(handed.map((s) => s.optionalMembers))],
    ['product lines (src, sync, workers)', sumOf(files)],
    ['product files', files.length],
    ['sample lines', sumOf(sample.map(({ lines }) => lines))],
    ['test lines', sumOf(tests.map(({ lines }) => lines))],
    ['words in doc comments of the product', sumOf(product.map(({ docWords }) => docWords))],
    [
      'words in README, guides, rooms, ADRs',
      sumOf(guides.map((path) => wordsIn(readFileSync(join(root, path), 'utf8')))),
    ],
    ['functions of the product', lengths.length],
    [
      'longest function, product and sample',
      longest === undefined ? 0 : `${longest.lines} (${longest.path})`,
    ],
    [`functions over ${SCREEN} lines`, long.length],
    ['function lines p50/p90/p99', [0.5, 0.9, 0.99].map((at) => quantile(lengths, at)).join('/')],
    ['file lines p90', quantile(files, 0.9)],
  ];
}

if (import.meta.main) {
  const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'));
  for (const [what, value] of figures(root)) console.log(`${what.padEnd(52)} ${value}`);
}
