/**
 * Every kind of job in every format, cell for cell against the single lookup's answer. What a column means is said
 * here once more, from the documents: the writers of the files share nothing with it.
 */
import type { FastifyInstance } from 'fastify';
import { readXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type { Row } from '../../src/core/rows/cells.ts';
import type { Kind, RoleColumns, Srid } from '../../src/core/rows/job-types.ts';
import { describedLayers } from '../../src/registers/conditions/described.ts';
import { toWgs84 } from '../../src/geo/project.ts';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import { bowTie, box, positionsOf } from '../support/layer-fixture.ts';
import { amountOf, oneIn } from '../support/run-settings.ts';
import { parseRows, readAs } from './csv-judge.ts';
import { addJob, addOwner, finish } from './job-bench.ts';
import type { JobBench, Owner } from './job-bench.ts';

type Cell = string | number | boolean | null;
type Cells = Readonly<Record<string, Cell>>;

/** The answer of a single lookup, read by paths: `resultater.0.aktueladresse.id`. */
type Body = Readonly<Record<string, unknown>>;

interface Asked {
  readonly row: Row;
  /** The single lookup's question; a number: there is none, and the row is an error of this status. */
  readonly url: string | number;
  /** It is sent to. */
  readonly payload?: object;
}

interface KindCase {
  readonly kind: Kind;
  readonly columns: RoleColumns;
  readonly inputColumns: readonly string[];
  /** Absent: metres. */
  readonly srid?: Srid;
  readonly rows: () => Promise<readonly Asked[]>;
  /** By column, in the order of the file. */
  readonly cells: (body: Body) => Cells;
  /** Longitude and latitude. */
  readonly place: (body: Body) => readonly Cell[];
}

/** Rows of each kind of points, where there are fewer doors; the issue asks for 10,000 in a trial. */
const POINTS = Number(process.env['JOB_ROWS'] ?? amountOf({ gate: 0, night: 400 }));

let bench: JobBench;
let owner: Owner;
let edge: FastifyInstance;

/** Over a bench of the caller's. */
export function everyCellSuite(opened: () => JobBench): void {
  beforeAll(async () => {
    bench = opened();
    owner = await addOwner(bench.store);
    edge = await bench.keyed(owner);
  });
  describe.each(KINDS)('every cell of $kind by $inputColumns', (each) => {
    test('from memory is the single lookup’s', () => holdCells(each, false));
    // Addresses by text and names of units are in memory or nowhere.
    test.runIf(each.columns.x !== undefined)('from the store is the single lookup’s', () =>
      holdCells(each, true),
    );
  });
}

function valueAt(body: unknown, path: string): unknown {
  let value = body;
  for (const name of path.split('.')) {
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }
  return value;
}

const cellAt = (body: unknown, path: string): Cell => (valueAt(body, path) ?? null) as Cell;

const cellsAt = (body: unknown, paths: Readonly<Record<string, string>>): Cells =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, cellAt(body, path)]));

/** Members of an object that have the names of columns. */
const named = (of: string, names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, `${of}.${name}`]));

const query = async <T extends object>(text: string): Promise<T[]> =>
  (await bench.store.pool.query<T>(text)).rows;

/** Doors and homes, many of them properties of their own, some retired, some without a place. */
function addresses(): Promise<{ id: string; text: string }[]> {
  return query(`
    select a.id, concat_ws(', ', r.name || ' ' || a.house_number,
      nullif(concat_ws('. ', u.floor, u.door), ''), t.name, p.code || ' ' || p.name) as text
    from address_access a
    join address_road r on r.id = a.road_id
    join address_postcode p on p.id = a.postcode_id
    left join address_town t on t.id = a.town_id
    left join address_unit u on u.access_id = a.id
    where md5(coalesce(u.id, a.id)::text) < '08' or a.id = '${KNOWN_ADDRESS.accessId}'
      or u.id in (
        select unit_id from address_property where status = 3 and md5(unit_id::text) < '2')
    order by coalesce(u.id, a.id)`);
}

