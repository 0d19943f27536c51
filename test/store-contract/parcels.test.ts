/** Parcels by point, number and text (D150): the index in memory, the store, and `ST_Covers`. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { DoorParts } from '../../src/http/dawa/door.ts';
import type { Failure } from '../../src/kernel/failures.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { SelfAudit } from '../../src/memory/snapshot-audit.ts';
import { auditOfParcels } from '../../src/registers/cadastre/audit.ts';
import { createParcelLoader } from '../../src/registers/cadastre/load.ts';
import type { MunicipalitiesRead } from '../../src/registers/areas/municipalities.ts';
import { createParcels } from '../../src/registers/cadastre/parcel-lookup.ts';
import type { Parcels, ParcelsAnswer } from '../../src/registers/cadastre/parcel-lookup.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { keptAccess } from '../edge/access.ts';
import { toldAddresses } from '../edge/address-edge.ts';
import { expectError, sharedApp } from '../edge/edge.ts';
import { storeLookups } from '../support/lookups.ts';
import { NUMBERS, PARCELS, WRITTEN } from '../support/parcel-texts.ts';
import { publish, put } from '../support/property-store.ts';
import { amountOf, oneIn } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';
import { sharedWorkers } from '../support/sync-bench.ts';

const NOW_MS = Date.UTC(2026, 0, 10);
const DAY_MS = 86_400_000;
const [X, Y] = [650_000, 6_314_000];
const FACES = ['Ejerlav', 'SamletFastEjendom', 'Jordstykke', 'Lodflade'];
const HELLERUP = 12_851;

let nowMs = NOW_MS;
const clock = { nowMs: () => nowMs };
const access = keptAccess({ svc_live_all: {}, svc_live_dagi: { permission: 'restricted:dagi' } });

const store = await sharedStore();
const loader = createParcelLoader({
  store,
  workers: sharedWorkers(),
  directory: mkdtempSync(join(store.dataDir, 'parcels-')),
  storeName: 'test',
  log: (message) => console.error(message),
});
const { memory: parcels } = lookups();
const app = await sharedApp({
  access,
  parcels,
  dawa: {
    settings: { host: 'dawa.example.dk', keyless: null, isOpen: false },
    lookups: { addresses: toldAddresses(), parcels, parcelsCoverage: null } as DoorParts['lookups'],
  },
});
beforeAll(async () => {
  for (const [id, name] of [
    [HELLERUP, 'Hellerup'],
    [12_852, 'Ny Hellerup By, Prøve'],
    [12_853, 'Åløse By, 93'],
  ] as const) {
    await put(store, 'cadastre_district', { id, code: id, name });
  }
  await parcel(1, ['0 0,100 0,100 100,0 100,0 0'], { number: '12a', bfe: 9_100_001, area: 9_871 });
  // A hole with a parcel in it, and a corner that lies on an edge of the first.
  const ring = '100 20,200.123 0.457,220 100,150 180,100 120,100 20';
  await parcel(2, [`${ring}),(130 40,130 80,170 80,170 40,130 40`], { number: '12b' });
  await parcel(3, ['130 40,170 40,170 80,130 80,130 40'], { number: '2' });
  // Two faces that touch, and one beyond a road.
  await parcel(
    4,
    [
      '0 200,50 200,50 260,0 260,0 200',
      '50 200,90 200,90 260,50 260,50 200',
      '120 200,160 200,140 260.001,120 200',
    ],
    { number: '120' },
  );
  await parcel(5, ['0 100,100 100,100 200,0 200,0 100'], {
    number: '12a',
    district_id: 12_852,
    municipality_code: '0157',
  });
  await parcel(6, ['300 300,301 300,301 301,300 301,300 300'], { number: '12c', status: 2 });
  // Coordinates that are no whole millimetres.
  await parcel(
    7,
    ['0.1234567 -90.7654321,77.7777777 -50.3333333,31.1111111 -10.9999999,0.1234567 -90.7654321'],
    { number: '12bø' },
  );
  await parcel(8, [], { number: '9x', district_id: 12_853 });
});
beforeEach(async () => {
  nowMs = NOW_MS;
  await published({});
});

async function published(unanswered: object, tables = FACES): Promise<void> {
  await publish(store, 'matrikel', { syncedAtMs: NOW_MS, tables });
  const isNone = Object.keys(unanswered).length === 0;
  await store.pool.query(`update layer_state set unanswered = $1 where layer = 'matrikel'`, [
    isNone ? null : JSON.stringify({ unreadable: [], ...unanswered }),
  ]);
  await loader.refresh();
}

async function parcel(id: number, faces: readonly string[], more: Record<string, string | number>) {
  const row = { status: 3, district_id: HELLERUP, municipality_code: '0101', ...more };
  await put(store, 'cadastre_parcel', { id, ...row });
  for (const [n, face] of faces.entries()) {
    const moved = face.replaceAll(
      /(-?[\d.]+) (-?[\d.]+)/g,
      (_, x: string, y: string) => `${moveBy(X, x)} ${moveBy(Y, y)}`,
    );
    await put(store, 'cadastre_face', {
      id: `${id}_${n}`,
      parcel_id: id,
      geom: `MULTIPOLYGON(((${moved})))`,
    });
  }
}

/** In text, so that decimals stay as written. */
function moveBy(origin: number, text: string): string {
  return (origin + Number(text)).toFixed(7);
}

