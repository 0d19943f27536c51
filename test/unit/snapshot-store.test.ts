/** Files that fronts share: whole and verified or not at all, in a folder and in a bucket. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DirectoryStore } from '../../src/snapshot-store/directory-store.ts';
import type { SnapshotStoreLimits } from '../../src/snapshot-store/limits.ts';
import type { ObjectStore } from '../../src/snapshot-store/object-store.ts';
import { S3Store } from '../../src/snapshot-store/s3-store.ts';
import { SharedFiles } from '../../src/snapshot-store/shared-files.ts';
import { startS3Server } from '../support/s3-server.ts';
import type { S3Server } from '../support/s3-server.ts';
import { testFolder } from '../support/opened.ts';

const DAY_MS = 86_400_000;
/** Others may want the processor. */
const PATIENT = { askMs: 10_000, fetchMs: 10_000, pauseMs: 300 };
const QUICK = { askMs: 500, fetchMs: 500 };

let directory: string;
let s3: S3Server;
let said: string[];
let nowMs: number;

beforeEach(async () => {
  directory = testFolder('snapshot-store');
  s3 = await startS3Server();
  said = [];
  nowMs = Date.now();
});
afterEach(() => s3.close());

const local = (name: string) => join(directory, name);
const stores: Readonly<Record<string, () => ObjectStore>> = {
  directory: () => new DirectoryStore(join(directory, 'shared')),
  s3: () => new S3Store(s3.settings),
};

function open(
  store: ObjectStore,
  limits: Partial<SnapshotStoreLimits> = {},
  snapshotKeys: readonly string[] = [],
): SharedFiles {
  const log = (message: string) => void said.push(message);
  return new SharedFiles({
    store,
    sources: 'sample',
    nowMs: () => nowMs,
    log,
    snapshotKeys,
    limits: { ...PATIENT, ...limits },
  });
}

/** Publishes a version of two files, as a front that has built it. */
async function publish(files: SharedFiles, stem: string, text = stem): Promise<void> {
  writeFileSync(local(`${stem}.idx`), `index of ${text}`);
  writeFileSync(local(`${stem}.fgb`), `features of ${text}`);
  const { published } = files.view();
  files.offer(
    stem,
    (ending) => local(`${stem}.${ending}`),
    () => Promise.resolve(['idx', 'fgb']),
  );
  await expect.poll(() => files.view().published).toBe(published + 1);
}

const fetchTo = (files: SharedFiles, stem: string, name = 'fetched') =>
  files.fetch(stem, (ending) => local(`${name}.${ending}`));

async function flip(store: ObjectStore, key: string): Promise<void> {
  const { signal } = new AbortController();
  const bytes = Buffer.from((await store.read(key, 1e6, signal)) ?? []);
  bytes[bytes.length >> 1]! ^= 1;
  await store.write(key, bytes, signal);
}

async function keysOf(store: ObjectStore, part: string): Promise<readonly string[]> {
  const listed = await store.list('', 100, new AbortController().signal);
  return listed.map(({ key }) => key).filter((key) => key.includes(part));
}

describe.each(Object.entries(stores))('in %s', (_, openStore) => {
  test('what one front built another has, byte for byte', async () => {
    const one = open(openStore());
    await publish(one, 'kommune-v1-5');
    const other = open(openStore());
    expect(await fetchTo(other, 'kommune-v2-9')).toBe(false);
    expect(await fetchTo(other, 'kommune-v1-5')).toBe(true);
    expect(readFileSync(local('fetched.idx'), 'utf8')).toBe('index of kommune-v1-5');
    expect(readFileSync(local('fetched.fgb'), 'utf8')).toBe('features of kommune-v1-5');
    expect(other.view()).toMatchObject({ isAnswering: true, fetched: 1, refused: 0, failed: 0 });
    expect(said).toEqual([]);
  });

  test.each(['versions', 'manifests'])('a flipped byte among its %s is refused', async (kind) => {
    const store = openStore();
    const one = open(store);
    await publish(one, 'kommune-v1-5');
    one.offerManifest('published.json', { generation: 3, published: {}, stems: ['kommune-v1-5'] });
    await expect.poll(() => one.manifest('published.json')).toMatchObject({ generation: 3 });
    for (const key of await keysOf(store, kind)) await flip(store, key);
    const other = open(store);
    const found =
      kind === 'versions'
        ? await fetchTo(other, 'kommune-v1-5')
        : await other.manifest('published.json');
    expect(found).toBe(kind === 'versions' ? false : null);
    expect(other.view()).toMatchObject({ refused: 1, failed: 0 });
  });

  test('files that no manifest names go after a day, and not before', async () => {
    const store = openStore();
    const files = open(store, { tidyMs: 0 });
    await publish(files, 'kommune-v1-5');
    await publish(files, 'kommune-v2-9');
    const name = (stem: string) => {
      files.offerManifest('published.json', { generation: 3, published: {}, stems: [stem] });
    };
    nowMs = 1_000;
    name('kommune-v2-9');
    await expect.poll(() => files.manifest('published.json')).not.toBeNull();
    expect(await keysOf(store, 'files/')).toHaveLength(4);
    nowMs = Date.now() + 2 * DAY_MS;
    name('kommune-v2-9');
    await expect.poll(() => keysOf(store, 'files/')).toHaveLength(2);
    expect(await keysOf(store, 'versions/')).toHaveLength(1);
    expect(await fetchTo(open(store), 'kommune-v2-9')).toBe(true);
  });
});

