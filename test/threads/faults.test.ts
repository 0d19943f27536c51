/**
 * The fault matrix through request threads: nothing is mirrored, so every thread asks the register live
 * while a fault is there, and answers by what is true or not at all. By night: most of it is waiting.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import type { LineMeasure } from '../../src/memory/layer-reads.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { Point } from '../../src/geo/point.ts';
import { CENTRE } from '../../sample/data/island.ts';
import { createRandom } from '../../sample/data/random.ts';
import { MATRIX } from '../faults/matrix.ts';
import { FAMILIES, allowed, familyOf } from '../faults/matrix-terms.ts';
import type { MatrixRow, Rule } from '../faults/matrix-terms.ts';
import { servedWithin } from '../faults/served.ts';
import { RADIUS_M } from '../faults/world.ts';
import { mintKey } from '../support/keys.ts';
import { keptLog } from '../support/log.ts';
import { openMirroredBench } from '../support/mirrored-store.ts';
import { TEST_SEED, isHeavy } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import { until } from '../support/until.ts';
import { clientsOfThreads, startThreaded } from '../support/threaded-service.ts';
import type { OneConnection, StartedThreads } from '../support/threaded-service.ts';

const THREADS = 3;
const PLACES = 3_000;
const random = createRandom(`threads ${TEST_SEED}`);

interface Place {
  readonly point: Point;
  readonly truth: Readonly<Record<LineKey, LineMeasure>>;
}

interface Answered {
  readonly linjer: Readonly<
    Record<
      LineKey,
      {
        readonly status: 'ok' | 'utilgaengelig';
        readonly inden_for: boolean | null;
        readonly afstand_m: number | null;
        readonly antal: number;
      }
    >
  >;
}

interface Cell {
  readonly row: MatrixRow;
  readonly layer: LineKey;
  readonly rules: readonly Rule[];
}

let mirrored: SyncBench;
let empty: TestStore;
let started: StartedThreads;
let clients: readonly OneConnection[];
let key: string;
/** Each is asked about once: a thread keeps what a register answered. */
let places: Place[];

beforeAll(async () => {
  mirrored = await openMirroredBench();
  places = await knownPlaces();
  empty = await openTestStore();
  const { deps, upstream } = mirrored;
  const config = loadConfig({
    DATA_DIR: empty.dataDir,
    ...(empty.databaseUrl !== null && { DATABASE_URL: empty.databaseUrl }),
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', REQUEST_THREADS: String(THREADS) },
    ...{ THREADS: '1', JOBS: 'off', WEBHOOKS: 'off', SYNC: 'off' },
    SEARCH_RADIUS_M: String(RADIUS_M),
  });
  const log = keptLog();
  started = await startThreaded(
    {
      ...{ config, clock: deps.clock, sources: deps, onExpired: () => undefined },
      log: createLogging({ level: 'silent' }).log,
    },
    { sampleUrl: upstream.url, log },
  );
  key = await mintKey(started.service);
  clients = await clientsOfThreads(started, THREADS, (client) => client.get('/healthz', key));
}, 120_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await started.close();
  await empty.close();
  await mirrored.close();
});

async function knownPlaces(): Promise<Place[]> {
  const { lines } = mirrored.deps.catalogue;
  const points = Array.from({ length: PLACES }, () =>
    pointFromUtm32({
      xUtm32: Math.round(CENTRE.x + random.between(-5_600, 5_600)),
      yUtm32: Math.round(CENTRE.y + random.between(-4_300, 4_300)),
    }),
  );
  const { measures } = await readLines(mirrored.store, {
    points: points.map(({ utm32 }) => utm32),
    lines: LINE_KEYS.map((line) => lines[line]),
    radiusM: RADIUS_M,
  });
  return points.map((point, p) => ({
    point,
    truth: Object.fromEntries(
      LINE_KEYS.map((line, l) => [line, measures[p]![l]!]),
    ) as Place['truth'],
  }));
}

/** Of each row that promises something of a layer asked live, one of each family of lines. */
function cells(): readonly Cell[] {
  const rows = MATRIX.filter(
    ({ withCopy, afterRefusal, deaf, hasty }) => !withCopy && !afterRefusal && !deaf && !hasty,
  );
  return rows.flatMap((row) =>
    FAMILIES.flatMap((family) => {
      const layers = LINE_KEYS.filter((line) => familyOf(line) === family);
      if (layers.length === 0 || allowed(row.line, family) === null) return [];
      const layer = random.pick(layers);
      return [{ row, layer, rules: row.rules(random, layer) }];
    }),
  );
}