function lookups(): { memory: Parcels; stored: Parcels } {
  const options = { catalogue: REGISTERS_CATALOGUE, clock };
  return {
    memory: storeLookups(store, options, { cadastre: loader }).parcels,
    stored: storeLookups(store, options).parcels,
  };
}

const at = (x: number, y: number) => pointFromUtm32({ xUtm32: X + x, yUtm32: Y + y });
const namesOf = ({ parcels }: Pick<ParcelsAnswer, 'parcels'>) =>
  parcels.map(({ districtCode, number }) => `${districtCode} ${number}`);

async function probes(count: number): Promise<PointUtm32[]> {
  const { rows } = await sql<{ x: number; y: number; x2: number; y2: number }>`
    select ST_X(ST_StartPoint(s.geom)) as x, ST_Y(ST_StartPoint(s.geom)) as y,
      ST_X(ST_EndPoint(s.geom)) as x2, ST_Y(ST_EndPoint(s.geom)) as y2
    from cadastre_face f cross join lateral ST_DumpSegments(f.geom) s order by 1, 2, 3, 4`.execute(
    store.db,
  );
  const random = randomFrom(count);
  return Array.from({ length: count }, (_, i) => {
    const edge = rows[i % rows.length]!;
    const along = [0, 0.5, random(), random(), random()][i % 5]!;
    const off = [0, 0, 0, 1e-3, 60][i % 5]!;
    return {
      xUtm32: edge.x + along * (edge.x2 - edge.x) + off * (2 * random() - 1),
      yUtm32: edge.y + along * (edge.y2 - edge.y) + off * (2 * random() - 1),
    };
  });
}

