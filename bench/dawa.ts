/**
 * The door for clients of DAWA beside the same questions under `/v1`, and parcels by point beside
 * `dagi/reverse`: over HTTP at 200 requests a second, keys and metering included, round by round in one
 * run. `--scale=1` is the whole country, with 2.6 M parcels.
 */
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Store } from '../src/db/connect.ts';
import type { PointUtm32 } from '../src/geo/point.ts';
import { toWgs84 } from '../src/geo/project.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { AccessRow } from '../src/registers/addresses/addresses.ts';
import { Sample } from './address-http.ts';
import { fillAddresses, fillStore } from './fill.ts';
import { pace, PER_SECOND } from './harness/contest.ts';
import type { Paced } from './harness/contest.ts';
import { drive, expectNoRefusal, get } from './harness/load.ts';
import { interleave, median } from './harness/measure.ts';
import { numberOption, option, scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { startService, untilFromMemory } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import { openData, openMigrated } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import type { GeneratedAddresses } from './national/addresses.ts';
import { Land, randomFrom } from './national/land.ts';
import { NATIONAL_PARCELS, ParcelNet } from './national/parcels.ts';
import { typedTexts } from './national/typing.ts';
import { fillParcels } from './parcel-fill.ts';
import { fillPlaces, namesOf } from './place-fill.ts';
import { areasPath, placesOf } from './places.ts';

const ROUNDS = 7;
const ROUND_MS = 2_000;
const WARM_MS = 2_000;
const WARM_CONNECTIONS = 4;
/** More than warm-ups and rounds ask for: what is kept of single addresses answers no round. */
const DRAWN = 30_000;
const TYPED = 400;
const NATIONAL_PLACES = 100_000;
/** The lines only have to be there. */
const LINES_SCALE = 0.002;
/** Of the door beside `/v1`, of a median and of processor time. */
const PASS = '<= 1.15 (goal 1.05)';
const TAIL_PASS = '<= 1.5 (goal 1.15)';
const PARCEL_PASS = '<= 1.5 (goal 1.1)';
const BYTES_PASS = '<= 15,000 (goal 12,000)';

interface Country {
  readonly server: Server;
  readonly net: ParcelNet;
  readonly land: Land;
  readonly drawn: readonly DrawnAddress[];
}

interface DrawnAddress {
  readonly id: string;
  readonly roadName: string;
  readonly whole: string;
  readonly position: PointUtm32;
}

/** Each as soon as it is measured. `--part=reverse`: those with the word alone. */
export async function* benchDawa(): AsyncGenerator<BenchRow> {
  await using cleanup = new AsyncDisposableStack();
  const country = await startCountry(cleanup);
  const part = option('part') ?? '';
  for (const pair of pairsOf(country)) {
    if (pair.what.includes(part)) yield* await pairRows(country.server, pair);
  }
  yield await bytesRow(country);
}

/** In DAWA's own form, compressed, as they come over the wire. */
async function bytesRow({ server }: Country): Promise<BenchRow> {
  const path = '/dawa/adgangsadresser?per_side=100';
  const headers = { authorization: `Bearer ${server.key ?? ''}`, 'accept-encoding': 'gzip' };
  const { port } = server;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, resolve).on('error', reject).end();
  });
  const body = await buffer(answer);
  const { length } = JSON.parse(gunzipSync(body).toString()) as readonly unknown[];
  if (length !== 100) throw new Error(`There are ${length} addresses where 100 are asked for.`);
  return row('bytes of 100 addresses, compressed', body.length, 'bytes', { gate: BYTES_PASS });
}

/** A service with the door over addresses, areas, parcels and places, all in memory. */
async function startCountry(
  cleanup: Cleanup,
  settings: Readonly<Record<string, string>> = {},
): Promise<Country> {
  const scale = scaleOption();
  const [land, net] = [new Land(scale), new ParcelNet(Math.round(scale * NATIONAL_PARCELS))];
  const data = await openData(cleanup);
  const drawn = await fillCountry(await openMigrated(cleanup, data), { land, net });
  const server = await startService(cleanup, { ...data.settings, DAWA: 'on', ...settings });
  const country = { server, net, land, drawn };
  await untilFromMemory(server, [
    `/v1/adresser/reverse?${lonLat(drawn[0]!.position)}`,
    `/v1/matrikel/jordstykke?${lonLat(net.points(1, 1)[0]!)}`,
  ]);
  await server.untilPlaces();
  return country;
}