function pointsOf(path: string): Pick<KindCase, 'columns' | 'inputColumns' | 'rows' | 'place'> {
  return {
    columns: { x: 'øst', y: 'nord' },
    inputColumns: ['øst', 'nord'],
    rows: async () => {
      const doors = await query<{ x: number; y: number }>(`
        select st_x(g.geom) as x, st_y(g.geom) as y
        from address_access a join address_point g on g.id = a.point_id
        where a.status = 3 and g.geom is not null and md5(a.id::text) < '18' order by a.id`);
      return Array.from({ length: Math.max(doors.length, POINTS) }, (_, n) => {
        const door = doors[n % doors.length]!;
        // At the door, by it, a street off, and at sea, where some place has no known line (D142); a little
        // farther in each round of them.
        const sea = path === '/v1/natur/byggelinjer' && n % 8 === 7 ? 12_000 : 3_000;
        const away = ([0, 7.13, 190.5, sea][n % 4] ?? 0) + 1.37 * Math.floor(n / doors.length);
        const [x, y] = [door.x + away, door.y - away].map((metres) => metres.toFixed(2));
        return { row: [Number(x), y?.replace('.', ',')], url: `${path}?x=${x}&y=${y}&srid=25832` };
      });
    },
    place: (body) => [cellAt(body, 'punkt.lon'), cellAt(body, 'punkt.lat')],
  };
}

/** The same in degrees. */
function inDegrees(of: ReturnType<typeof pointsOf>): typeof of & { readonly srid: 4326 } {
  return {
    ...of,
    srid: 4326,
    rows: async () =>
      (await of.rows()).map(({ row: [x, y], url }) => {
        const metres = { xUtm32: Number(x), yUtm32: Number(String(y).replace(',', '.')) };
        const { lon, lat } = toWgs84(metres);
        return { row: [lon, lat], url: `${String(url).split('?')[0]}?lon=${lon}&lat=${lat}` };
      }),
  };
}

const POINT = { punkt_lon: 'punkt.lon', punkt_lat: 'punkt.lat' };
const METRES = { epsg25832_x: 'epsg25832.0', epsg25832_y: 'epsg25832.1' };

function areaCells(body: Body): Cells {
  const areas = body['omraader'] as readonly Readonly<Record<string, string>>[];
  const shown = (theme: string, member: string): string =>
    areas.flatMap((area) => (area['tema'] === theme ? [area[member]] : [])).join(' | ');
  const themes = THEMES.flatMap((theme) => [
    [`${theme}_kode`, shown(theme, 'kode')],
    [`${theme}_navn`, shown(theme, 'navn')],
  ]);
  return {
    ...cellsAt(body, { ...POINT, ...METRES, antal: 'antal' }),
    ...(Object.fromEntries(themes) as Cells),
  };
}

function lineCells(body: Body): Cells {
  const ofLines = LINE_KEYS.map((key): Cells => {
    const paths = named(`linjer.${key}`, 'status inden_for usikker afstand_m antal');
    const cells = cellsAt(body, { ...paths, objekt_id: `linjer.${key}.traef.objekt_id` });
    // What could not be measured is no cell, where the lookup's document wants a number or a boolean.
    const isAnswered = cells['status'] === 'ok';
    return Object.fromEntries(
      Object.entries(cells).map(([name, cell]) => [
        `${key}_${name}`,
        isAnswered || name === 'status' ? cell : null,
      ]),
    );
  });
  const facts = { soegeradius_m: 'soegeradius_m', antal_i_kraft: 'antal_i_kraft' };
  const unavailable = (body['utilgaengelige'] as readonly string[]).join(' ');
  return Object.assign(
    { ...cellsAt(body, { ...POINT, ...METRES, ...facts }), utilgaengelige: unavailable },
    ...ofLines,
  ) as Cells;
}

const NOW = 'resultater.0.aktueladresse';
const CLEANSED = {
  afstand: 'resultater.0.vaskeresultat.afstand',
  ...named(NOW, 'type id'),
  status: `${NOW}.status.kode`,
  ...named(
    NOW,
    'betegnelse adgangsadresse_id vejnavn vejkode husnr etage doer supplerende_bynavn postnr postnrnavn ' +
      'kommunekode bfe_nummer',
  ),
  ...named(`${NOW}.koordinat`, 'lon lat'),
};