describe('parcels at a point', () => {
  test('are those of ST_Covers, in memory as in the store, edges, holes and corners included', async () => {
    const points = await probes(amountOf({ gate: 600, night: 2_000 }));
    const { rows } = await sql<{ n: number; numbers: string[] }>`
      with place as materialized (
        select p.id, p.district_id, p.number, ST_UnaryUnion(ST_Collect(f.geom)) as geom
        from cadastre_parcel p join cadastre_face f on f.parcel_id = p.id
        where p.status = 3 group by p.id)
      select g.n::integer as n, array_remove(array_agg(c.district_id || ' ' || c.number), null) as numbers
      from unnest(${points.map(({ xUtm32 }) => xUtm32)}::float8[],
        ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) with ordinality g(x, y, n)
      left join place c on ST_Covers(c.geom, ST_SetSRID(ST_MakePoint(g.x, g.y), 25832))
      group by g.n order by g.n`.execute(store.db);
    const { memory, stored } = lookups();
    let [covered, shared] = [0, 0];
    for (const [n, utm32] of points.entries()) {
      const point = { ...pointFromUtm32(utm32), utm32 };
      const held = await memory.at(point);
      const names = namesOf(held);
      expect([...names].sort(), `${utm32.xUtm32} ${utm32.yUtm32}`).toEqual(
        [...rows[n]!.numbers].sort(),
      );
      if (n % 10 === 0) {
        const read = await stored.at(point);
        expect(plain(read)).toEqual(plain(held));
        const rungs = [held, read].map(({ provenance }) => provenance[0]?.rung);
        expect(rungs).toEqual(['snapshot', 'store']);
      }
      covered += Number(names.length > 0);
      shared += Number(names.length > 1);
    }
    expect(covered / points.length).toBeGreaterThan(0.4);
    expect(shared / points.length).toBeGreaterThan(0.05);
  });

  test('are answered at once as when waited for, where the names of municipalities are known', async () => {
    const municipalities = () => ({
      generation: 1,
      read: () => Promise.resolve(NAMES),
      all: () => NAMES,
    });
    const parcels = createParcels({
      ...{ clock, catalogue: REGISTERS_CATALOGUE, municipalities },
      memory: () => loader.current,
      readAround: () => Promise.reject(new Error('asked the store')),
      readNumber: () => Promise.reject(new Error('asked the store')),
      nameSources: (names) => names.join(),
    });
    for (const point of [at(50, 50), at(100, 100), at(900, 900)]) {
      const waited = await parcels.at(point);
      expect(parcels.tryAtSync(point)).toEqual(waited);
    }
    const { parcels: found, source } = await parcels.at(at(50, 50));
    expect(found[0]?.municipality).toEqual({ kode: '0101', navn: 'Opdigtet' });
    expect(source).toBe('Matriklen,DAGI');
  });

  test('are none where none lies, and in order where several do', async () => {
    const { memory } = lookups();
    expect(namesOf(await memory.at(at(900, 900)))).toEqual([]);
    expect(namesOf(await memory.at(at(100, 100)))).toEqual(['12851 12a', '12851 12b', '12852 12a']);
    // A parcel that is not in force yet.
    expect(namesOf(await memory.at(at(300.5, 300.5)))).toEqual([]);
  });
});

const NAMES: MunicipalitiesRead = {
  generation: 1,
  copy: { version: 1, syncedAtMs: NOW_MS, held: false },
  by: 'snapshot',
  byCode: new Map([['0101', { kommune: { kode: '0101', navn: 'Opdigtet' }, region: null }]]),
};

const plain = ({ parcels }: ParcelsAnswer) =>
  parcels.map(({ rings, ...parcel }) => ({
    ...parcel,
    rings: rings && [rings.xy, rings.starts, rings.kinds].map((list) => [...list.view()]),
  }));

test('parcels by number are found in any case, by memory and store alike', async () => {
  const { memory, stored } = lookups();
  for (const [code, number, count] of [
    [HELLERUP, '12a', 1],
    [HELLERUP, '12BØ', 1],
    [HELLERUP, ' 120 ', 1],
    [12_853, '9x', 1],
    [HELLERUP, '12', 0],
    [HELLERUP, '12c', 0],
    [1, '12a', 0],
  ] as const) {
    const [held, read] = [
      await memory.withNumber(code, number),
      await stored.withNumber(code, number),
    ];
    expect(held.parcels, `${code} ${number}`).toHaveLength(count);
    expect(plain(held)).toEqual(plain(read));
  }
});

test('parcels of a property, and all page by page, are those of the register', async () => {
  const { memory } = lookups();
  expect(namesOf(await memory.listed(9_100_001))).toEqual(['12851 12a']);
  expect(namesOf(await memory.listed(1))).toEqual([]);
  const all = ['12851 2', '12851 12a', '12851 12b', '12851 12bø', '12851 120'];
  const pages = [
    await memory.listed({ skip: 0, take: 3 }),
    await memory.listed({ skip: 3, take: 3 }),
  ];
  expect(pages.flatMap(namesOf)).toEqual([...all, '12852 12a']);
  expect(namesOf(await memory.listed({ skip: 90, take: 3 }))).toEqual([]);
});

