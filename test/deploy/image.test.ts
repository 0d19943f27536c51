/**
 * What the Dockerfile does, on a plain folder: what serves is put together, and serves as a user that no list
 * has, who may write its DATA_DIR and temporary files alone.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createZstdCompress } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { assemble } from '../support/assembled.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { opened } from '../support/opened.ts';
import { isHeavy } from '../support/run-settings.ts';
import { startProgram } from '../support/whole-service.ts';
import { ROOT, readText } from '../support/repository.ts';

const run = promisify(execFile);
const MOST_BYTES = 60e6;

const assembled = await opened(assemble());
const { app, node, uid } = assembled;
const before = listed();
const data = assembled.folder('data');
const isServed = process.env['TEST_STORE'] === 'postgres';
const store = isServed ? await opened(openMirroredStore('served')) : null;
const minted = store === null ? null : await mintFirstKey(store, systemClock);
const env = {
  DATA_DIR: data,
  TMPDIR: assembled.folder('tmp'),
  NODE_COMPILE_CACHE: '',
  ...(store?.databaseUrl && { DATABASE_URL: await assembled.overTcp(store.databaseUrl) }),
};
const main = join(app, 'src/start/main.ts');
const service = startProgram(env, { node, main, ...(uid !== undefined && { uid }) });
afterAll(() => service.stop());
const base = await service.base();
const key = minted ?? (await service.until((said) => /(svc_test_\w+)/.exec(said)?.[1]));

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function listed(): readonly string[] {
  return filesUnder(app).map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });
}

/** As an image is sent. */
async function compressedBytes(): Promise<number> {
  const tar = spawn('tar', ['-C', app, '-cf', '-', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  for await (const chunk of tar.stdout.pipe(createZstdCompress()))
    bytes += (chunk as Buffer).length;
  return bytes;
}

test('answers a kind of the README', async () => {
  const readme = readText('README.md');
  const path = /'http:\/\/127\.0\.0\.1:8080(\/v1\/natur\/skovbyggelinje[^']*)'/.exec(readme)?.[1];
  const headers = { authorization: `Bearer ${key}` };
  const answered = await service.until(async () => {
    const answer = await fetch(`${base}${path}`, { headers });
    const { skov } = (await answer.json()) as { skov?: { inden_for: boolean | null } };
    return typeof skov?.inden_for === 'boolean' ? skov : undefined;
  });
  expect(answered).toMatchObject({ inden_for: true, afstand_m: -111.8 });
});

test('serves its pages, built, without their sources and the bundler', async () => {
  const page = await fetch(`${base}/kort`).then((answer) => answer.text());
  const [script] = /web\/kort-\w+\.js/.exec(page) ?? [];
  const answer = await fetch(`${base}/${script}`);
  expect(answer.status).toBe(200);
  expect((await answer.text()).length).toBeGreaterThan(10_000);
  expect((await fetch(`${base}/docs/operations`)).status).toBe(200);
  for (const left of ['esbuild', 'swagger-ui-dist', 'vitest', 'typescript']) {
    expect(existsSync(join(app, 'node_modules', left)), left).toBe(false);
  }
  expect(existsSync(join(app, 'own-node/node_modules'))).toBe(false);
  for (const left of [
    ...['test', 'bench', 'src/web/kort/main.ts', 'src/db/README.md'],
    ...['docs/adr/0003-embedded-store-wire-server.md', 'node_modules/pg/README.md'],
    ...[
      'node_modules/fastify/test/404s.test.js',
      'node_modules/ol/dist/ol.js',
      'node_modules/kysely/dist/index.d.ts',
    ],
  ]) {
    expect(existsSync(join(ROOT, left)), left).toBe(true);
    expect(existsSync(join(app, left)), left).toBe(false);
  }
  for (const taken of [
    ...['docs/operations.md', 'src/account/plans.json', 'src/web/kort/index.html'],
    ...['node_modules/pg/LICENSE', 'node_modules/ol/format/GML3.js'],
  ]) {
    expect(existsSync(join(app, taken)), taken).toBe(true);
  }
});

test('has every package that its programs name', async () => {
  const named = new Set(
    ['src', 'sync', 'sample', 'workers']
      .flatMap((folder) => filesUnder(join(app, folder)))
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => !line.startsWith('import type '))
          .map((line) => /(?:from |^import |\bimport\()'([^.'][^']*)'/.exec(line)?.[1] ?? ''),
      )
      .filter((name) => name !== '' && !name.startsWith('node:') && name !== 'esbuild'),
  );
  expect(named.size).toBeGreaterThan(40);
  const script = `
    const { existsSync } = await import('node:fs');
    const missing = ${JSON.stringify([...named])}.filter((name) => {
      try { return !existsSync(new URL(import.meta.resolve(name))); } catch { return true; }
    });
    console.log(JSON.stringify(missing));`;
  const { stdout } = await run(node, ['--input-type=module', '-e', script], { cwd: app });
  expect(JSON.parse(stdout)).toEqual([]);
});

test('is within its size, compressed beyond its base', async () => {
  const bytes = await compressedBytes();
  expect(bytes).toBeGreaterThan(1e6);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test('tells its health to who has no curl', async () => {
  const ask = (address: string) =>
    run(node, [join(app, 'deploy/image/health-cli.ts'), address]).then(
      () => 0,
      (error: unknown) => (error as { readonly code: number }).code,
    );
  await service.until(async () => (await ask(`${base}/readyz`)) === 0 || undefined);
  expect(await ask(`${base}/nowhere`)).toBe(1);
  expect(await ask('nowhere')).toBe(2);
});

test('writes nothing where it lies', () => {
  expect(listed()).toEqual(before);
  expect(readdirSync(data).length).toBeGreaterThan(0);
});

const PROGRAMS = ['admin', 'config', 'freshness', 'job', 'migrate', 'replicate', 'sync'];
test.runIf(isHeavy)('runs every program of the documents', async () => {
  const { scripts } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  for (const name of PROGRAMS) {
    const [, path = ''] = /node (\S+\.ts)/.exec(scripts[name] ?? '') ?? [];
    const env = { ...process.env, DATA_DIR: assembled.folder(`aside-${name}`) };
    const said = await run(node, [join(app, path)], { env }).catch((error: unknown) => error);
    // What is missing then is an argument, never a file of the program.
    expect(JSON.stringify(said), name).not.toMatch(/ERR_MODULE_NOT_FOUND|ENOENT/);
  }
});
