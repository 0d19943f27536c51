/**
 * Addresses over HTTP: reverse batches beside PostGIS asked set-based for the same points, and
 * autocomplete as people type beside a bare Fastify that answers as many bytes, in one run. Generated
 * addresses in PostgreSQL, the whole service over them (keys and metering included), one raw client.
 * `--scale=1` is the whole country.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openStore } from '../src/db/connect.ts';
import type { Store } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import type { PointUtm32 } from '../src/geo/point.ts';
import { toUtm32, toWgs84 } from '../src/geo/project.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { AccessRow } from '../src/layers/addresses.ts';
import { fillAddresses } from './address-fill.ts';
import { arrive, typedTexts } from './address-typing.ts';
import type { ArrivalTimes, TypedAddress } from './address-typing.ts';
import { openData } from './data.ts';
import { fillStore } from './fill.ts';
import type { ServerOrder, ServerReport } from './http-server.ts';
import { drive, get, post } from './load.ts';
import type { LoadResult } from './load.ts';
import { nationalAddresses } from './national/addresses.ts';
import type { GeneratedAddresses } from './national/addresses.ts';
import { Land, randomFrom } from './national/land.ts';
import { option } from './option.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const PATH = '/v1/adresser/reverse:batch';
const BATCH = LIMITS.addressPointsPerBatch;
const BATCHES = 200;
const RADIUS_M = LIMITS.addressRadiusM.default;
/** Points lie about as far from a door as one who stands in the street or on the land. */
const SPREAD_M = 120;
const ROUNDS = 3;
const ROUND_MS = 3_000;
const WARM_MS = 2_000;
/** Loading every snapshot and building the book, at the most. */
const READY_MS = 10 * 60_000;
const CONNECTIONS = 8;
/** Statements under way at a time, as the store's own connections. */
const CLIENTS = 4;
/** People typing: requests a second, addresses typed to their end, and how often all of it is done. */
const TYPED_PER_S = 200;
const TYPED_ADDRESSES = 400;
const TYPED_MS = 10_000;
const TYPED_ROUNDS = 3;
/** The layers beside the addresses only have to be there. */
const LAYER_SCALE = 0.002;

interface Place {
  readonly lon: number;
  readonly lat: number;
}

export async function benchAddressHttp(): Promise<readonly BenchRow[]> {
  const scale = Number(option('scale') ?? '0.03');
  const data = await openData();
  const servers: Server[] = [];
  const store = await openStore({ ...data, purpose: 'sync', log: console });
  try {
    await migrate(store);
    await fillStore(store, new Land(LAYER_SCALE));
    const made = nationalAddresses(new Land(scale));
    const lot = new Lot();
    const rows = { ...made, accesses: lot.through(made.accesses) };
    const fillS = await seconds(() => fillAddresses(store, rows));
    const places = lot.places();
    const server = await start(servers, { ...data.settings, SYNC: 'off' }, places);
    const requests = batchesOf(places, server.key);
    const best = await contest(server, store, { requests, places });
    const typing = await benchTyping(servers, server, lot.typed(made));
    const points = best.ours.perSecond * BATCH;
    const ratio = points / best.postgis;
    return [
      row({ what: 'access addresses', value: made.accessCount, unit: 'rows' }),
      row({ what: 'fill the store', value: fillS, unit: 's' }),
      row({
        what: 'process start to the first answer, book built',
        value: server.readyS,
        unit: 's',
      }),
      row({ what: 'body of an answer, mean', value: best.ours.bodyBytes, unit: 'bytes' }),
      row({
        what: `reverse batch of ${BATCH} over HTTP`,
        value: points,
        unit: 'points/s',
        gate: { text: '>= 75,000 (goal 150,000)', pass: points >= 75_000 },
      }),
      row({ what: 'the same, processor time a point', value: best.cpuUs / BATCH, unit: 'µs' }),
      row({
        what: `reverse batch of ${BATCH} over HTTP`,
        value: points,
        unit: 'points/s',
        reference: { what: 'PostGIS set-based', value: best.postgis },
        gate: { text: '>= 2 (goal 5)', pass: ratio >= 2 },
      }),
      ...typing,
    ];
  } finally {
    for (const server of servers) await server.stop();
    await store.close();
    await data.close();
  }
}

/**
 * Autocomplete at the gate's rate, and a bare server at the same; of each the median round, all of them
 * in turn, so that both meet the same weather.
 */