test('districts are those of the register, with the box of their parcels in force', async () => {
  const { rows } = await sql<{ code: number; name: string; box: number[] | null }>`
      select d.code, d.name, case when count(f.geom) > 0 then array[min(ST_XMin(f.geom)),
        min(ST_YMin(f.geom)), max(ST_XMax(f.geom)), max(ST_YMax(f.geom))] end as box
      from cadastre_district d
      left join cadastre_parcel p on p.district_id = d.id and p.status = 3
      left join cadastre_face f on f.parcel_id = p.id
      group by d.code, d.name order by d.code`.execute(store.db);
  const { memory, stored } = lookups();
  const rounded = (box: readonly number[] | null) => box?.map((each) => Math.round(each * 1e3));
  const { districts } = memory.districts(null);
  expect(districts.map((each) => ({ ...each, box: rounded(each.box) }))).toEqual(
    rows.map((each) => ({ ...each, box: rounded(each.box) })),
  );
  expect(districts.filter(({ box }) => box === null)).toHaveLength(1);
  expect(memory.districts(12_853).districts).toEqual([districts[2]]);
  expect(() => stored.districts(null)).toThrow(expect.objectContaining({ code: unavailable }));
});

describe('parcels by text', () => {
  const search = async (text: string, municipalityCodes: string[] = [], limit = 20) =>
    namesOf(await lookups().memory.search({ text, municipalityCodes, limit }));

  test('have the number first, however it is written', async () => {
    const first = ['12851 12a', '12852 12a'];
    for (const text of ['Hellerup, 12a', 'HELL 12A']) {
      expect(await search(text), text).toEqual(first);
    }
    expect(await search('12a Hellerup By')).toEqual(['12852 12a']);
    expect(await search('12851 12a')).toEqual(['12851 12a']);
    expect(await search('12851')).toHaveLength(5);
  });

  test('are found by a misspelt district where none is as written', async () => {
    expect((await search('12a helerup'))[0]).toBe('12851 12a');
    expect(await search('12a Hellrup')).toEqual(['12851 12a']);
    expect(await search('12b, hellerpu')).toEqual(['12851 12b', '12851 12bø']);
    expect(await search('ålløse by')).toEqual(['12853 9x']);
    expect(await search('12a ny')).toEqual(['12852 12a']);
    expect(await search('12a nx')).toEqual([]);
    expect(await search('12a hxllxrxp')).toEqual([]);
    expect(await search('hellrup', ['0157'])).toEqual([]);
    // As written, elsewhere.
    expect(await search('åløse', ['0157'])).toEqual([]);
  });

  test('begin with the number, nearest first, within municipalities and a limit', async () => {
    expect(await search('12 Hellerup')).toEqual(
      ['12851 12a', '12851 12b', '12851 12bø', '12852 12a', '12851 120'].sort(byFirst),
    );
    expect(await search('12b')).toEqual(['12851 12b', '12851 12bø']);
    expect(await search('12a', ['0157'])).toEqual(['12852 12a']);
    expect(await search('12a', ['0999'])).toEqual([]);
    expect(await search('hellerup', [], 2)).toEqual(['12851 2', '12851 12a']);
    expect(await search('aaloese')).toEqual(['12853 9x']);
    expect(await search('Åløse By, 93')).toEqual(['12853 9x']);
    expect(await search('7 nowhere')).toEqual([]);
  });
});

const DOOR = '/dawa/jordstykker';
interface Told {
  readonly ejerlav?: { readonly kode: number };
  readonly ejerlav_kode?: number;
  readonly matrikelnr?: string;
  readonly matrikelnummer?: string;
  readonly jordstykke?: Told;
  readonly jordstykker?: readonly Told[];
}
type Answered = Told | Told[];

