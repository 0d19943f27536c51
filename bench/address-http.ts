/**
 * Addresses over HTTP: reverse batches beside PostGIS asked set-based for the same points, and
 * autocomplete as people type beside a bare Fastify that answers as many bytes, in one run. Generated
 * addresses in PostgreSQL, the whole service over them (keys and metering included), one raw client.
 * `--scale=1` is the whole country.
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { toUtm32, toWgs84 } from '../src/geo/project.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { AccessRow } from '../src/registers/addresses/addresses.ts';
import { fillAddresses, fillStore } from './fill.ts';
import { CPU, P50, P99, paceBesideBare, PER_SECOND, SLOWEST } from './harness/contest.ts';
import { batchRequests, drive, get } from './harness/load.ts';
import { interleave, seconds } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { fastest, measureServer, startService, untilFromMemory } from './harness/server.ts';
import type { Measured, Server } from './harness/server.ts';
import { openData, openMigrated } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import type { GeneratedAddresses } from './national/addresses.ts';
import { Land, randomFrom } from './national/land.ts';
import { typedTexts } from './national/typing.ts';
import type { Place } from './places.ts';

const PATH = '/v1/adresser/reverse:batch';
const BATCH = LIMITS.addressPointsPerBatch;
const BATCHES = 200;
const RADIUS_M = LIMITS.addressRadiusM.default;
/** Points lie about as far from a door as one who stands in the street or on the land. */
const SPREAD_M = 120;
const ROUNDS = 3;
const ROUND_MS = 3_000;
const WARM_MS = 2_000;
const CONNECTIONS = 8;
/** Statements under way at a time, as the store's own connections. */
const CLIENTS = 4;
/** People typing: addresses typed to their end, and how long one round lasts. */
const TYPED_ADDRESSES = 400;
const TYPED_MS = 10_000;
/** The layers beside the addresses only have to be there. */
const LAYER_SCALE = 0.002;

/** A store with all addresses, some of them drawn. */
export async function fillSampled(cleanup: Cleanup) {
  const data = await openData(cleanup);
  const store = await openMigrated(cleanup, data);
  await fillStore(store, new Land(LAYER_SCALE));
  const made = nationalAddresses(new Land(scaleOption()));
  const sample = new Sample();
  const rows = { ...made, accesses: sample.through(made.accesses) };
  const fillS = await seconds(() => fillAddresses(store, rows));
  return { data, store, made, sample, fillS };
}

export async function benchAddressHttp(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const { data, store, made, sample, fillS } = await fillSampled(cleanup);
  const places = sample.places();
  const starting = performance.now();
  const server = await startService(cleanup, data.settings);
  await untilFromMemory(server, [reversePath(places[0]!)]);
  const readyS = (performance.now() - starting) / 1000;
  const { ours, postgis } = await benchBatches(server, store, places);
  const points = ours.perSecond * BATCH;
  return [
    row('access addresses', made.accessCount, 'rows'),
    row('fill the store', fillS, 's'),
    row('process start to the first answer, address index built', readyS, 's'),
    row('body of an answer, mean', ours.bodyBytes, 'bytes'),
    row(`reverse batch of ${BATCH} over HTTP`, points, 'points/s', {
      gate: '>= 75,000 (goal 150,000)',
    }),
    row('the same, processor time a point', ours.cpuUs / BATCH, 'µs'),
    row(`reverse batch of ${BATCH} over HTTP`, points, 'points/s', {
      beside: ['PostGIS set-based', postgis],
      ratioGate: '>= 2 (goal 5)',
    }),
    ...(await benchTyping(cleanup, server, sample.typed(made))),
  ];
}

/** Autocomplete at the gate's rate, beside a bare server at the same. */
async function benchTyping(
  cleanup: Cleanup,
  server: Server,
  addresses: Parameters<typeof typedTexts>[0],
): Promise<readonly BenchRow[]> {
  const requests = typedTexts(addresses, randomFrom(42)).map((text) =>
    get(`/v1/adresser/autocomplete?q=${encodeURIComponent(text)}`, server.key),
  );
  const rounds = { rounds: ROUNDS, durationMs: TYPED_MS };
  const { bodyBytes, line } = await paceBesideBare(cleanup, server, requests, rounds);
  const what = `autocomplete at ${PER_SECOND} requests/s over HTTP`;
  return [
    row('autocomplete, body of an answer, mean', bodyBytes, 'bytes'),
    line('autocomplete over HTTP, processor time a request', CPU),
    line(`${what}, p50`, P50),
    line(`${what}, p99`, P99, { gate: '<= 30 (goal 10)' }),
    line(`${what}, slowest`, SLOWEST),
  ];
}