const mainOf = (body: Body): unknown =>
  valueAt(body, `bygninger.${String(body['hovedbygning_index'])}`);

function propertyCells(body: Body): Cells {
  const units = (body['bygninger'] as readonly Body[]).flatMap(({ enheder }) => enheder);
  return {
    ...cellsAt(body, {
      ...{ bfe_nummer: 'bfe_nummer', grund_id: 'grund_id', kommunekode: 'kommunekode' },
    }),
    adresse: cellAt(mainOf(body), 'enheder.0.adresse.betegnelse'),
    ...cellsAt(body, named('jordstykke', 'matrikelnummer ejerlav_kode')),
    antal_bygninger: cellAt(body, 'antal_bygninger'),
    antal_enheder: units.length,
    ...cellsAt(mainOf(body), {
      ...{ anvendelse_kode: 'anvendelse.kode', anvendelse_tekst: 'anvendelse.tekst' },
      opfoerelsesaar: 'opfoerelsesaar',
      ...named(
        'areal',
        'bebygget_m2 samlet_bygningsareal_m2 samlet_boligareal_m2 samlet_erhvervsareal_m2',
      ),
      ...{ ydervaeg: 'materialer.ydervaeg.tekst', tag: 'materialer.tag.tekst' },
      ...{ opvarmningsmiddel: 'varme.opvarmningsmiddel.tekst', asbest: 'asbest.tekst' },
      ...{ lon: 'geometri.coordinates.0', lat: 'geometri.coordinates.1' },
    }),
  };
}

const PROPERTY = {
  kind: 'bbr',
  cells: propertyCells,
  place: (body: Body) => {
    const { lon = null, lat = null } = propertyCells(body);
    return [lon, lat];
  },
} as const;

async function knownProperties(): Promise<Asked[]> {
  const { bfe, flatBfe, foreignBfe } = KNOWN_PROPERTY;
  const found = await query<{ bfe: number }>(`
    select bfe::integer as bfe from bbr_property where md5(id::text) < '1'
    union select bfe::integer from cadastre_property where md5(id::text) < '08' order by 1`);
  const bfes = new Set([bfe, flatBfe, foreignBfe, ...found.map((row) => row.bfe), 1]);
  return [...bfes].map((each) => ({ row: [each], url: `/v1/bbr/ejendom/${each}` }));
}

async function single(url: string): Promise<Body> {
  return (await bench.edge.inject(url)).json<Body>();
}

async function propertyUrl(id: string): Promise<string | number> {
  const bfe = cellAt(await single(`/v1/adresser/${id}`), 'bfe_nummer');
  return bfe === null ? 404 : `/v1/bbr/ejendom/${String(bfe)}`;
}

const cleanseUrl = (text: string): string => `/v1/datavask?betegnelse=${encodeURIComponent(text)}`;

/** Of what a text surely means. */
async function writtenProperty({ text }: { readonly text: string }): Promise<Asked> {
  const cleansed = await single(cleanseUrl(text));
  const isSure = ['A', 'B'].includes(String(cleansed['kategori']));
  const id = String(valueAt(cleansed, 'resultater.0.aktueladresse.id'));
  return { row: [text], url: isSure ? await propertyUrl(id) : 404 };
}

const CONDITION_LAYERS = describedLayers(sampleCatalogue(''));

function conditionCells(body: Body): Cells {
  const told = (body['forhold'] ?? {}) as Readonly<Record<string, Body>>;
  const yes = (of: Body | undefined): Cell =>
    (of?.['beroert'] ?? of?.['inden_for'] ?? null) as Cell;
  const layers = CONDITION_LAYERS.map(({ key, layer }): Cells => {
    const of = told[key];
    const measured = layer.geometry === 'area' ? ['areal_m2', 'andel'] : ['laengde_m'];
    const own = [...measured, 'afstand_m', 'antal'];
    const objects = (of?.['objekter'] ?? []) as readonly { objekt_id: string }[];
    const cells = {
      ...{ status: cellAt(of, 'status'), beroert: yes(of) },
      ...cellsAt(of, Object.fromEntries(own.map((name) => [name, name]))),
      objekt_id: of === undefined ? null : objects.map((each) => each.objekt_id).join(' | '),
    };
    return Object.fromEntries(
      Object.entries(cells).map(([name, cell]) => [`${key}_${name}`, cell]),
    );
  });
  return Object.assign(
    {
      ...{ areal_m2: cellAt(body, 'areal_m2'), egen_grund: cellAt(body, 'ejendom.egen_grund') },
      soegeradius_m: cellAt(body, 'soegeradius_m'),
      antal_beroert: Object.values(told).filter((of) => yes(of) === true).length,
      utilgaengelige: ((body['utilgaengelige'] ?? []) as string[]).join(' '),
    },
    ...layers,
  ) as Cells;
}