test.each(oneIn(2, PARCELS, 1))(
  'the parcel %s%s of %s is found in every spelling',
  async (d, l, name, code) => {
    const found = `${code} ${d}${l}`;
    const { memory, stored } = lookups();
    const missed: string[] = [];
    const expectFound = (door: string, first: string | undefined) => {
      if (first !== found) missed.push(`${door}: ${first ?? 'none'}`);
    };
    const headers = { authorization: 'Bearer svc_live_all' };
    const ask = async (url: string) => {
      const answer: Answered = (await app.inject({ url, headers })).json();
      const [first] = Array.isArray(answer) ? answer : (answer.jordstykker ?? [answer]);
      const { ejerlav, ejerlav_kode, matrikelnr, matrikelnummer } =
        first?.jordstykke ?? first ?? {};
      return `${ejerlav?.kode ?? ejerlav_kode} ${matrikelnr ?? matrikelnummer}`;
    };
    for (const text of WRITTEN.map((write) => write(d, l, name, code))) {
      const answer = await memory
        .search({ text, municipalityCodes: [], limit: 20 })
        .catch(() => ({ parcels: [] }));
      expectFound(text, namesOf(answer)[0]);
      for (const door of ['/v1/matrikel/jordstykke', DOOR, `${DOOR}/autocomplete`]) {
        expectFound(`${door} ${text}`, await ask(`${door}?q=${encodeURIComponent(text)}`));
      }
    }
    for (const number of NUMBERS.map((write) => write(d, l))) {
      for (const parcels of [memory, stored]) {
        expectFound(number, namesOf(await parcels.withNumber(code, number)).join());
      }
      const asked = encodeURIComponent(number);
      for (const url of [
        `/v1/matrikel/jordstykke?ejerlav_kode=${code}&matrikelnummer=${asked}`,
        `/v1/matrikel/jordstykke/${code}/${asked}`,
        `${DOOR}?ejerlavkode=0${code}&matrikelnr=${asked}`,
        `${DOOR}/${code}/${asked}`,
      ]) {
        expectFound(url, await ask(url));
      }
    }
    expect(missed).toEqual([]);
  },
);

test('a part of a text that was not understood is named, and no empty list', async () => {
  const { memory } = lookups();
  const search = (text: string) => memory.search({ text, municipalityCodes: [], limit: 20 });
  for (const [text, part] of [
    ['12a Hellerup hos Jensen', 'hos jensen'],
    ['Hellerup 12a 5sal', '5sal'],
  ] as const) {
    const error: unknown = expect.stringContaining(part);
    await expect(search(text)).rejects.toMatchObject({ type: 'invalid_request', message: error });
  }
  for (const text of ['99z Hellerup', '12a Nowhere']) {
    expect((await search(text)).parcels).toEqual([]);
  }
});

const byFirst = (a: string, b: string) => Number(a.slice(0, 5)) - Number(b.slice(0, 5));

const unavailable = 'upstream_unavailable';