/** Addresses in force drawn at random while they go by: they come only once. */
export class Sample {
  readonly #random = randomFrom(11);
  readonly #size: number;
  readonly drawn: AccessRow[] = [];

  constructor(size = BATCHES * BATCH) {
    this.#size = size;
  }

  *through(accesses: Iterable<AccessRow>): Generator<AccessRow> {
    let seen = 0;
    for (const access of accesses) {
      yield access;
      if (access.position === null || access.status !== 3) continue;
      seen += 1;
      const { length } = this.drawn;
      const at = length < this.#size ? length : Math.floor(this.#random() * seen);
      if (at < this.#size) this.drawn[at] = access;
    }
  }

  /** Those that are typed to their end. */
  typed({ roads, postcodes }: GeneratedAddresses) {
    return this.drawn.slice(0, TYPED_ADDRESSES).map(({ id, road, houseNumber, postcode }) => {
      const roadName = roads[road]!.name;
      const { code, name } = postcodes[postcode ?? 0]!;
      return { id, roadName, whole: `${roadName} ${houseNumber}, ${code} ${name}` };
    });
  }

  /** Around them. */
  places(): Place[] {
    const off = (): number => SPREAD_M * (this.#random() - 0.5);
    return this.drawn.map(({ position }) => {
      const { xUtm32, yUtm32 } = position!;
      const { lon, lat } = toWgs84({ xUtm32: xUtm32 + off(), yUtm32: yUtm32 + off() });
      return { lon: Number(lon.toFixed(7)), lat: Number(lat.toFixed(7)) };
    });
  }
}

export const reversePath = ({ lon, lat }: Place): string =>
  `/v1/adresser/reverse?lon=${lon}&lat=${lat}`;

/** The best of interleaved rounds; of PostGIS points a second. */
async function benchBatches(
  server: Server,
  store: Store,
  places: readonly Place[],
): Promise<{ readonly ours: Measured; readonly postgis: number }> {
  const asked = { points: places, size: BATCH, key: server.key };
  const requests = batchRequests(PATH, asked, { radius: RADIUS_M });
  const load = { requests, connections: CONNECTIONS };
  await drive({ ...load, port: server.port, durationMs: WARM_MS });
  const rounds = await interleave(
    {
      service: () => measureServer(server, { ...load, durationMs: ROUND_MS }),
      postgis: () => askPostgis(store, places),
    },
    { rounds: ROUNDS },
  );
  return { ours: fastest(rounds.service), postgis: Math.max(...rounds.postgis) };
}

/** Points a second: id and distance alone, the projection not counted, several statements at a time. */
async function askPostgis(store: Store, places: readonly Place[]): Promise<number> {
  const points = places.map((place) => toUtm32(place));
  const batches = Array.from({ length: Math.floor(points.length / BATCH) }, (_, i) =>
    points.slice(i * BATCH, (i + 1) * BATCH),
  );
  const started = performance.now();
  let answered = 0;
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < started + ROUND_MS) {
      const some = batches[next++ % batches.length]!;
      await sql`
        select q.n, near.id, near.distance
        from unnest(${some.map(({ xUtm32 }) => xUtm32)}::float8[],
          ${some.map(({ yUtm32 }) => yUtm32)}::float8[]) with ordinality as q(x, y, n)
        cross join lateral (
          select a.id, place.distance
          from (
            select p.id, p.geom <-> ST_SetSRID(ST_MakePoint(q.x, q.y), 25832) as distance
            from address_point p
            order by p.geom <-> ST_SetSRID(ST_MakePoint(q.x, q.y), 25832)
            offset 0
          ) place
          join address_access a on a.point_id = place.id and a.status = 3
          order by place.distance, a.id
          limit 1
        ) near
        where near.distance <= ${RADIUS_M}`.execute(store.db);
      answered += some.length;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (1000 * answered) / (performance.now() - started);
}