/** Tells some of its addresses. */
async function fillCountry(
  store: Store,
  { land, net }: Pick<Country, 'land' | 'net'>,
): Promise<readonly DrawnAddress[]> {
  await fillStore(store, new Land(Math.min(land.scale, LINES_SCALE)), land);
  const made = nationalAddresses(land);
  const sample = new Sample(DRAWN);
  await fillAddresses(store, { ...made, accesses: sample.through(made.accesses) });
  await fillParcels(store, net);
  await fillPlaces(store, land, namesOf(Math.round(land.scale * NATIONAL_PLACES)));
  return sample.drawn.map((access) => drawnOf(made, access));
}

function drawnOf(
  { roads, postcodes }: GeneratedAddresses,
  { id, road, houseNumber, postcode, position }: AccessRow,
): DrawnAddress {
  const roadName = roads[road]!.name;
  const { code, name } = postcodes[postcode ?? 0]!;
  const whole = `${roadName} ${houseNumber}, ${code} ${name}`;
  return { id, roadName, whole, position: position! };
}

interface Pair {
  readonly what: string;
  readonly ours: readonly string[];
  /** Those that ask the same together, one after the other. */
  readonly beside: readonly (readonly [what: string, paths: readonly string[]])[];
  /** Of the ratios; absent: of p50 and processor time, as every resource of the door. */
  readonly gates?: { readonly p50?: string; readonly p99?: string; readonly cpu?: string };
}

function degreesOf(point: PointUtm32): readonly [lon: string, lat: string] {
  const { lon, lat } = toWgs84(point);
  return [lon.toFixed(7), lat.toFixed(7)];
}

function lonLat(point: PointUtm32): string {
  const [lon, lat] = degreesOf(point);
  return `lon=${lon}&lat=${lat}`;
}

function xy(point: PointUtm32): string {
  const [x, y] = degreesOf(point);
  return `x=${x}&y=${y}`;
}

/** As many suggestions of the door as of `/v1`. */
function pairsOf({ net, land, drawn }: Country): readonly Pair[] {
  const random = randomFrom(42);
  const typed = typedTexts(drawn.slice(0, TYPED), random).map(encodeURIComponent);
  const whole = drawn.map((each) => encodeURIComponent(each.whole));
  const around = drawn.map(({ position: { xUtm32, yUtm32 } }) => ({
    xUtm32: xUtm32 + 60 * (random() - 0.5),
    yUtm32: yUtm32 + 60 * (random() - 0.5),
  }));
  const parcels = net.points(DRAWN, 7);
  const most = `per_side=${LIMITS.addressesPerPage.default}`;
  const v1 = (path: string, asked: readonly string[]) =>
    [`/v1/${path}`, asked.map((each) => `/v1/${path}${each}`)] as const;
  const door = (path: string, asked: readonly string[]) =>
    asked.map((each) => `/dawa/${path}${each}`);
  const q = (texts: readonly string[], name = 'q') => texts.map((text) => `?${name}=${text}`);
  const ids = drawn.map(({ id }) => `/${id}`);
  const byLonLat = (points: readonly PointUtm32[]) => points.map((point) => `?${lonLat(point)}`);
  const byXy = (points: readonly PointUtm32[], more = '') =>
    points.map((point) => `?${xy(point)}${more}`);
  const autocomplete = [v1('adresser/autocomplete', q(typed))];
  const placed = drawn.map(({ position }) => position);
  /** What the nested form tells beside the address. */
  const lying = (points: readonly PointUtm32[]) => [
    v1('dagi/reverse', byLonLat(points)),
    v1('matrikel/jordstykke', byLonLat(points)),
  ];
  return [
    {
      what: 'autocomplete',
      ours: door('autocomplete', q(typed)).map((path) => `${path}&${most}`),
      ...{ beside: autocomplete, gates: { p50: PASS, p99: TAIL_PASS, cpu: PASS } },
    },
    {
      what: 'adresser/autocomplete',
      ours: door('adresser/autocomplete', q(typed)).map((path) => `${path}&${most}`),
      beside: autocomplete,
    },
    {
      what: 'adgangsadresser/reverse',
      ours: door('adgangsadresser/reverse', byXy(around)),
      beside: [v1('adresser/reverse', byLonLat(around)), ...lying(around)],
    },
    {
      what: 'adgangsadresser/reverse, mini',
      ours: door('adgangsadresser/reverse', byXy(around, '&struktur=mini')),
      beside: [v1('adresser/reverse', byLonLat(around))],
    },
    {
      what: 'adgangsadresser/:id',
      ours: door('adgangsadresser', ids),
      beside: [v1('adresser', ids), ...lying(placed)],
    },
    {
      what: 'adgangsadresser/:id, mini',
      ours: door('adgangsadresser', ids).map((path) => `${path}?struktur=mini`),
      beside: [v1('adresser', ids)],
    },
    {
      what: 'datavask/adgangsadresser',
      ours: door('datavask/adgangsadresser', q(whole, 'betegnelse')),
      beside: [v1('datavask', q(whole, 'betegnelse'))],
    },
    {
      what: 'jordstykker by point',
      ours: door('jordstykker', byXy(parcels)),
      beside: [v1('matrikel/jordstykke', byLonLat(parcels))],
    },
    {
      what: '/v1/matrikel/jordstykke by point',
      ours: v1('matrikel/jordstykke', byLonLat(parcels))[1],
      beside: [['/v1/dagi/reverse', placesOf(land).map(areasPath)]],
      gates: { p99: PARCEL_PASS },
    },
  ];
}