test.each([
  { status: 507, code: 'XMinioStorageFull' },
  { status: 400, code: 'XMinioAdminBucketQuotaExceeded' },
  { status: 403, code: 'QuotaExceeded' },
])('a store full by $code is read on, and makes room of what no manifest names', async (full) => {
  s3.full = full;
  const files = open(new S3Store(s3.settings), { publishRetryMs: 10 });
  for (const stem of ['kommune-v1-5', 'kommune-v2-9']) await publish(files, stem);
  files.offerManifest('published.json', {
    generation: 3,
    published: {},
    stems: ['kommune-v2-9'],
  });
  await expect.poll(() => files.manifest('published.json')).not.toBeNull();
  nowMs += 2 * DAY_MS;
  await publish(files, 'kommune-v3-1');
  expect(said).toEqual([]);
  publish(files, 'kommune-v4-1').catch(() => undefined);
  await expect.poll(() => said).toEqual([expect.stringContaining(full.code)]);
  expect(files.view()).toMatchObject({ isAnswering: true, published: 3 });
  expect(await fetchTo(files, 'kommune-v2-9')).toBe(true);
});

test('a manifest of an older generation does not replace a newer one, unless that was left behind', async () => {
  const files = open(new DirectoryStore(join(directory, 'shared')));
  await publish(files, 'kommune-v1-5');
  const name = (generation: number) => {
    files.offerManifest('published.json', { generation, published: {}, stems: ['kommune-v1-5'] });
  };
  const known = async () => (await files.manifest('published.json'))?.generation;
  name(7);
  await expect.poll(known).toBe(7);
  name(6);
  name(8);
  await expect.poll(known).toBe(8);
  nowMs += DAY_MS;
  name(2);
  await expect.poll(known).toBe(2);
});

test.each(['refuses', 'hangs'] as const)(
  'a store that %s costs one wait, then rests, and is told twice',
  async (trouble) => {
    const files = open(new S3Store(s3.settings), QUICK);
    await publish(open(new S3Store(s3.settings)), 'kommune-v1-5');
    s3.trouble = trouble;
    expect(await fetchTo(files, 'kommune-v1-5')).toBe(false);
    const { asked } = s3;
    for (let n = 0; n < 20; n += 1) expect(await fetchTo(files, 'kommune-v1-5')).toBe(false);
    expect(s3.asked).toBe(asked);
    expect(said.filter((each) => each.includes('does not answer'))).toHaveLength(1);
    expect(files.view()).toMatchObject({ isAnswering: false, failed: 21 });
    s3.trouble = 'none';
    await expect.poll(() => fetchTo(files, 'kommune-v1-5')).toBe(true);
    expect(said.at(-1)).toContain('answers again');
    expect(said.join()).not.toContain('a secret');
  },
);

test('no file longer than published is taken, and no folder that cannot be read', async () => {
  const store = new DirectoryStore(join(directory, 'shared'));
  await publish(open(store), 'kommune-v1-5');
  for (const key of await keysOf(store, 'files/')) {
    writeFileSync(join(directory, 'shared', key), 'x'.repeat(5_000));
    utimesSync(join(directory, 'shared', key), 1, 1);
  }
  expect(await fetchTo(open(store), 'kommune-v1-5')).toBe(false);
  const blocked = join(directory, 'blocked');
  writeFileSync(blocked, 'no folder');
  expect(await fetchTo(open(new DirectoryStore(blocked)), 'kommune-v1-5')).toBe(false);
  mkdirSync(join(directory, 'empty'));
  expect(await fetchTo(open(new DirectoryStore(join(directory, 'empty'))), 'any-v1-1')).toBe(false);
});

const [OURS = '', NEXT = '', THEIRS = ''] = [1, 2, 3].map((n) =>
  Buffer.alloc(32, n).toString('base64'),
);
const STEM = 'kommune-v1-5';

