/**
 * The guides say how many files an addition touches, and which. Their own steps are performed on a copy of the
 * tree: by day the files are counted, by night the copy's types, generated files and tests are checked too.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ADDED_CONDITION, GUIDES } from '../support/guides/steps.ts';
import type { Edit, Step } from '../support/guides/steps.ts';
import { isHeavy } from '../support/run-settings.ts';
import { ownFolder } from '../support/opened.ts';
import { ROOT, readText } from '../support/repository.ts';

const copy = ownFolder('guides');

beforeAll(() => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
  for (const path of listed.toString().trim().split('\n')) {
    // Deleted and not yet committed.
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path));
  }
  for (const folder of ['node_modules', 'own-node/node_modules']) {
    symlinkSync(join(ROOT, folder), join(copy, folder));
  }
  git('init', '--quiet');
  commit();
});

describe.each(GUIDES)('$page: $heading', (guide) => {
  const [, after = ''] = readText(guide.page).split(`\n## ${guide.heading}\n`);
  const [section = ''] = after.split(/\n## /);

  test('performed on a copy touches the files that it names, and as many as it says', () => {
    for (const step of guide.steps) perform(step);
    const touched = git('status', '--porcelain', '--untracked-files=all')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [line.slice(3)]));
    commit();
    const byHand = guide.steps.filter(({ by }) => by === 'hand');
    const expected = byHand.flatMap(({ path, files, edits }) =>
      edits.length > 0 ? [path] : Object.keys(files),
    );
    const prepared = guide.steps.filter(({ by, edits }) => by === 'command' && edits.length > 0);
    const all = [...expected, ...prepared.map(({ path }) => path)];
    expect(touched.toSorted()).toEqual(all.toSorted());
    const named = [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, path]) => path);
    expect(named).toEqual(guide.steps.map(({ path }) => path));
    const counted = /\*\*By hand: (\d+)\. By a command: (\d+)\.\*\*/.exec(section);
    const counts = [byHand.length, guide.steps.length - byHand.length];
    expect(counted?.slice(1).map(Number)).toEqual(counts);
  });
});

test('a condition of one value is mirrored, drawn in the sample, asked for and on maps', () => {
  const asked = `
    import { FEATURE_IDS, MIRROR_IDS } from './src/layers/mirror-ids.ts';
    import { generateSample } from './sample/data/dataset.ts';
    import { CONDITION_KEYS } from './src/registers/conditions/questions.ts';
    import { tileRoute } from './src/http/v1/kort/schema.ts';
    const id = ${JSON.stringify(ADDED_CONDITION)};
    console.log(JSON.stringify([
      MIRROR_IDS.includes(id), FEATURE_IDS.includes(id), generateSample()[id].length > 6,
      CONDITION_KEYS.includes(id.slice('forhold_'.length)),
      JSON.stringify(tileRoute.params).includes(id),
    ]));`;
  const how = ['--input-type=module', '--eval', asked];
  const said = execFileSync(process.execPath, how, { cwd: copy, encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual([true, true, true, true, true]);
});

describe.runIf(isHeavy)('the copy with all of it', () => {
  test('has its generated files written by their command, and no others change', () => {
    run('src/db/generate.ts');
    run('deploy/settings.ts');
    const written = git('status', '--porcelain')
      .split('\n')
      .map((line) => line.slice(3));
    expect(written.filter((path) => path !== '')).toEqual([
      ...['docker-compose.yml', 'docs/backup.md', 'docs/jobs.md', 'docs/settings.md'],
      ...['sql/schema.sql'],
      ...['src/core/rows/job-kinds.generated.json', 'src/web/konto/operations.json'],
    ]);
  });

  test('type-checks, its pages too', () => {
    run('node_modules/.bin/tsc', '--noEmit', '-p', '.');
    // Pages take types from what the server writes; its code is not checked as a browser's.
    run('node_modules/.bin/oxlint', 'src/web');
  });

  test('passes its own tests of documents, layers, registers, codes and settings', () => {
    const names =
      'guides failures settings too-old tree schedule web/plain-words backup-tables live-sources';
    const files = names.split(' ').map((name) => `test/unit/${name}.test.ts`);
    const lane = ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '1'];
    run(...lane, 'test/unit/sample-island.test.ts', '-u');
    run(...lane, ...files);
    // From the sync to answers and tiles, over every condition.
    run(...lane, 'test/store-contract/conditions.test.ts');
    // Recorded examples want a mirrored store: test/http/examples.test.ts compares them.
    run(...lane, 'test/contract/openapi.test.ts', '-t', '^(?!.*shows an answer)');
  });
});

function perform({ path, edits, files }: Step): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  }
  if (edits.length === 0) return;
  const before = readFileSync(join(copy, path), 'utf8');
  writeFileSync(
    join(copy, path),
    edits.reduce((text, edit) => edited(text, edit, path), before),
  );
}

function edited(text: string, { after, put }: Edit, path: string): string {
  if (after === '') return text + put;
  const pieces = text.split(after);
  expect(pieces.length, `${path} has once: ${after}`).toBe(2);
  return pieces.join(after + put);
}

function commit(): void {
  git('add', '--all');
  const author = ['-c', 'user.name=guide', '-c', 'user.email=guide@example.dk'];
  git(...author, 'commit', '--quiet', '-m', 'copy');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: copy, encoding: 'utf8' });
}

function run(...args: readonly string[]): void {
  const env = { ...process.env, TEST_HEAVY: '0' };
  execFileSync(process.execPath, [...args], { cwd: copy, env, stdio: 'pipe' });
}
