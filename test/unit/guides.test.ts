/** What the guides promise: every layer has all of its parts, and what a document names is there. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allLayers } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { DISTRICTS, LINE_KEYS } from '../../src/layers/keys.ts';
import { mappingOf } from '../../src/layers/mappings/index.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import { valueText } from '../../sample/data/feature.ts';
import { MATRIX } from '../faults/matrix.ts';
import { allowed, familyOf } from '../faults/matrix-terms.ts';
import { ROOT, readText } from '../support/repository.ts';

describe('docs/adding-a-layer.md: every layer of the catalogue has', () => {
  const layers = allLayers(REGISTERS_CATALOGUE);
  const data = generateSample();

  test.each(layers)('$id: a mapping that takes its sample data', ({ id, mapping, source }) => {
    const { keyProperty } = source;
    const map = mappingOf(mapping, { keyProperty, dagiScale: null });
    const kinds = (data[id] ?? []).map(({ properties }) => {
      const texts = Object.entries(properties).map(([name, value]) => [name, valueText(value)]);
      return map(Object.fromEntries(texts) as Record<string, string | null>).kind;
    });
    expect(kinds).toContain('feature');
    expect(kinds).not.toContain('issue');
  });

  test('sample data of at least the rows that a run of the sample asks for', () => {
    const few = allLayers(sampleCatalogue('http://localhost')).filter(
      ({ id, guards }) => guards.minRows < 1 || (data[id] ?? []).length < guards.minRows,
    );
    expect(few.map(({ id }) => id)).toEqual([]);
  });

  test.each(['line_feature', 'line_zone', 'line_zone_edge'])('a partition of %s', (table) => {
    const schema = readText('sql/schema.sql');
    const [, names = ''] = new RegExp(`^-- Partitions: (${table}_\\w+(?:, \\w+)*)$`, 'm').exec(
      schema,
    )!;
    expect(names.split(', ')).toEqual(LINE_KEYS.map((key) => `${table}_${key}`).sort());
  });

  test('a place among the areas of the store, but for districts', () => {
    const districts = DISTRICTS.map((id) => `'${id}'`).join(', ');
    expect(readText('sql/schema.sql')).toContain(`where s.theme not in (${districts}) and case`);
  });

  test('a row among the faults that promises something', () => {
    for (const { id } of layers) {
      const rows = MATRIX.filter(({ sync }) => allowed(sync, familyOf(id)) !== null);
      expect(rows.length, id).toBeGreaterThan(0);
    }
  });
});

/** Those written by hand of what stands now: not the copied contract, nor what earlier versions were. */
const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)))
  .filter((path) => !/^(test\/contract\/|CHANGELOG\.md$)/.test(path));

/** As GitHub names the anchor of a heading. */
function anchorOf(heading: string): string {
  const text = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  return text.replaceAll(' ', '-');
}

function anchorsOf(path: string): string[] {
  return [...readText(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** A link as a path from the root, and the heading it goes to; null: out of the project. */
function targetOf(document: string, link: string) {
  // A page of the service.
  if (/^(?:[a-z]+:|\/)/.test(link)) return null;
  const [path = '', anchor = null] = link.split('#');
  return { path: path === '' ? document : join(dirname(document), path), anchor };
}

/** A path as prose names it: perhaps only the number of a migration, or a module without its ending. */
function isThere(path: string): boolean {
  if (existsSync(join(ROOT, path)) || existsSync(join(ROOT, `${path}.ts`))) return true;
  const folder = join(ROOT, dirname(path));
  if (!/\/\d{4}$/.test(path) || !existsSync(folder)) return false;
  return readdirSync(folder).some((name) => name.startsWith(`${basename(path)}_`));
}

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readText(document);

  test('links to what is there', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const target = targetOf(document, link);
      if (target === null) return false;
      if (!existsSync(join(ROOT, target.path))) return true;
      return target.anchor !== null && !anchorsOf(target.path).includes(target.anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names paths that are there', () => {
    // Not behind a dot or a slash (another project's path), nor before a wildcard.
    const PATH =
      /(?<![\w./-])(?:src|sync|workers|sample|test|bench|sql|docs)\/[\w./-]*\w(?![\w<{*…])/g;
    const named = [...text.matchAll(PATH)].map(([path]) => path);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  test('of a room names files that are in the room', () => {
    const room = dirname(document);
    if (basename(document) !== 'README.md' || room === '.' || room.startsWith('docs')) return;
    const files = readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' });
    const here = new Set(files.map((path) => basename(path)));
    const named = [...text.matchAll(/`([\w-]+\.ts)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !here.has(name))).toEqual([]);
    const links = [...text.matchAll(/`([\w./-]+\/[\w-]+\.(?:ts|json))`/g)];
    const paths = links.map(([, path = '']) => path);
    const isKnown = (path: string): boolean =>
      existsSync(join(ROOT, room, path)) || existsSync(join(ROOT, path));
    expect(paths.filter((path) => !isKnown(path))).toEqual([]);
  });
});