/** A version and a manifest that names it. */
async function publishAll(files: SharedFiles, generation = 3, stem = STEM): Promise<void> {
  await publish(files, stem);
  files.offerManifest('published.json', { generation, published: {}, stems: [stem] });
  await expect
    .poll(async () => (await files.manifest('published.json'))?.generation)
    .toBe(generation);
}

describe('sealed with a key', () => {
  const openStore = stores['directory']!;
  test.each([
    ['no key', []],
    ['another key', [THEIRS]],
  ])('what was written with %s is refused, built and replaced', async (_name, keys) => {
    const store = openStore();
    await publishAll(open(store, {}, keys));
    const ours = open(store, {}, [OURS]);
    expect(await fetchTo(ours, STEM)).toBe(false);
    expect(await ours.manifest('published.json')).toBeNull();
    expect(ours.view().refused).toBe(2);
    await publishAll(ours);
    expect(await fetchTo(open(store, {}, [OURS]), STEM)).toBe(true);
  });

  test('a key is rotated without a refusal, and who has none reads all', async () => {
    const store = openStore();
    await publishAll(open(store, {}, [OURS]));
    for (const keys of [[OURS, NEXT], [NEXT, OURS], []]) {
      const files = open(store, {}, keys);
      expect(await fetchTo(files, STEM)).toBe(true);
      expect(await files.manifest('published.json')).toMatchObject({ generation: 3 });
    }
    const next = open(store, {}, [NEXT]);
    expect(await fetchTo(next, STEM)).toBe(false);
  });

  test('an object in the place of another, a truncated one and an older one are refused', async () => {
    const store = openStore();
    const { signal } = new AbortController();
    const ours = open(store, {}, [OURS]);
    await publishAll(ours);
    await publish(ours, 'kommune-v1-6');
    const [five, six] = await keysOf(store, 'versions/');
    await store.write(six!, (await store.read(five!, 1e6, signal))!, signal);
    expect(await fetchTo(open(store, {}, [OURS]), 'kommune-v1-6')).toBe(false);
    const [key] = await keysOf(store, 'manifests/');
    const older = Buffer.from((await store.read(key!, 1e6, signal))!);
    nowMs += 1_000;
    await publishAll(ours, 4, 'kommune-v1-7');
    const front = open(store, {}, [OURS]);
    const newer = Buffer.from((await store.read(key!, 1e6, signal))!);
    expect(await front.manifest('published.json')).toMatchObject({ generation: 4 });
    const bytesOf = {
      older,
      half: newer.subarray(0, newer.length / 2),
      foreign: Buffer.from('{}'),
    };
    for (const [name, bytes] of Object.entries(bytesOf)) {
      const { refused } = front.view();
      await store.write(key!, bytes, signal);
      expect(await front.manifest('published.json'), name).toBeNull();
      expect(front.view().refused).toBe(refused + 1);
    }
    expect(front.view().isAnswering).toBe(true);
    // A database that was restored: fewer generations, written later.
    await store.write(key!, newer, signal);
    nowMs += DAY_MS;
    await publishAll(open(store, {}, [OURS]), 2, 'kommune-v1-2');
    expect(await front.manifest('published.json')).toMatchObject({ generation: 2 });
  });
});

test('in a folder nothing but a plain file is read, and publishing puts one there', async () => {
  const store = stores['directory']!();
  const root = join(directory, 'shared');
  await publishAll(open(store));
  const all = ['versions/', 'manifests/', 'files/'];
  const moved = join(directory, 'elsewhere');
  const places = {
    link: (path: string) => symlinkSync(moved, path),
    pipe: (path: string) => void execFileSync('mkfifo', [path]),
    folder: (path: string) => mkdirSync(path),
  };
  for (const [kind, put] of Object.entries(places)) {
    for (const part of all) {
      const [key] = await keysOf(store, part);
      const path = join(root, key!);
      renameSync(path, moved);
      put(path);
      const files = open(store);
      const asked = part === 'manifests/' ? files.manifest('published.json') : fetchTo(files, STEM);
      expect(await asked, `${kind} for ${part}`).toBeOneOf([null, false]);
      expect(files.view()).toMatchObject({ refused: 1, isAnswering: true });
      rmSync(path, { recursive: true });
      renameSync(moved, path);
    }
  }
  // A folder that leads elsewhere, with the very files in it.
  renameSync(join(root, 'files'), moved);
  symlinkSync(moved, join(root, 'files'));
  expect(await fetchTo(open(store), STEM)).toBe(false);
  rmSync(join(root, 'files'));
  renameSync(moved, join(root, 'files'));
  const [key] = await keysOf(store, 'files/');
  rmSync(join(root, key!));
  symlinkSync('/etc/hostname', join(root, key!));
  const other = open(store);
  expect(await fetchTo(other, STEM)).toBe(false);
  await publish(other, STEM);
  expect(await fetchTo(open(store), STEM)).toBe(true);
});