describe('what is unread or away', () => {
  const refused = async (question: Promise<unknown>) =>
    await question.then(
      () => 'answered',
      (failure: unknown) => (failure as Failure).type,
    );
  const all = () => Object.values(lookups());

  test('an unread place is unanswered, and an unread property, wherever it may be the answer', async () => {
    await published({ unreadable: [[X + 40, Y + 40, X + 60, Y + 60]], objects: ['9100001'] });
    for (const parcels of all()) {
      expect(await refused(parcels.at(at(50, 50)))).toBe(unavailable);
      expect(await refused(parcels.at(at(5, 5)))).toBe(unavailable);
      expect(await refused(parcels.withNumber(HELLERUP, '12a'))).toBe(unavailable);
      // It may be the parcel that could not be read.
      expect(await refused(parcels.withNumber(HELLERUP, '77'))).toBe(unavailable);
      expect(namesOf(await parcels.at(at(900, 900)))).toEqual([]);
      expect(namesOf(await parcels.withNumber(HELLERUP, '12b'))).toEqual(['12851 12b']);
      expect(namesOf(await parcels.at(at(150, 60)))).toEqual(['12851 2']);
    }
    expect(await refused(search('77 hellerup'))).toBe(unavailable);
    expect(await refused(search('12 hellerup'))).toBe(unavailable);
    expect(namesOf(await search('12b hellerup'))).toContain('12851 12b');
  });

  const search = (text: string) =>
    lookups().memory.search({ text, municipalityCodes: [], limit: 20 });

  test('an unread parcel leaves unanswered what it may be, and nothing else', async () => {
    await published({ objects: ['9999999'], names: ['12851 77a', '12853 '] });
    for (const parcels of all()) {
      expect(await refused(parcels.withNumber(HELLERUP, '77A'))).toBe(unavailable);
      expect(await refused(parcels.withNumber(12_853, '1'))).toBe(unavailable);
      expect(namesOf(await parcels.withNumber(HELLERUP, '77'))).toEqual([]);
      expect(namesOf(await parcels.withNumber(12_852, '77a'))).toEqual([]);
    }
    for (const text of ['77a', '7', 'hellerup', '7 hell', '77 12851', '1 åløse', 'by, 1']) {
      expect(await refused(search(text)), text).toBe(unavailable);
    }
    expect(namesOf(await search('hellerup 8'))).toEqual([]);
    expect(namesOf(await search('ny hellerup by, prøve'))).toEqual(['12852 12a']);
    expect(namesOf(await search('12 hellerup'))).toHaveLength(5);
    expect(namesOf(await search('77a ny'))).toEqual([]);
  });

  test('an unread row of unknown parcel may be any that is not found', async () => {
    await published({ objects: [null], names: [null] });
    for (const parcels of all()) {
      expect(await refused(parcels.withNumber(HELLERUP, '77'))).toBe(unavailable);
      expect(await refused(parcels.at(at(900, 900)))).toBe(unavailable);
      expect(namesOf(await parcels.at(at(50, 50)))).toEqual(['12851 12a']);
    }
    expect(await refused(search('12 hellerup'))).toBe(unavailable);
    expect(namesOf(await search('12b hellerup'))).toContain('12851 12b');
  });

  test('without faces a point is unanswered, and a number has no place', async () => {
    await published({}, ['Ejerlav', 'SamletFastEjendom', 'Jordstykke']);
    for (const parcels of all()) expect(await refused(parcels.at(at(50, 50)))).toBe(unavailable);
  });

  test('an old copy is marked, and past its hard limit does not answer', async () => {
    nowMs = NOW_MS + 4 * DAY_MS;
    for (const parcels of all())
      expect((await parcels.at(at(50, 50))).provenance[0]?.rung).toBe('stale');
    nowMs = NOW_MS + 400 * DAY_MS;
    for (const parcels of all()) {
      expect(await refused(parcels.at(at(50, 50)))).toBe(unavailable);
      expect(await refused(parcels.withNumber(HELLERUP, '12a'))).toBe(unavailable);
      const question = { text: '12a', municipalityCodes: [], limit: 1 };
      expect(await refused(parcels.search(question))).toBe(unavailable);
    }
  });
});

test('outside the covered land a point is unanswered, and what is not found says so', async () => {
  const side = 150;
  const borders = [[X, Y, X + side, Y, X + side, Y + side, X, Y + side, X, Y]];
  const coverage = { kind: 'polygon', name: 'en mark', borders } as const;
  const { registers } = REGISTERS_CATALOGUE;
  const matrikel = { ...registers.matrikel, coverage };
  const catalogue = { ...REGISTERS_CATALOGUE, registers: { ...registers, matrikel } };
  for (const indexes of [{ cadastre: loader }, {}]) {
    const { parcels } = storeLookups(store, { catalogue, clock }, indexes);
    expect(namesOf(await parcels.at(at(50, 50)))).toEqual(['12851 12a']);
    await expect(parcels.at(at(150.5, 50))).rejects.toMatchObject({
      type: 'upstream_unavailable',
      code: 'outside_coverage',
    });
    expect(parcels.tryAtSync(at(150.5, 50))).toBeNull();
  }
});