/** Some at once: more would be a fault of their own to a register. */
async function ask({ point: { utm32 } }: Place): Promise<readonly Answered[]> {
  const path = `/v1/natur/byggelinjer?x=${utm32.xUtm32}&y=${utm32.yUtm32}&srid=25832`;
  const some = Array.from({ length: THREADS }, () => random.pick(clients));
  const answers = await Promise.all(some.map((client) => client.get(path, key)));
  expect(answers.map(({ status }) => status)).toEqual(some.map(() => 200));
  return answers.map(({ text }) => JSON.parse(text) as Answered);
}

type LineAnswered = Answered['linjer'][LineKey];

/** Lines answered as they are not, or as they must not be. */
function wrong({ linjer }: Answered, place: Place, cell?: Cell): readonly string[] {
  return LINE_KEYS.filter((line) => {
    if (line === cell?.layer) return !isAllowed(linjer[line], place, cell);
    // A thread leaves a host alone for a while that just failed it.
    return !isUnknown(linjer[line]) && !isTrue(linjer[line], place, line);
  });
}

function isUnknown({ status, inden_for }: LineAnswered): boolean {
  return status === 'utilgaengelig' && inden_for === null;
}

function isTrue(
  { status, inden_for, afstand_m, antal }: LineAnswered,
  place: Place,
  line: LineKey,
) {
  const { within, count, distanceM } = place.truth[line];
  // Answered in decimetres; a live yes may come without.
  const isNear = afstand_m === null || Math.abs(afstand_m - (distanceM ?? Infinity)) <= 0.051;
  return status === 'ok' && inden_for === within && antal === count && isNear;
}

function isAllowed(answer: LineAnswered, place: Place, { row, layer, rules }: Cell): boolean {
  if (answer.status !== 'ok') return isUnknown(answer);
  if (row.served === true) {
    const { holdings } = mirrored.upstream;
    return answer.inden_for === servedWithin({ holdings, layer, rules }, place.point.utm32);
  }
  const promised: readonly string[] = allowed(row.line, familyOf(layer)) ?? [];
  // A fault that comes some times meets one thread and not the next.
  const isBelieved = promised.includes('true') || rules.some(({ times }) => times !== undefined);
  return (isBelieved || row.byTotal === true) && isTrue(answer, place, layer);
}

/** More often than not inside: a false no is the fault that matters most. */
function takePlace(layer: LineKey): Place {
  const isInside = random.chance(0.7);
  const found = places.findIndex(({ truth }) => truth[layer].within === isInside);
  const [place] = places.splice(Math.max(0, found), 1);
  if (place === undefined) throw new Error('All places are taken.');
  return place;
}

test.runIf(isHeavy)(
  'no thread makes a false answer of a fault, and all answer when it is over',
  async () => {
    const seen = { ok: 0, utilgaengelig: 0 };
    for (const cell of cells()) {
      const { row, layer, rules } = cell;
      const place = takePlace(layer);
      mirrored.upstream.faults.set(rules.map((rule) => ({ ...rule, layer })));
      const under = await ask(place);
      mirrored.upstream.faults.clear();
      const after = await ask(place);
      const found = [
        ...under.flatMap((answer) => wrong(answer, place, cell)),
        ...after.flatMap((answer) => wrong(answer, place)),
      ];
      expect({ row: row.id, layer, found }).toEqual({ row: row.id, layer, found: [] });
      for (const { linjer } of under) seen[linjer[layer].status] += 1;
    }
    console.log(`seed ${TEST_SEED}: ${JSON.stringify(seen)}`);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
    await until(async () => (await ask(places[0]!)).every(isWhole), { withinMs: 120_000 });
  },
  60 * 60_000,
);

function isWhole({ linjer }: Answered): boolean {
  return LINE_KEYS.every((line) => isTrue(linjer[line], places[0]!, line));
}

test.runIf(isHeavy)('no place with a register is kept by what failed', async () => {
  let seen = '';
  const isFree = async (): Promise<boolean> => {
    const { running } = await started.service.answers.process.reports();
    seen = JSON.stringify(running.map(({ thread, hosts }) => ({ thread, hosts })));
    const hosts = running.flatMap((thread) => thread.hosts);
    return (
      running.length === THREADS && hosts.every(({ inFlight, queued }) => inFlight + queued === 0)
    );
  };
  await until(isFree, { everyMs: 100, seen: () => seen });
});
