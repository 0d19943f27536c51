/**
 * Parcels by point: memory and processor time of the index at national size, beside `ST_Covers` over the
 * same parcels in PostGIS. `node bench/parcels.ts [parcels] [parcels in PostGIS]`
 */
import { readFileSync } from 'node:fs';
import { multiPolygonWkb } from '../src/geo/wkb.ts';
import { buildParcelIndex } from '../src/registers/cadastre/index/build-parcels.ts';
import type { ExportedParcel } from '../src/registers/cadastre/index/build-parcels.ts';
import { ParcelIndex } from '../src/registers/cadastre/index/parcel-index.ts';
import { randomFrom } from '../src/snapshot/probes.ts';
import pg from 'pg';
import { openMigrated, openPostgres } from './harness/store.ts';

const NATIONAL = 2_600_000;
const [COUNT, STORED] = [Number(process.argv[2] ?? NATIONAL), Number(process.argv[3] ?? 200_000)];
const QUESTIONS = 100_000;
const STORED_QUESTIONS = 5_000;
const DISTRICTS = 9_000;
const [WEST, SOUTH] = [450_000, 6_050_000];
const SIDE_M = 128;
const STEPS = 4;
const COLUMNS = Math.ceil(Math.sqrt(COUNT));

/** A vertex of the net, in whole millimetres, moved by at most 8 m. */
function vertex(column: number, row: number): [number, number] {
  const moved = (salt: number) => {
    const hash = Math.imul((column * 73_856_093) ^ (row * 19_349_663) ^ salt, 0x9e37_79b1) >>> 0;
    return (hash / 2 ** 32 - 0.5) * 16;
  };
  const step = SIDE_M / STEPS;
  const x = WEST + column * step + moved(1);
  const y = SOUTH + row * step + moved(2);
  return [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];
}

function parcel(n: number): ExportedParcel {
  const [column, row] = [STEPS * (n % COLUMNS), STEPS * Math.floor(n / COLUMNS)];
  const ring: number[] = [];
  for (let i = 0; i < 4 * STEPS + 1; i++) {
    const [side, along] = [Math.floor(i / STEPS) % 4, i % STEPS];
    const dx = [along, STEPS, STEPS - along, 0][side]!;
    const dy = [0, along, STEPS, STEPS - along][side]!;
    ring.push(...vertex(column + dx, row + dy));
  }
  const [whole, letter] = [1 + (Math.floor(n / DISTRICTS) % 60), Math.floor(n / DISTRICTS / 60)];
  return {
    id: n + 1,
    number: `${whole}${letter === 0 ? '' : String.fromCharCode(96 + letter)}`,
    bfe: 1_000_000 + n,
    district_id: 1 + (n % DISTRICTS),
    area: SIDE_M * SIDE_M,
    municipality_code: String(101 + (n % 98)).padStart(4, '0'),
    wkb: multiPolygonWkb([[ring]]),
  };
}

function* parcels(count: number): Generator<ExportedParcel, undefined> {
  for (let n = 0; n < count; n++) yield parcel(n);
}

function points(count: number, rows: number): (readonly [number, number])[] {
  const random = randomFrom(5);
  const extent = COLUMNS * SIDE_M;
  return Array.from({ length: count }, () => [
    WEST + random() * extent,
    SOUTH + random() * rows * SIDE_M,
  ]);
}

const cpuMs = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;
const report = (what: string, value: number, unit: string) =>
  console.log(`${what.padEnd(52)} ${value.toFixed(value < 10 ? 3 : 0)} ${unit}`);

function measureMemory(): void {
  const districts = Array.from({ length: DISTRICTS }, (_, n) => ({
    id: n + 1,
    code: 10_000 + n,
    name: `Opdigtede ${String.fromCharCode(97 + (n % 26))}marker By, ${n}`,
  }));
  const before = performance.now();
  const meta = { version: 1, hasFaces: true };
  const buffer = buildParcelIndex(meta, { districts, parcels: parcels(COUNT) });
  report(`built of ${COUNT} parcels`, (performance.now() - before) / 1000, 's');
  report('index in memory', buffer.byteLength / 2 ** 20, 'MiB');
  const index = new ParcelIndex(buffer, { verified: true });
  const asked = points(QUESTIONS, COUNT / COLUMNS);
  let found = 0;
  for (const [x, y] of asked.slice(0, 5_000)) index.at({ xUtm32: x, yUtm32: y });
  const from = cpuMs();
  for (const [x, y] of asked) found += index.at({ xUtm32: x, yUtm32: y }).length;
  report('parcels a point', found / QUESTIONS, '');
  report('by point, processor', ((cpuMs() - from) / QUESTIONS) * 1000, 'us');
  for (const text of ['12a opdigtede', 'bmarker', '59', '9999999 by', 'zzz', 'by', 'by, 12']) {
    for (const municipalityCodes of [[], ['0101'], ['9999']]) {
      const start = cpuMs();
      for (let n = 0; n < 20; n++) index.search({ text, municipalityCodes, limit: 20 });
      const what = `search "${text}" ${municipalityCodes.join()}, processor`;
      report(what, ((cpuMs() - start) / 20) * 1000, 'us');
    }
  }
}

/** Processor time of a server process, milliseconds. */
function backendMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measureStore(): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const data = await openPostgres(cleanup);
  await openMigrated(cleanup, data);
  const client = new pg.Client({ connectionString: data.databaseUrl });
  await client.connect();
  try {
    for (let n = 0; n < STORED; n += 5_000) {
      const rows = Array.from({ length: Math.min(5_000, STORED - n) }, (_, i) => parcel(n + i));
      await client.query(
        `insert into cadastre_face (id, parcel_id, geom, registered_from, valid_from)
         select id, id::bigint, ST_SetSRID(ST_GeomFromWKB(wkb), 25832), now(), now()
         from unnest($1::text[], $2::bytea[]) given(id, wkb)`,
        [rows.map(({ id }) => String(id)), rows.map(({ wkb }) => Buffer.from(wkb!))],
      );
    }
    await client.query('vacuum analyze cadastre_face');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const asked = points(STORED_QUESTIONS, Math.floor(STORED / COLUMNS));
    const text = `select parcel_id, ST_AsBinary(geom, 'NDR') from cadastre_face
      where ST_Covers(geom, ST_SetSRID(ST_MakePoint($1, $2), 25832))`;
    const ask = ([x, y]: readonly [number, number]) =>
      client.query({ name: 'covers', text, values: [x, y] });
    for (const each of asked.slice(0, 500)) await ask(each);
    const [own, server] = [cpuMs(), backendMs(rows[0]!.pid)];
    for (const each of asked) await ask(each);
    report(
      'ST_Covers, processor of PostgreSQL',
      ((backendMs(rows[0]!.pid) - server) / STORED_QUESTIONS) * 1000,
      'us',
    );
    report('ST_Covers, processor of the asker', ((cpuMs() - own) / STORED_QUESTIONS) * 1000, 'us');
  } finally {
    await client.end();
  }
}

measureMemory();
await measureStore();