describe('held against the store', () => {
  const rounds = async (count: number) => {
    const alarms: string[] = [];
    const idle = { ...auditOfParcels(loader, store), isInService: () => false };
    const watch = new SelfAudit({
      memory: { current: null, suspend: () => undefined },
      ...{ store, sources: [], records: [idle, auditOfParcels(loader, store)] },
      ...{ catalogue: REGISTERS_CATALOGUE, clock, searchRadiusM: 500, random: randomFrom(3) },
      alarm: (line) => alarms.push(line),
    });
    for (let n = 0; n < 3 * count; n++) await watch.round();
    return { ...watch.view(), alarms };
  };

  test('they agree, also those without faces, and another version is not compared', async () => {
    const { compared, differences, alarms } = await rounds(15);
    expect({ differences, alarms }).toEqual({ differences: 0, alarms: [] });
    expect(compared).toBeGreaterThan(60);
    await publish(store, 'matrikel', { syncedAtMs: NOW_MS, tables: FACES });
    expect(await rounds(3)).toMatchObject({ compared: 0 });
    expect(loader.current).not.toBeNull();
  });

  test.each([
    ['fact', 'cadastre_parcel', 'area = area + $1 where id = 1'],
    ['vertex', 'cadastre_face', 'geom = ST_Translate(geom, $1 / 2.0, 0) where parcel_id = 4'],
    ['parcel more', 'cadastre_parcel', 'status = 3 - ($1 + 1) / 2 where id = 3'],
    ['name', 'cadastre_district', `name = repeat('Hellerup', 1 + ($1 + 1) / 2) where id = 12851`],
  ])('a %s in the store takes them out of service', async (_, table, change) => {
    const set = (way: 1 | -1) =>
      store.pool.query(`update ${table} set ${change.replace('$1', String(way))}`);
    await set(1);
    await published({});
    await set(-1);
    const { alarms } = await rounds(15);
    expect(alarms.join()).toMatch(/ALARM: the snapshot of matrikel .* otherwise than the store/);
    expect(loader.current).toBeNull();
    expect(namesOf(await lookups().memory.at(at(150, 60)))).toEqual(['12851 2']);
  });
});

describe('the endpoint', () => {
  const get = (path: string, secret = 'svc_live_all') =>
    app.inject({
      url: `/v1/matrikel/jordstykke${path}`,
      headers: { authorization: `Bearer ${secret}` },
    });

  test('answers the three questions alike, as documented', async () => {
    const byPoint = await get(`?x=${X + 50}&y=${Y + 50}&srid=25832`);
    const byNumber = await get(`?ejerlav_kode=${HELLERUP}&matrikelnummer=12a`);
    const byPath = await get(`/${HELLERUP}/12A`);
    for (const answer of [byPoint, byNumber, byPath]) {
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toEqual(byPoint.json());
    }
    const [found] = byPoint.json<{ jordstykker: Record<string, unknown>[] }>().jordstykker;
    expect(found).toMatchObject({
      matrikelnummer: '12a',
      ejerlav_kode: HELLERUP,
      ejerlav_navn: 'Hellerup',
      bfe_nummer: 9_100_001,
      kommune: { kode: '0101', navn: null },
      registreret_areal_m2: 9_871,
      epsg25832: [X + 50, Y + 50],
    });
    expect((await get(`/${HELLERUP}/77`)).statusCode).toBe(404);
  });

  test('pages what fits a text', async () => {
    const page = await get('?q=hellerup&side=2&per_side=2');
    expect(page.json()).toMatchObject({ antal: 2, side: 2, per_side: 2 });
    const numbers = page.json<{ jordstykker: { matrikelnummer: string }[] }>().jordstykker;
    expect(numbers.map(({ matrikelnummer }) => matrikelnummer)).toEqual(['12b', '12bø']);
  });

  test('takes one unit, none for a refusal, and asks for the permission of BBR', async () => {
    const { length: before } = access.settled;
    expect((await get('?q=hellerup')).statusCode).toBe(200);
    expect((await get(`/${HELLERUP}/77`)).statusCode).toBe(404);
    expect(access.settled.slice(before).map(({ units }) => units)).toEqual([1]);
    expectError(await get('?q=hellerup', 'svc_live_dagi'), 'forbidden');
  });

  test.each([
    ...['', '?q=', '?q=%20-%20', '?q=hellerup&lon=11&lat=56', '?lon=11'],
    ...['?lon=11&lat=56&ejerlav_kode=1&matrikelnummer=1', '?ejerlav_kode=1', '?matrikelnummer=1a'],
    ...['?ejerlav_kode=x&matrikelnummer=1a', '?lon=11&lat=56&kommunekode=0101'],
    ...['?q=a&per_side=1000000000', '?q=a&side=0', '?q=a&side=1e9', '?q=a&q=b'],
    ...['?q=a&kommunekode=x', '?x=1&y=2&srid=25832', '?q=hellerup&unknown=1', '/0/1a', '/x/1a'],
    '/12851/%00',
    `/12851/${'1'.repeat(50)}`,
  ])('refuses %s', async (path) => {
    expectError(await get(path), 'invalid_request');
  });
});