async function benchTyping(
  servers: Server[],
  server: Server,
  addresses: readonly TypedAddress[],
): Promise<readonly BenchRow[]> {
  const texts = typedTexts(addresses, randomFrom(42));
  const requests = texts.map((text) =>
    get(`/v1/adresser/autocomplete?q=${encodeURIComponent(text)}`, server.key),
  );
  const first = await drive({ port: server.port, requests, connections: 1, durationMs: WARM_MS });
  if (first.refused > 0) throw new Error(`${first.refused} refused: ${first.firstRefusal}`);
  const bare = await startBare(servers, Math.round(first.bodyBytes));
  const load = { perSecond: TYPED_PER_S, durationMs: TYPED_MS, requests };
  const rounds: { ours: ArrivalTimes; bare: ArrivalTimes }[] = [];
  const used = { ours: 0, bare: 0 };
  const ask = async (of: 'ours' | 'bare', round: number): Promise<ArrivalTimes> => {
    const asked = of === 'ours' ? server : bare;
    const before = await asked.cpuUs();
    const times = await arrive({ ...load, port: asked.port, random: randomFrom(60 + round) });
    used[of] += ((await asked.cpuUs()) - before) / times.answers / TYPED_ROUNDS;
    return times;
  };
  for (let round = 0; round < TYPED_ROUNDS; round++) {
    rounds.push({ ours: await ask('ours', round), bare: await ask('bare', round) });
  }
  const median = (of: (round: (typeof rounds)[number]) => number): number =>
    rounds.map(of).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? NaN;
  const p99 = median(({ ours }) => ours.p99Ms);
  const beside = (of: (times: ArrivalTimes) => number) => ({
    value: median(({ ours }) => of(ours)),
    unit: 'ms',
    reference: { what: 'bare Fastify, same size', value: median((round) => of(round.bare)) },
  });
  return [
    row({ what: 'autocomplete, body of an answer, mean', value: first.bodyBytes, unit: 'bytes' }),
    row({
      what: 'autocomplete over HTTP, processor time a request',
      value: used.ours,
      unit: 'µs',
      reference: { what: 'bare Fastify, same size', value: used.bare },
    }),
    row({
      what: `autocomplete at ${TYPED_PER_S} requests/s over HTTP, p50`,
      ...beside(({ p50Ms }) => p50Ms),
    }),
    row({
      what: `autocomplete at ${TYPED_PER_S} requests/s over HTTP, p99`,
      ...beside(({ p99Ms }) => p99Ms),
      gate: { text: '<= 30 (goal 10)', pass: p99 <= 30 },
    }),
    row({
      what: `autocomplete at ${TYPED_PER_S} requests/s over HTTP, slowest`,
      ...beside(({ slowestMs }) => slowestMs),
    }),
  ];
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Places around addresses drawn by lot while they go by: they come only once. */
class Lot {
  readonly #random = randomFrom(11);
  readonly #drawn: PointUtm32[] = [];
  readonly #typed: AccessRow[] = [];

  *through(accesses: Iterable<AccessRow>): Generator<AccessRow> {
    let seen = 0;
    for (const row of accesses) {
      yield row;
      if (row.position === null || row.status !== 3) continue;
      seen += 1;
      const { length } = this.#drawn;
      const at = length < BATCHES * BATCH ? length : Math.floor(this.#random() * seen);
      if (at < BATCHES * BATCH) this.#drawn[at] = row.position;
      if (at < TYPED_ADDRESSES) this.#typed[at] = row;
    }
  }

  typed({ roads, postcodes }: GeneratedAddresses): readonly TypedAddress[] {
    return this.#typed.map(({ road, houseNumber, postcode }) => ({
      roadName: roads[road]!.name,
      houseNumber,
      postcode: postcodes[postcode ?? 0]!.code,
      postcodeName: postcodes[postcode ?? 0]!.name,
    }));
  }

  places(): Place[] {
    const off = (): number => SPREAD_M * (this.#random() - 0.5);
    return this.#drawn.map(({ xUtm32, yUtm32 }) => {
      const { lon, lat } = toWgs84({ xUtm32: xUtm32 + off(), yUtm32: yUtm32 + off() });
      return { lon: Number(lon.toFixed(7)), lat: Number(lat.toFixed(7)) };
    });
  }
}

function* batchesIn(places: readonly Place[]): Generator<readonly Place[]> {
  for (let at = 0; at + BATCH <= places.length; at += BATCH) yield places.slice(at, at + BATCH);
}