const CONDITIONS = { kind: 'miljoe', cells: conditionCells, place: () => [null] } as const;

async function knownParcels(): Promise<Asked[]> {
  const found = await query<{ code: number; number: string }>(`
    select d.code::integer as code, p.number from cadastre_parcel p
    join cadastre_district d on d.id = p.district_id
    where md5(p.id::text) < '18' order by 1, 2`);
  const rows = found.map(({ code, number }) => [code, number] as const);
  return [...rows, [9_900_093, '999zz'] as const].map(([code, number]) => ({
    row: [code, number],
    url: `/v1/forhold/jordstykke/${code}/${encodeURIComponent(number)}`,
  }));
}

/** Squares by doors, some of them crossing themselves. */
async function drawnAreas(): Promise<Asked[]> {
  const doors = await query<{ x: number; y: number }>(`
    select st_x(g.geom) as x, st_y(g.geom) as y
    from address_access a join address_point g on g.id = a.point_id
    where a.status = 3 and g.geom is not null and md5(a.id::text) < '18' order by a.id`);
  return doors.map(({ x, y }, n) => {
    const path = (n % 7 === 3 ? bowTie : box)(x, y, 80, 60);
    const ring = positionsOf(path).map((position) => position.map((at) => at.toFixed(2)).join(' '));
    const wkt = `POLYGON((${ring.join(', ')}))`;
    return { row: [wkt], url: '/v1/forhold/omraade', payload: { wkt, srid: 25832 } };
  });
}

const KINDS: readonly KindCase[] = [
  {
    kind: 'datavask',
    columns: { adresse: 'tekst' },
    inputColumns: ['tekst'],
    rows: async () =>
      (await addresses()).map(({ text }) => ({ row: [text], url: cleanseUrl(text) })),
    cells: (body) => ({
      kategori: cellAt(body, 'kategori'),
      antal_resultater: (body['resultater'] as readonly unknown[]).length,
      ...cellsAt(body, CLEANSED),
      ulaeste_kolonner: null,
    }),
    place: (body) => ['lon', 'lat'].map((name) => cellAt(body, `${NOW}.koordinat.${name}`)),
  },
  {
    kind: 'reverse',
    ...inDegrees(pointsOf('/v1/adresser/reverse')),
    cells: (body) =>
      cellsAt(body, {
        ...POINT,
        ...named(
          'adresse',
          'betegnelse adgangsadresse_id bfe_nummer vejnavn husnr postnr postnrnavn kommunekode',
        ),
        koordinat_lon: 'adresse.koordinat.lon',
        koordinat_lat: 'adresse.koordinat.lat',
        afstand_m: 'adresse.afstand_m',
      }),
  },
  { kind: 'dagi', ...pointsOf('/v1/dagi/reverse'), cells: areaCells },
  { kind: 'miljoe', ...pointsOf('/v1/natur/byggelinjer'), cells: lineCells },
  {
    ...CONDITIONS,
    ...{ columns: { bfe: 'BFE' }, inputColumns: ['BFE'] },
    // Thirty layers each.
    rows: async () =>
      oneIn(3, await knownProperties()).map(({ row: [bfe] }) => ({
        row: [bfe],
        url: `/v1/forhold/ejendom/${String(bfe)}`,
      })),
  },
  {
    ...CONDITIONS,
    columns: { ejerlav: 'Ejerlav', matrikelnummer: 'Matr' },
    inputColumns: ['Ejerlav', 'Matr'],
    rows: knownParcels,
  },
  { ...CONDITIONS, columns: { wkt: 'Omrids' }, inputColumns: ['Omrids'], rows: drawnAreas },
  {
    kind: 'miljoe',
    ...pointsOf(''),
    columns: { x: 'øst', y: 'nord', lag: 'Lag' },
    inputColumns: ['øst', 'nord', 'Lag'],
    rows: async () =>
      (await pointsOf('/v1/forhold').rows()).slice(0, 200).map(({ row, url }, n) => {
        const lag = [null, 'zone,skov', 'jord_v1', 'lokalplan'][n % 4] ?? null;
        return { row: [...row, lag], url: lag === null ? url : `${url}&lag=${lag}` };
      }),
    cells: conditionCells,
  },
  { ...PROPERTY, columns: { bfe: 'BFE' }, inputColumns: ['BFE'], rows: knownProperties },
  {
    ...PROPERTY,
    columns: { adgangsadresse_id: 'dør' },
    inputColumns: ['dør'],
    rows: async () => {
      const ids = [...new Set((await addresses()).map(({ id }) => id))];
      return await Promise.all(ids.map(async (id) => ({ row: [id], url: await propertyUrl(id) })));
    },
  },
  {
    ...PROPERTY,
    columns: { adresse: 'tekst' },
    inputColumns: ['tekst'],
    rows: async () => await Promise.all((await addresses()).map(writtenProperty)),
  },
];

