/** Limits stand with the room that reads them, nobody's limit is kept, and what documents name is there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { DB_LIMITS } from '../../src/db/limits.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { METERING_LIMITS } from '../../src/metering/limits.ts';
import { OPS_LIMITS } from '../../src/ops/limits.ts';
import { WEBHOOK_LIMITS } from '../../src/webhooks/limits.ts';

const ROOT = join(import.meta.dirname, '../..');

/** All limits, by the names that code and documents give them. */
const ALL: Readonly<Record<string, object>> = {
  LIMITS,
  ACCOUNT_LIMITS,
  DB_LIMITS,
  HTTP_LIMITS,
  JOB_LIMITS,
  METERING_LIMITS,
  OPS_LIMITS,
  WEBHOOK_LIMITS,
};

/** `HTTP_LIMITS.owedAnswers` -> the rooms whose code reads it. */
const READERS = new Map<string, Set<string>>();
for (const path of globSync('{src,sync,workers,sample}/**/*.ts', { cwd: ROOT })) {
  // The routes of a register go with its folder.
  const [room = ''] = /^src\/http\/v1\/[^/]+|^src\/[^/]+|^[^/]+/.exec(path) ?? [];
  const text = readFileSync(join(ROOT, path), 'utf8');
  const note = (name: string): unknown =>
    READERS.set(name, (READERS.get(name) ?? new Set()).add(room));
  for (const [name] of text.matchAll(/\b(?:[A-Z]+_)?LIMITS\.\w+/g)) note(name);
  for (const [, names = '', of = ''] of text.matchAll(/\{([^{}]*)\} = ((?:[A-Z]+_)?LIMITS)\b/g))
    for (const [, name = ''] of names.matchAll(/(?:^|,)\s*(\w+)/g)) note(`${of}.${name}`);
}

test('every file of limits is gathered', () => {
  const exported = globSync('src/*/limits.ts', { cwd: ROOT }).map(
    (path) => /export const (\w+)/.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1],
  );
  expect(exported.sort()).toEqual(Object.keys(ALL).sort());
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
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/`((?:[A-Z]+_)?LIMITS(?:\.\w+)+)`/g)].map(
      ([, name = '']) => name,
    ),
  );
  const [, connections = ''] = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').split(
    '\n## Connections\n',
  );
  const [section = ''] = connections.split('\n## ');
  for (const [, name = ''] of section.matchAll(/\(`([a-z][A-Za-z.]+)`/g)) {
    // The code of a refusal.
    if (name !== 'overloaded') named.push(`HTTP_LIMITS.${name}`);
  }
  expect(named.length).toBeGreaterThanOrEqual(6);
  expect(named.filter((name) => valueAt(name) === undefined)).toEqual([]);
});
