/** Limits stand with the room that reads them, nobody's limit is kept, and what documents name is there. */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { ROOT, readText } from '../support/repository.ts';

const ALL: Record<string, object> = {};
const FILES = globSync('src/{*,registers/*}/limits.ts', { cwd: ROOT });
for (const path of FILES) {
  const exported = (await import(join(ROOT, path))) as Readonly<Record<string, object>>;
  for (const [name, limits] of Object.entries(exported)) ALL[name] = limits;
}

/** `HTTP_LIMITS.owedAnswers` -> the rooms whose code reads it. */
const READERS = new Map<string, Set<string>>();
for (const path of globSync('{src,sync,workers,sample}/**/*.ts', { cwd: ROOT })) {
  // The routes of a register go with its folder.
  const [room = ''] = /^src\/(?:http\/v1|registers)\/[^/]+|^src\/[^/]+|^[^/]+/.exec(path) ?? [];
  const text = readText(path);
  const note = (name: string): unknown =>
    READERS.set(name, (READERS.get(name) ?? new Set()).add(room));
  for (const [name] of text.matchAll(/\b(?:[A-Z]+_)*LIMITS\.\w+/g)) note(name);
  for (const [, names = '', of = ''] of text.matchAll(/\{([^{}]*)\} = ((?:[A-Z]+_)*LIMITS)\b/g))
    for (const [, name = ''] of names.matchAll(/(?:^|,)\s*(\w+)/g)) note(`${of}.${name}`);
  // This room hands its limits on as `limits`, which a test may set.
  if (room !== 'src/snapshot-store') continue;
  const words = [...text.matchAll(/\blimits\.\w+|\{[^{}]*\} = [\w.#]*limits\b/g)].join(' ');
  for (const [name] of words.matchAll(/\w+/g)) note(`SNAPSHOT_STORE_LIMITS.${name}`);
}

test('are gathered, each file under a name of its own', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(8);
  expect(Object.keys(ALL)).toHaveLength(FILES.length);
  expect(Object.keys(ALL).filter((name) => !/^(?:[A-Z]+_)*LIMITS$/.test(name))).toEqual([]);
});

/** What the database holds by itself. */
READERS.set('WEBHOOK_LIMITS.backlog', new Set(['sql']));

test.each(Object.keys(ALL))('%s has none that nobody reads', (name) => {
  const unread = Object.keys(ALL[name]!).filter((limit) => !READERS.has(`${name}.${limit}`));
  expect(unread).toEqual([]);
});

test('the kernel keeps none that one room with limits of its own reads alone', () => {
  const alone = Object.keys(LIMITS).filter((limit) => {
    const [room, ...others] = READERS.get(`LIMITS.${limit}`) ?? [];
    if (room === undefined || room === 'src/kernel' || others.length > 0) return false;
    return existsSync(join(ROOT, room, 'limits.ts'));
  });
  expect(alone).toEqual([]);
});

test('documents name limits that are there', () => {
  const valueAt = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], ALL);
  const named = globSync(['docs/**/*.md', 'src/**/*.md', '*.md'], { cwd: ROOT }).flatMap((path) =>
    [...readText(path).matchAll(/`((?:[A-Z]+_)*LIMITS(?:\.\w+)+)`/g)].map(([, name = '']) => name),
  );
  const connections = readText('docs/operations-connections.md');
  for (const [, name = ''] of connections.matchAll(/\(`([a-z][A-Za-z.]+)`/g)) {
    // The code of a refusal.
    if (name !== 'overloaded') named.push(`HTTP_LIMITS.${name}`);
  }
  expect(named.length).toBeGreaterThanOrEqual(6);
  expect(named.filter((name) => valueAt(name) === undefined)).toEqual([]);
});