interface Expected {
  readonly number: number;
  readonly text: string;
  readonly generation: string;
  readonly body: Body;
  readonly cells: Cells;
}

async function holdCells(each: KindCase, slow: boolean): Promise<void> {
  const { kind, columns, inputColumns, srid = 25832 } = each;
  const asked = await each.rows();
  const id = await addJob(bench.store, {
    ...{ ...owner, kind, columns, inputColumns, srid, chunkRows: 60 },
    rows: asked.map(({ row }) => row),
  });
  const state = await finish(bench, id, { slow });
  expect(state).toMatchObject({ status: 'completed', total_rows: asked.length });
  const { answers, errors } = await expectedOf(each, asked);
  expect(answers.length).toBeGreaterThan(20);
  if (each.cells === lineCells) expect([...errors.values()]).toContain('503');
  await holdLines(id, answers);
  const at = inputColumns.length + 1;
  await holdPlaces(id, at, { ...each, answers });
  await holdTexts(id, at, answers);
  await holdWorkbook(id, at, answers);
  await holdAllRows(id, at, { answers, errors });
}

async function lookedUp({ url, payload }: Asked) {
  if (typeof url === 'number')
    return { statusCode: url, body: '', headers: {} as Readonly<Record<string, unknown>> };
  const method = payload === undefined ? 'GET' : 'POST';
  return await bench.edge.inject({ method, url, ...(payload && { payload }) });
}

/** Nothing alike is a 200 of the lookup, and so are ten unknown lines (D142): no answers of a job. */
function statusInJob(statusCode: number, { kategori, linjer, utilgaengelige }: Body): number {
  if (statusCode !== 200) return statusCode;
  if (kategori === null) return 404;
  const unknown = (utilgaengelige ?? []) as readonly string[];
  return linjer !== undefined && unknown.length === LINE_KEYS.length ? 503 : 200;
}

async function expectedOf({ cells }: KindCase, asked: readonly Asked[]) {
  const answers: Expected[] = [];
  const errors = new Map<string, string>();
  for (const [i, each] of asked.entries()) {
    const { statusCode, body: text, headers } = await lookedUp(each);
    const body = text === '' ? {} : (JSON.parse(text) as Body);
    const status = statusInJob(statusCode, body);
    if (status === 200) {
      const generation = String(headers['x-service-generation']);
      answers.push({ number: i + 1, text, generation, body, cells: cells(body) });
    } else errors.set(String(i + 1), String(status));
  }
  return { answers, errors };
}

async function fileOf(id: string, query: string): Promise<Buffer> {
  const response = await edge.inject({
    url: `/v1/jobs/${id}/results?${query}`,
    headers: { authorization: `Bearer ${owner.accountId}` },
  });
  expect(response.statusCode, query).toBe(200);
  return response.rawPayload;
}