function batchesOf(places: readonly Place[], key: string | null): Buffer[] {
  return Array.from(batchesIn(places), (punkter) => post(PATH, { punkter, radius: RADIUS_M }, key));
}

interface Best {
  readonly ours: LoadResult;
  /** Of the server, a request, microseconds. */
  readonly cpuUs: number;
  /** Points a second. */
  readonly postgis: number;
}

/** The best of some rounds, both in every round, so that they meet the same weather. */
async function contest(
  server: Server,
  store: Store,
  { requests, places }: { readonly requests: readonly Buffer[]; readonly places: readonly Place[] },
): Promise<Best> {
  const load = { port: server.port, requests, connections: CONNECTIONS };
  await drive({ ...load, durationMs: WARM_MS });
  const rounds: Best[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = await server.cpuUs();
    const ours = await drive({ ...load, durationMs: ROUND_MS });
    const cpuUs = ((await server.cpuUs()) - before) / ours.answers;
    if (ours.refused > 0) throw new Error(`${ours.refused} refused: ${ours.firstRefusal}`);
    rounds.push({ ours, cpuUs, postgis: await askPostgis(store, places) });
  }
  const postgis = Math.max(...rounds.map((each) => each.postgis));
  rounds.sort((a, b) => b.ours.perSecond - a.ours.perSecond);
  return { ...rounds[0]!, postgis };
}

/** Points a second: id and distance alone, the projection not counted, several statements at a time. */
async function askPostgis(store: Store, places: readonly Place[]): Promise<number> {
  const batches = Array.from(batchesIn(places), (batch) => batch.map((place) => toUtm32(place)));
  const endMs = performance.now() + ROUND_MS;
  const started = performance.now();
  let answered = 0;
  let next = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const points = batches[next++ % batches.length]!;
      await sql`
        select q.n, near.id, near.distance
        from unnest(${points.map(({ xUtm32 }) => xUtm32)}::float8[],
          ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) with ordinality as q(x, y, n)
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
      answered += points.length;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return (1000 * answered) / (performance.now() - started);
}

interface Server {
  readonly port: number;
  readonly readyS: number;
  readonly key: string | null;
  cpuUs(): Promise<number>;
  stop(): Promise<void>;
}

/** A route of so many bytes, in a process of its own. */
async function startBare(servers: Server[], bytes: number): Promise<Server> {
  const server = await startChild({ kind: 'bare', body: 'x'.repeat(bytes) });
  servers.push(server);
  return server;
}

async function startChild(order: ServerOrder): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'http-server.ts'), { stdio: 'inherit' });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || !child.connected) return;
    const gone = once(child, 'exit');
    child.send({ kind: 'stop' } satisfies ServerOrder);
    await gone;
  };
  const cpuUs = async (): Promise<number> => {
    const usage = await ask(child, { kind: 'usage' });
    if (usage.kind !== 'usage') throw new Error('The server did not tell its usage.');
    return usage.cpuUs;
  };
  const up = await ask(child, order);
  if (up.kind !== 'up') throw new Error('The server did not come up.');
  return { port: up.port, key: up.key, readyS: 0, cpuUs, stop };
}

/** Up when a place is answered from memory. */
async function start(
  servers: Server[],
  settings: Readonly<Record<string, string>>,
  places: readonly Place[],
): Promise<Server> {
  const started = performance.now();
  const server = await startChild({ kind: 'service', settings });
  servers.push(server);
  const { port } = server;
  const headers = { authorization: `Bearer ${server.key ?? ''}` };
  for (let n = 0; ; n++) {
    if (performance.now() - started > READY_MS) throw new Error('The book was not built in time.');
    const { lon, lat } = places[n % places.length]!;
    const path = `/v1/adresser/reverse?lon=${lon}&lat=${lat}`;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await answer.arrayBuffer();
    if ((answer.headers.get('cache-status') ?? '').includes('snapshot')) break;
    await sleep(100);
  }
  return { ...server, readyS: (performance.now() - started) / 1000 };
}

async function ask(child: ChildProcess, order: ServerOrder): Promise<ServerReport> {
  const ended = new AbortController();
  const { signal } = ended;
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error('The server under test ended.');
  });
  exit.catch(() => undefined);
  const answer = once(child, 'message', { signal }).then(([report]) => report as ServerReport);
  child.send(order);
  try {
    return await Promise.race([answer, exit]);
  } finally {
    ended.abort();
  }
}
