/**
 * Four threads that answer from memory, against one that answers from the store's statements: the same text,
 * byte by byte, at random points and for random addresses and properties.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { toWgs84 } from '../../src/geo/project.ts';
import { createRandom } from '../../sample/data/random.ts';
import { TOKEN } from '../edge/operator.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import type { TestStore } from '../support/store.ts';
import { OneConnection } from '../support/threaded-service.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';

const THREADS = 4;
const CONNECTIONS = 24;
/** Of each kind of question. */
const QUESTIONS = amountOf({ gate: 100, night: 400 });
/** Of the connections, for one question. */
const ASKED = 6;
const random = createRandom(`judge ${TEST_SEED}`);

const withServer = inject('storeTemplate').kind === 'postgres';

describe.runIf(withServer)('four threads answer as the statements of the store do', () => {
  const dirs = ['memory', 'store'].map((name) => mkdtempSync(join(tmpdir(), `geoopslag-${name}-`)));
  let store: TestStore;
  let key: string;
  const programs: StartedProgram[] = [];
  let threads: OneConnection[];
  let judge: OneConnection;
  let base: string;

  beforeAll(async () => {
    store = await openMirroredStore('served');
    key = (await mintFirstKey(store, systemClock)) ?? '';
    const start = (more: Readonly<Record<string, string>>): StartedProgram => {
      const program = startProgram({
        ...{ DATABASE_URL: store.databaseUrl ?? '', OPERATOR_TOKEN: TOKEN },
        ...{ SYNC: 'off', JOBS: 'off', WEBHOOKS: 'off' },
        PLANS_FILE: join(import.meta.dirname, '../../bench/plans.json'),
        ...more,
      });
      programs.push(program);
      return program;
    };
    const memory = start({ DATA_DIR: dirs[0]!, REQUEST_THREADS: String(THREADS) });
    base = await memory.base();
    await memory.until(async () => ((await requests()).length === THREADS ? true : undefined));
    const statements = start({ DATA_DIR: dirs[1]!, REQUEST_THREADS: '1', LOOKUPS: 'store' });
    judge = new OneConnection(await statements.base());
    threads = Array.from({ length: CONNECTIONS }, () => new OneConnection(base));
    await memory.until(async () => ((await isInMemory()) ? true : undefined));
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await store.close();
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  });

  const question = async (path: string, judged = true): Promise<void> => {
    const asked = Array.from({ length: ASKED }, () => random.pick(threads));
    const truth = await (judged ? judge : threads[0]!).get(path, key);
    const answers = await Promise.all(asked.map((client) => client.get(path, key)));
    for (const { status, text } of answers) {
      expect({ path, status, text: lasting(text) }).toEqual({
        ...{ path, status: truth.status, text: lasting(truth.text) },
      });
    }
  };

  test.each([
    ['the ten lines', '/v1/natur/byggelinjer'],
    ['the areas', '/v1/dagi/reverse'],
    ['the nearest address', '/v1/adresser/reverse'],
    ['the parcel', '/v1/matrikel/jordstykke'],
    ['the place names', '/v1/stednavne/reverse'],
  ])('about %s', async (_, path) => {
    for (const { x, y } of await places()) {
      const { lon, lat } = toWgs84({ xUtm32: x, yUtm32: y });
      await question(
        random.pick([`${path}?x=${x}&y=${y}&srid=25832`, `${path}?lon=${lon}&lat=${lat}`]),
      );
    }
  });

  test.each([
    // Statements alone know no addresses to name units by, and to order them: test/real/property.test.ts judges it.
    ['a property of the buildings', '/v1/bbr/ejendom/', false],
    ['a property of the cadastre', '/v1/matrikel/ejendom/', true],
    ['a valuation', '/v1/vurdering/', true],
  ])('about %s', async (_, path, judged) => {
    const { rows } = await store.pool.query<{ bfe: string }>(
      'select distinct bfe::text as bfe from bbr_property where bfe is not null order by 1',
    );
    for (let n = 0; n < QUESTIONS; n++) await question(path + random.pick(rows).bfe, judged);
  });

  test('in every thread', async () => {
    const counts = await requests();
    expect(counts).toHaveLength(THREADS);
    expect(Math.min(...counts)).toBeGreaterThan(QUESTIONS);
  });

  /** Around the addresses of the sample: by the house, in the neighbourhood, out at sea. */
  async function places(): Promise<{ readonly x: number; readonly y: number }[]> {
    const { rows } = await store.pool.query<{ x: number; y: number }>(
      'select st_x(geom) as x, st_y(geom) as y from address_point where geom is not null order by id',
    );
    return Array.from({ length: QUESTIONS }, () => {
      const { x, y } = random.pick(rows);
      const awayM = random.pick([0, 50, 400, 6_000]);
      const off = (): number => awayM * (2 * random.next() - 1);
      return { x: Number((x + off()).toFixed(2)), y: Number((y + off()).toFixed(2)) };
    });
  }

  /** Of each thread so far. */
  async function requests(): Promise<number[]> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = fetch(`${base}/metrics`, { headers }).then((answer) => answer.text());
    const text = await asked.catch(() => '');
    const counts = text.matchAll(/^geoopslag_thread_requests_total\{thread="\d"\} (\d+)$/gm);
    return [...counts].map(([, count]) => Number(count));
  }

  async function isInMemory(): Promise<boolean> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${base}/v1/drift/lag`, { headers });
    const { hukommelse } = (await answer.json()) as { hukommelse: { lag: string[] } | null };
    return (hukommelse?.lag.length ?? 0) >= 16;
  }
});

/** Without what names the request, the moment, or the sample server that each program has of its own. */
function lasting(text: string): string {
  return text
    .replaceAll(/"(request_id|doc_url|alder_sekunder|tidspunkt)":("[^"]*"|\d+)/g, '"$1":0')
    .replaceAll(/127\.0\.0\.1:\d+/g, '');
}