async function holdLines(id: string, answers: readonly Expected[]): Promise<void> {
  const lines = (await fileOf(id, 'format=ndjson')).toString().trimEnd().split('\n');
  expect(lines.map((line) => line.slice(0, line.indexOf(',')))).toEqual(
    answers.map(({ number }) => `{"raekke":${number}`),
  );
  for (const [i, line] of lines.entries()) {
    const { text, generation } = answers[i]!;
    expect(ageless(line.slice(line.indexOf('"svar":')))).toBe(ageless(`"svar":${text}}`));
    expect(/"generation":(\w+)/.exec(line)?.[1]).toBe(generation);
  }
}

/** The two are asked some seconds apart. */
function ageless(text: string): string {
  return text.replaceAll(/"alder_s":\d+/g, '"alder_s":0');
}

async function holdPlaces(
  id: string,
  at: number,
  { place, answers }: Pick<KindCase, 'place'> & { readonly answers: readonly Expected[] },
): Promise<void> {
  const { features } = JSON.parse((await fileOf(id, 'format=geojson')).toString()) as {
    features: { geometry: unknown; properties: Record<string, unknown> }[];
  };
  const expected = answers.map(({ body, cells }) => {
    const coordinates = place(body);
    const geometry = coordinates.includes(null) ? null : { type: 'Point', coordinates };
    return [geometry, Object.values(cells).map((cell) => (cell === '' ? null : cell))];
  });
  expect(
    features.map(({ geometry, properties }) => [geometry, Object.values(properties).slice(at)]),
  ).toEqual(expected);
  const names = new Set(features.map(({ properties }) => Object.keys(properties).slice(at).join()));
  expect([...names]).toEqual([Object.keys(answers[0]?.cells ?? {}).join()]);
}

/** Nothing for what is null. */
const textOf = (cell: Cell): string => (cell === null ? '' : String(cell));
const danishOf = (cell: Cell): string =>
  typeof cell === 'number' ? textOf(cell).replace('.', ',') : textOf(cell);

const rowsOf = (answers: readonly Expected[], write: (cell: Cell) => string): string[][] =>
  answers.map(({ cells }) => Object.values(cells).map(write));

async function holdTexts(id: string, at: number, answers: readonly Expected[]): Promise<void> {
  const head = Object.keys(answers[0]?.cells ?? {});
  const plain = parseRows((await fileOf(id, 'format=csv')).toString().slice(1));
  expect(plain.map((row) => row.slice(at))).toEqual([head, ...rowsOf(answers, textOf)]);
  const danish = readAs((await fileOf(id, 'dialekt=da')).toString(), ';');
  expect(danish.map((row) => row.slice(at))).toEqual([head, ...rowsOf(answers, danishOf)]);
}

/** To the type: a text is a text, a number a number, and nothing is nothing. */
async function holdWorkbook(id: string, at: number, answers: readonly Expected[]): Promise<void> {
  const { sheets } = await readXlsx(await fileOf(id, 'format=xlsx'));
  const [head = [], ...rows] = sheets[0]?.rows ?? [];
  const columns = Object.keys(answers[0]?.cells ?? {});
  expect(head.slice(at)).toEqual(columns);
  expect(rows.map((row) => columns.map((_, n) => row[at + n] ?? null))).toEqual(
    answers.map(({ cells }) => Object.values(cells).map((cell) => (cell === '' ? null : cell))),
  );
}

async function holdAllRows(
  id: string,
  at: number,
  { answers, errors }: Awaited<ReturnType<typeof expectedOf>>,
): Promise<void> {
  const [, ...rows] = parseRows((await fileOf(id, 'raekker=alle')).toString().slice(1));
  const answered = rows.filter((row) => row[at] === '200');
  expect(answered.map((row) => row.slice(at + 2))).toEqual(rowsOf(answers, textOf));
  const failed = rows.flatMap((row) => (row[at] === '200' ? [] : [row.slice(at - 1, at + 1)]));
  expect(failed).toEqual([...errors]);
  // At sea no line is known: that is told with what is covered.
  for (const row of rows.filter((each) => each[at] === '503'))
    expect(row[at + 1]).toContain('Prøveholm');
}
