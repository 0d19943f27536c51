/**
 * Place names by text as people type them, beside a bare Fastify that answers as many bytes, in one run:
 * generated names in PostgreSQL, the whole service over them (keys and metering included). `--count=250000`
 * is the whole country.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { PLACE_NAMES } from '../src/layers/keys.ts';
import { PLACE_TYPES } from '../src/registers/places/types.ts';
import { fillStore, publish } from './fill.ts';
import { arrive, drive, expectNoRefusal, get } from './harness/load.ts';
import type { Times } from './harness/load.ts';
import { interleave, median, seconds } from './harness/measure.ts';
import { numberOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { ask, isFromMemory, startBare, startService } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import { openData, openMigrated } from './harness/store.ts';
import { Land, randomFrom } from './national/land.ts';
import { placeName, roadName } from './national/names.ts';
import { typedTexts } from './national/typing.ts';

const COUNT = 25_000;
const PER_STATEMENT = 10_000;
/** Every so many places have a spelling more. */
const SECOND_EVERY = 10;
/** The layers only have to be there; the places lie on more land than that. */
const LAYER_SCALE = 0.002;
const LAND_SCALE = 0.02;
const TYPED_PLACES = 400;
const PER_S = 200;
const WARM_MS = 2_000;
const ROUND_MS = 10_000;
const ROUNDS = 3;
const READY_MS = 10 * 60_000;

export async function benchPlaceSearch(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const data = await openData(cleanup);
  const store = await openMigrated(cleanup, data);
  await fillStore(store, new Land(LAYER_SCALE));
  const names = namesOf(numberOption('count', COUNT));
  await fillPlaces(store, new Land(LAND_SCALE), names);
  const server = await startService(cleanup, data.settings);
  const readyS = await seconds(() => untilFromMemory(server));
  const typed = typedTexts(
    names.slice(0, TYPED_PLACES).map((name) => ({ whole: name, roadName: name })),
    randomFrom(42),
  );
  const requests = typed.map((text) =>
    get(`/v1/stednavne?q=${encodeURIComponent(text)}`, server.key),
  );
  const warm = { port: server.port, requests, connections: 1, durationMs: WARM_MS };
  const { bodyBytes } = expectNoRefusal(await drive(warm));
  const bare = await startBare(cleanup, 'x'.repeat(Math.round(bodyBytes)));
  const at = (asked: Server) => async (round: number) => {
    const load = { port: asked.port, requests, perSecond: PER_S, durationMs: ROUND_MS };
    return await arrive({ ...load, random: randomFrom(60 + round) });
  };
  const measured = await interleave({ ours: at(server), bare: at(bare) }, { rounds: ROUNDS });
  const timeRow = (what: string, of: (times: Times) => number, gate?: string): BenchRow =>
    row(
      `place search at ${PER_S} requests/s over HTTP, ${what}`,
      median(measured.ours.map(of)),
      'ms',
      {
        beside: ['bare Fastify, same size', median(measured.bare.map(of))],
        ...(gate !== undefined && { gate }),
      },
    );
  return [
    row('places', names.length, 'rows'),
    row('process start to the first answer, index built', readyS, 's'),
    row('body of an answer, mean', bodyBytes, 'bytes'),
    timeRow('p50', ({ p50Ms }) => p50Ms),
    timeRow('p99', ({ p99Ms }) => p99Ms, '<= 15 (goal 5)'),
    timeRow('slowest', ({ slowestMs }) => slowestMs),
  ];
}

/** Many are namesakes, as they are in the country. */
export function namesOf(count: number): readonly string[] {
  const random = randomFrom(31);
  return Array.from({ length: count }, (_, n) =>
    n % 2 === 0 ? placeName(random) : roadName(random, []),
  );
}

/** Squares on land under the names, a spelling more for some. */
export async function fillPlaces(
  store: Store,
  land: Land,
  names: readonly string[],
): Promise<void> {
  const points = land.points(names.length, 32);
  for (let from = 0; from < names.length; from += PER_STATEMENT) {
    const some = names.slice(from, from + PER_STATEMENT);
    const at = (n: number) => points[from + n]!;
    await sql`
      insert into place (id, public_id, main_type, subtype, names, unresolved, inhabitants, easting,
        northing, geom, registered_from, valid_from)
      select id, id::text, type, 'opdigtet', names, 0, null, x, y,
        ST_Expand(ST_SetSRID(ST_MakePoint(x, y), 25832), 20 + id % 400), now(), now()
      from unnest(${some.map((_, n) => from + n)}::bigint[],
        ${some.map((_, n) => PLACE_TYPES[n % PLACE_TYPES.length]!.entity)}::text[],
        ${some.map((name, n) => JSON.stringify(spellings(name, n)))}::text[],
        ${some.map((_, n) => at(n).xUtm32)}::float8[],
        ${some.map((_, n) => at(n).yUtm32)}::float8[]) as p(id, type, names, x, y)`.execute(
      store.db,
    );
  }
  await publish(store, PLACE_NAMES, names.length);
  await sql`vacuum analyze`.execute(store.db);
}

function spellings(name: string, n: number): readonly (readonly string[])[] {
  const shown = [name, 'officielt', 'primær'];
  return n % SECOND_EVERY === 0 ? [shown, [`Gamle ${name}`, 'uofficielt', 'sekundær']] : [shown];
}

async function untilFromMemory(server: Server): Promise<void> {
  const started = performance.now();
  while (performance.now() - started < READY_MS) {
    const answer = await ask(server, '/v1/stednavne?q=a');
    await answer.arrayBuffer();
    if (answer.ok && isFromMemory(answer)) return;
    await sleep(100);
  }
  throw new Error('The index of place names was not built in time.');
}
