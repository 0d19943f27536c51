/** What linters cannot see: the house held against its own words. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FEATURE_IDS } from '../../src/layers/mirror-ids.ts';
import { allLayers } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { ROOT, readText } from '../support/repository.ts';

const require = createRequire(import.meta.url);

function files(folder: string, ending = '.ts'): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}
const PRODUCT = ['src', 'sync', 'workers', 'sample'].flatMap((folder) => files(folder));

describe('the tree', () => {
  test('has every layer of the catalogue under its own id, in the order of the document', () => {
    expect(allLayers(REGISTERS_CATALOGUE).map((layer) => layer.id)).toEqual(FEATURE_IDS);
  });

  test('cites only decisions that exist', () => {
    const decided = new Set(
      [...readText('test/contract/decisions.md').matchAll(/\bD\d+a?\b/g)].map(([number]) => number),
    );
    const wrong = PRODUCT.flatMap((path) =>
      [...readText(path).matchAll(/\bD\d{1,2}a?\b(?!['"\w])/g)]
        .map(([number]) => number)
        .filter((number) => !decided.has(number))
        .map((number) => `${path}: ${number}`),
    );
    expect(wrong).toEqual([]);
  });

  test('has the floors of the code map, and a row for each room', () => {
    const { forbidden } = require(join(ROOT, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string; comment?: string }[];
    };
    const rooms = forbidden.flatMap(({ comment = '' }) =>
      / imports the floors/.test(comment) ? comment.split(' ')[0]! : [],
    );
    const mapped = [...readText('docs/code-map.md').matchAll(/^\|\s+\d+ \| `([^`]+)`/gm)].map(
      (row) => row[1],
    );
    expect(mapped).toEqual(rooms);
  });

  test('names no path of a machine and no registry host', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
      .split('\n')
      .filter(
        (path) => path !== '' && path !== 'package-lock.json' && existsSync(join(ROOT, path)),
      );
    const forbidden = new RegExp(
      ['/wo' + 'rk/', 'registry\\.' + 'npmjs', 'deb\\.' + 'debian'].join('|'),
    );
    const wrong = tracked.filter((path) => forbidden.test(readText(path)));
    expect(wrong).toEqual([]);
  });
});

test('importing a module starts nothing: every product module but entry points and what browsers run leaves no open handle', () => {
  const entry =
    /start\/(main|work|dispatch)\.ts$|cli\.ts$|generate\.ts$|embedded-process\.ts$|^workers\/(?!pool|protocol|thread-task)|\.thread\.ts$|registers\/lines\/(engines|page-writer)\.ts$|registers\/property\/batch-writer\.ts$|(^|\/)src\/web\//;
  const modules = PRODUCT.filter((path) => !entry.test(path));
  const script = `
    const before = process.getActiveResourcesInfo().length;
    for (const path of ${JSON.stringify(modules.map((path) => `./${relative('.', path)}`))}) {
      await import(path);
    }
    await new Promise((done) => setImmediate(done));
    const kinds = process.getActiveResourcesInfo().slice(before);
    const open = kinds.filter((kind) => !['Immediate', 'FSReqPromise', 'PipeWrap', 'TTYWrap'].includes(kind));
    console.log(JSON.stringify(open));
    process.exit(0);
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(JSON.parse(output)).toEqual([]);
});