const middle = (rounds: readonly (Paced | null)[], value: (round: Paced) => number): number =>
  median(rounds.flatMap((round) => (round === null ? [] : [value(round)])));

/** Medians of interleaved rounds. */
async function pairRows(server: Server, pair: Pair): Promise<readonly BenchRow[]> {
  const { what, ours, beside, gates = { p50: PASS, cpu: PASS } } = pair;
  const at = (asked: readonly string[]) => {
    const requests = asked.map((path) => get(path, server.key));
    return (round: number) => measureAt(server, requests, round);
  };
  const rounds = numberOption('rounds', ROUNDS);
  const contestants = Object.fromEntries(
    [[what, ours] as const, ...beside].map(([name, paths]) => [name, at(paths)]),
  );
  const { [what]: mine = [], ...theirs } = await interleave(contestants, { rounds, warmUps: 1 });
  const others = Object.values(theirs);
  const besideName = beside.map(([name]) => name).join(' + ');
  const line = (name: string, unit: string, value: (round: Paced) => number, judged?: string) => {
    const other = others.reduce((sum, each) => sum + middle(each, value), 0);
    const gate = judged !== undefined && { ratioGate: judged };
    const options = { beside: [besideName, other] as const, ...gate };
    return row(`${what}, ${name}`, middle(mine, value), unit, options);
  };
  return [
    line('p50', 'ms', ({ p50Ms }) => p50Ms, gates.p50),
    line('p99', 'ms', ({ p99Ms }) => p99Ms, gates.p99),
    line('processor time of the server', 'µs', ({ cpuUs }) => cpuUs, gates.cpu),
  ];
}

/** A round below 0 makes the code of both sides warm. Each round asks other places. */
async function measureAt(
  server: Server,
  requests: readonly Buffer[],
  round: number,
): Promise<Paced | null> {
  const { port } = server;
  if (round < 0) {
    const warm = { port, requests, connections: WARM_CONNECTIONS, durationMs: WARM_MS };
    expectNoRefusal(await drive(warm));
    return null;
  }
  const asked = (2 * round * PER_SECOND * ROUND_MS) / 1000;
  const from = (requests.length / 2 + asked) % requests.length;
  const turned = [...requests.slice(from), ...requests.slice(0, from)];
  return await pace(server, turned, { durationMs: ROUND_MS, round });
}
