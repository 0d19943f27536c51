/** `npm run replicate` against the HTTP API: killed in the middle again and again, its copy is equal in the end. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { keptAccess } from '../edge/access.ts';
import { memoryApp } from '../edge/edge.ts';
import { openTestStore } from '../support/store.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openLongAnswers } from '../support/long-answers.ts';
import { openAddressBench } from './addresses-bench.ts';
import { opened, ownFolder } from '../support/opened.ts';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '../../src/cli/replicate/cli.ts');
const KEY = `svc_test_${'a'.repeat(32)}`;
const liftedGuards = LIFTABLE_GUARDS;

const [bench, copy] = await Promise.all([opened(openAddressBench()), opened(openTestStore())]);
const long = await opened(Promise.resolve(openLongAnswers(bench.store)));
const schemas = new Map([[ADDRESSES, REGISTERS_CATALOGUE.registers[ADDRESSES].schema]]);
const source = { db: bench.store.db, schemas, naming: 'told' as const };
const access = keptAccess({ [KEY]: { keyId: 'key_copy' } });
const app = await opened(memoryApp({ access, changes: { source, sourceName: 'Prøve', ...long } }));
const env = {
  GEOOPSLAG_URL: await app.listen({ port: 0, host: '127.0.0.1' }),
  GEOOPSLAG_KEY: KEY,
};
await bench.sync({ liftedGuards });
await syncLayer(bench.deps, 'soe', { trigger: 'command', liftedGuards });

const args = (...more: string[]) => [CLI, '--to', copy.databaseUrl ?? '', ...more];

/** As a machine that loses power, after so many milliseconds. */
async function killedAfter(ms: number): Promise<void> {
  const child = spawn(process.execPath, args('--register', 'adresser,soe'), {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([sleep(ms), ended]);
  child.kill('SIGKILL');
  await ended;
}

function happen(round: number, random: () => number): void {
  const at = new Date(Date.UTC(2026, 9, 1 + round)).toISOString().replace('Z', '000Z');
  const rows = bench.shelf
    .rows('Husnummer')
    .filter((row) => row['registreringTil'] === null && row['virkningTil'] === null)
    .filter(() => random() < 0.1);
  const open = rows
    .filter((_, n) => n % 5 > 0)
    .map((row, n) => ({ ...row, husnummertekst: `${round}${n % 9}`, virkningFra: at }));
  bench.shelf.change('Husnummer', { at, close: rows, open });
}

test.skipIf(process.env['TEST_STORE'] === 'embedded')(
  'goes on after kill -9, and is equal row by row',
  async () => {
    const random = randomFrom(TEST_SEED);
    for (let round = 0; round < amountOf({ gate: 2, night: 60 }); round += 1) {
      happen(round, random);
      expect(await bench.sync({ liftedGuards })).toMatchObject({ state: 'published' });
      if (round % 3 === 1) await revertLayer(bench.deps, ADDRESSES, { by: 'Prøve' });
      await killedAfter(400 + 1_500 * random());
    }
    const { stdout } = await run(process.execPath, args('--register', 'adresser,soe', '--prove'), {
      env: { ...process.env, ...env },
    });
    const proved = [...stdout.matchAll(/^(\w+): (\d+) rows, (\d+) apart$/gm)];
    expect(
      proved.map(([, register, , apart]) => [register, apart]),
      stdout,
    ).toEqual([
      ['adresser', '0'],
      ['soe', '0'],
    ]);
    expect(Number(proved[0]?.[2])).toBeGreaterThan(3_000);
    // A row that is not the service's is found.
    await copy.pool.query(
      "update copy_row set content = '{}' where register = 'soe' and key = (select min(key) from copy_row where register = 'soe')",
    );
    await expect(
      run(process.execPath, args('--prove'), { env: { ...process.env, ...env } }),
    ).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('1 apart') as string });
  },
  300_000,
);

/** Rows of the service by entity and key. */
async function extracted(): Promise<Map<string, unknown>> {
  const headers = { authorization: `Bearer ${KEY}` };
  const { body } = await app.inject({ url: '/v1/udtraek/adresser', headers });
  const rows = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { entitet: string; noegle: string; raekke: unknown });
  return new Map(rows.map(({ entitet, noegle, raekke }) => [`${entitet} ${noegle}`, raekke]));
}

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/changes.md'), 'utf8');

function consumer(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(DOCUMENT)?.[1];
  if (found === undefined) throw new Error(`docs/changes.md has no consumer in ${language}.`);
  return found;
}

const isHere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

describe.skipIf(process.env['TEST_STORE'] === 'embedded')(
  'the consumers of docs/changes.md',
  () => {
    const dir = ownFolder('changes');
    let last = 40;

    /** Runs it, lets something happen, and runs it again. */
    async function twice(consume: () => Promise<unknown>): Promise<void> {
      await consume();
      happen((last += 1), randomFrom(TEST_SEED + last));
      expect(await bench.sync({ liftedGuards })).toMatchObject({ state: 'published' });
      await consume();
    }

    const withEnv = (more: Record<string, string>) => ({
      env: { ...process.env, ...env, REGISTER: 'adresser', ...more },
    });

    test.each([
      ['ts', process.execPath],
      ['python', 'python3'],
    ])('in %s', async (language, command) => {
      expect(isHere(command)).toBe(true);
      const [script, file] = [join(dir, `consumer.${language}`), join(dir, `${language}.json`)];
      writeFileSync(script, consumer(language));
      await twice(() => run(command, [script], withEnv({ COPY: file })));
      const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { rows: [string, unknown][] };
      expect(new Map(rows)).toEqual(await extracted());
    });

    test('in sql', async () => {
      const script = join(dir, 'consumer.sql');
      writeFileSync(script, consumer('sql'));
      const psql = ['-X', '-v', 'ON_ERROR_STOP=1', '-f', script, copy.databaseUrl ?? ''];
      await twice(() => run('psql', psql, withEnv({})));
      const { rows } = await copy.pool.query<{ name: string; row: unknown }>(
        "select entitet || ' ' || noegle as name, raekke as row from copy",
      );
      expect(new Map(rows.map(({ name, row }) => [name, row]))).toEqual(await extracted());
    });
  },
);
