/**
 * Addresses over the mirrored sample. The door's answers are held against the shapes of answers that DAWA gave:
 * names, order, types, null or absent. Those lie beside the project; only their shapes are taken from them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kvhxOf } from '../../src/registers/addresses/keys.ts';
import { readNearestAddresses } from '../../src/registers/addresses/reverse-store.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { amountOf } from '../support/run-settings.ts';
import { expectError } from '../edge/edge.ts';
import { parametersOf } from '../../src/http/dawa/parameters.ts';
import { besideCaptured } from '../../src/web/dawa/captured.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { DAWA_REQUESTS } from '../support/dawa-requests.ts';
import { openAddressService } from '../support/address-service.ts';
import { opened } from '../support/opened.ts';

const GOLDEN = resolve(import.meta.dirname, '../../../shared/data/dawa-golden');
const GUIDE = join(import.meta.dirname, '../../docs/dawa.md');
const isHere = existsSync(GOLDEN);
const reason = isHere ? '' : ' (skipped: ../shared/data/dawa-golden is missing)';

interface Captured {
  readonly file: string;
  readonly request: string;
  readonly status: number;
}

const captured = isHere
  ? (JSON.parse(readFileSync(join(GOLDEN, 'index.json'), 'utf8')) as readonly Captured[])
  : [];

const service = await opened(openAddressService());
const app = service.app;

const { place } = KNOWN_ADDRESS;
const AT = `x=${place.x}&y=${place.y}&srid=25832`;

async function idsOf(path: string): Promise<readonly { readonly id: string }[]> {
  return (await app.inject(`/dawa${path}`)).json();
}

/** The same question of the sample: its own ids, codes and names in place of those of the country. */
async function ownRequest(request: string): Promise<string> {
  const [path = '', query = ''] = request.replace('GET ', '').split('?');
  const asked = query === '' ? '' : `?${query}`;
  const [, resource = '', key = ''] = path.split('/');
  if (key === 'reverse') return `${path}?${AT}`;
  if (key === 'autocomplete') return `${path}?q=${SOUGHT[resource] ?? 'm'}`;
  if (path === '/autocomplete') return `${path}${asked.replace(/q=[^&]*/, typedFor(query))}`;
  if (!resource.startsWith('ad')) return `${OWN[resource] ?? path}${asked}`;
  return `${path.replace(key, await addressId(resource))}${asked}`;
}

async function addressId(resource: string): Promise<string> {
  const floor = resource === 'adresser' ? '&etage=st' : '';
  const near = `?struktur=mini&cirkel=${place.x},${place.y},50&srid=25832${floor}`;
  const [first] = await idsOf(`/${resource}${near}`);
  return first?.id ?? 'none';
}

const SOUGHT: Readonly<Record<string, string>> = { postnumre: '00', regioner: 'region' };

const OWN: Readonly<Record<string, string>> = {
  ...{ postnumre: '/postnumre/0093', regioner: '/regioner/1091', sogne: '/sogne/9901' },
  ...{ retskredse: '/retskredse/1191', politikredse: '/politikredse/1491' },
  ...{ opstillingskredse: '/opstillingskredse/1', vejstykker: '/vejstykker/93/12' },
  supplerendebynavne2: '/supplerendebynavne2/690001',
  vejnavne: '/vejnavne/Ny%20Pr%C3%B8vegade',
};

function typedFor(query: string): string {
  if (/%2C/.test(query)) return 'q=Ny%20Pr%C3%B8vegade%2012A%2C%20st&';
  return /%20\d/.test(query) ? 'q=Ny%20Pr%C3%B8vegade%2012A' : 'q=op';
}

interface Difference {
  readonly path: string;
  readonly what: 'name' | 'order' | 'type' | 'unknown';
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Where the answer differs from the captured value; a null is both of all types. */
function compare(golden: unknown, own: unknown, path = ''): readonly Difference[] {
  const [wanted, given] = [typeOf(golden), typeOf(own)];
  if (wanted === 'null') return [];
  if (given === 'null') return [{ path, what: 'unknown' }];
  if (wanted !== given) return [{ path, what: 'type' }];
  if (Array.isArray(golden)) {
    const [first] = golden as readonly unknown[];
    const [mine] = own as readonly unknown[];
    if (first === undefined) return [];
    return mine === undefined ? [{ path, what: 'unknown' }] : compare(first, mine, `${path}[]`);
  }
  return wanted === 'object' ? compareMembers(golden as Members, own as Members, path) : [];
}

type Members = Readonly<Record<string, unknown>>;

function compareMembers(golden: Members, own: Members, path: string): readonly Difference[] {
  const [names, mine] = [Object.keys(golden), Object.keys(own)];
  const missing = [...names, ...mine].filter((name) => !(name in golden) || !(name in own));
  const isOrdered = missing.length > 0 || names.join() === mine.join();
  return [
    ...missing.map((name): Difference => ({ path: `${path}.${name}`, what: 'name' })),
    ...(isOrdered ? [] : [{ path, what: 'order' } as const]),
    ...names
      .filter((name) => name in own)
      .flatMap((name) => compare(golden[name], own[name], `${path}.${name}`)),
  ];
}

/** The island's regions and municipalities have codes of their own, and so have its nomination districts. */
const SAMPLE_ONLY = ['nuts2', 'landsdel*'];

/** Whether the guide names a field as one that no mirror here knows; `x*` is all that begin so. */
function unknownFields(): (path: string) => boolean {
  const [, list = ''] = readFileSync(GUIDE, 'utf8').split('## Always null');
  const names = [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return (path) => {
    const last = path.replace(/\[\]/g, '').split('.').at(-1) ?? '';
    return [...names, ...SAMPLE_ONLY].some((name) =>
      name.endsWith('*') ? last.startsWith(name.slice(0, -1)) : last === name.split('.').at(-1),
    );
  };
}

describe(`answers that DAWA gave${reason}`, () => {
  const documented = isHere ? unknownFields() : () => false;

  test.skipIf(!isHere).each(captured.map((each) => [each.request, each] as const))(
    'are reproduced in shape: %s',
    async (request, { file, status }) => {
      const golden = readFileSync(join(GOLDEN, file), 'utf8');
      const answer = await app.inject(`/dawa${await ownRequest(request)}`);
      expect(answer.statusCode, answer.body).toBe(status);
      if (request.includes('supplerendebynavne2/reverse')) {
        expect(Object.keys(answer.json())).toEqual(Object.keys(JSON.parse(golden) as object));
        return;
      }
      const differences = compare(JSON.parse(golden), JSON.parse(answer.body));
      const isTown = request.includes('supplerendebynavne2');
      const isNull = (path: string) => documented(path) || (isTown && path === '.bbox');
      const wrong = differences.filter(({ path, what }) => what !== 'unknown' || !isNull(path));
      expect(wrong, answer.body).toEqual([]);
      expect(layoutOf(answer.body)).toBe(layoutOf(golden));
    },
  );

  test.skipIf(!isHere)('have the members that the page shows beside an answer', () => {
    let shown = 0;
    for (const { file, request, status } of captured) {
      if (status !== 200) continue;
      const golden = JSON.parse(readFileSync(join(GOLDEN, file), 'utf8')) as unknown;
      const beside = besideCaptured(request.replace('GET ', ''), golden);
      expect(
        beside.filter(({ value }) => value === undefined),
        request,
      ).toEqual([]);
      shown += beside.length;
    }
    expect(shown).toBeGreaterThan(300);
  });

  test.skipIf(!isHere)('have the keys of addresses that are composed here', () => {
    const file = captured.find(({ request }) => request.includes('struktur=flad'))?.file ?? '';
    const flad = JSON.parse(readFileSync(join(GOLDEN, file), 'utf8')) as Readonly<
      Record<string, string>
    >;
    const road = { municipalityCode: flad['kommunekode']!, roadCode: flad['vejkode']! };
    const unit = { floor: flad['etage']!, door: flad['dør']! };
    expect(kvhxOf(road, flad['husnr']!, unit)).toBe(flad['kvhx']);
  });
});

describe('requests of published clients', () => {
  test.each(DAWA_REQUESTS.map((each) => [each.client, each.path.slice(0, 90), each] as const))(
    '%s: %s',
    async (_, __, { path, status, reads }) => {
      const answer = await app.inject(`/dawa${path}`);
      expect(answer.statusCode, answer.body.slice(0, 500)).toBe(status);
      const body = answer.json<object | readonly object[]>();
      if (status !== 200) {
        expect(Object.keys(body)).toEqual(['type', 'title', 'details']);
        return;
      }
      const first = Array.isArray(body) && reads.length > 0 ? (body[0] as object) : body;
      const missing = reads.filter((name) => {
        const value = (first as Readonly<Record<string, unknown>>)[name];
        return value === undefined || value === null;
      });
      expect(missing, answer.body.slice(0, 500)).toEqual([]);
    },
  );
});

test('what the rows of the store say of an address is told, while they are of the version in memory', async () => {
  const { accessId, unitId } = KNOWN_ADDRESS;
  const ask = async (path: string) =>
    (await app.inject(`/dawa${path}?struktur=flad&srid=25832`)).json<Record<string, unknown>>();
  const point = {
    ...{ højde: 12.3, kilde: 5, nøjagtighed: 'A', tekniskstandard: 'TD', tekstretning: 200 },
    adressepunktændringsdato: '2012-02-20T23:59:00.000',
    ...{ vejpunkt_kilde: 'Adressemyn', vejpunkt_tekniskstandard: 'V0' },
    ...{ vejpunkt_x: place.x, vejpunkt_y: place.y - 9, oprettet: null, ikrafttrædelse: null },
  };
  const ændret = '2005-01-01T13:00:00.000';
  expect(await ask(`/adgangsadresser/${accessId}`)).toMatchObject({ ...point, ændret });
  const unit = { ...point, ændret, adgangsadresse_ændret: ændret };
  expect(await ask(`/adresser/${unitId}`)).toMatchObject(unit);
  const { pool } = service.store;
  const move = (by: number) =>
    pool.query(`update layer_state set version = version + $1 where layer = 'adresser'`, [by]);
  await move(1);
  const unknown = { ændret: null, kilde: null, tekstretning: null, adgangspunktid: null };
  // What was read of the version in memory is kept.
  expect(await ask(`/adgangsadresser/${accessId}`)).toMatchObject({ ...point, ændret });
  expect(await ask(`/adgangsadresser/${accessId.replace(/b1$/, 'b2')}`)).toMatchObject(unknown);
  await move(-1);
});

test('a key of an address is one in any case, and names what it is asked by', async () => {
  const { unitId } = KNOWN_ADDRESS;
  const { kvhx } = (await app.inject(`/dawa/adresser/${unitId}`)).json<{ readonly kvhx: string }>();
  for (const given of [kvhx, kvhx.toUpperCase(), kvhx.toLowerCase()]) {
    expect(await idsOf(`/adresser?kvhx=${given}&struktur=mini`), given).toMatchObject([
      { id: unitId },
    ]);
  }
  const starred = await app.inject(`/dawa/adgangsadresser?kvh=${kvhx.slice(0, 11)}*`);
  expect([starred.statusCode, starred.body]).toEqual([400, expect.stringContaining('"kvh"')]);
});

/** Questions with rows whose members narrow them. */
const NARROWED: readonly string[] = [
  ...['/adresser?kommunekode=93&side=1&per_side=40', '/adgangsadresser?kommunekode=93&per_side=40'],
  ...['regioner', 'kommuner', 'sogne', 'retskredse', 'politikredse', 'opstillingskredse'],
  ...['landsdele', 'storkredse', 'valglandsdele', 'postnumre', 'supplerendebynavne2'],
  ...['vejnavne', 'vejstykker', 'navngivneveje', 'vejnavnpostnummerrelationer'],
].map((each) => (each.startsWith('/') ? each : `/${each}?`));
const NO_FILTERS = ['x', 'y', 'struktur', 'kvh', 'kvhx'];

const shownOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');

describe('filters by a member of a row', () => {
  test.each(NARROWED)('%s: find it, in lists, in any case and with a star', async (question) => {
    const [path = ''] = question.split('?');
    const asked = async (more: string) => {
      const answer = await app.inject(`/dawa${question}&struktur=flad${more}`);
      return answer.statusCode === 200 ? answer.json<readonly Members[]>() : answer.json<Members>();
    };
    const rows = (await asked('')) as readonly Members[];
    const [first, last] = [rows.at(0)!, rows.at(-1)!];
    const missing: string[] = [];
    let tried = 0;
    for (const name of parametersOf(path)) {
      const [own, other] = [shownOf(first[name]), shownOf(last[name])];
      if (own === '' || other === '' || NO_FILTERS.includes(name)) continue;
      if (question.includes(`${name}=`)) continue;
      const isText = !/^(?:[\d.-]+|[\da-f-]{36}|true|false)$/.test(own);
      const starred = [
        `${own.slice(0, 1)}*`,
        `*${own.slice(1)}`,
        own.toUpperCase(),
        own.toLowerCase(),
      ];
      for (const given of [own, `${own}|${other}`, `${other}|${own}`, ...(isText ? starred : [])]) {
        const found = await asked(`&${name}=${encodeURIComponent(given)}`);
        // Refused.
        if (!Array.isArray(found)) break;
        tried += 1;
        const has = found.some((row: Members) => row[name] === first[name]);
        if (!has) missing.push(`${name}=${given}`);
      }
    }
    expect(missing).toEqual([]);
    expect(tried).toBeGreaterThan(3);
  });
});

test('supplementary town names are those of the register, with the postcodes of their addresses', async () => {
  const { rows } = await service.store.pool.query<{ id: string; name: string; posts: string[] }>(`
    select t.dagi_id as id, t.name, array_agg(distinct p.code order by p.code) as posts
    from address_town t
    join address_access a on a.town_id = t.id and a.status in (2, 3)
    join address_postcode p on p.id = a.postcode_id
    group by t.id order by t.dagi_id::bigint`);
  expect(rows.length).toBeGreaterThan(1);
  const shown = (await app.inject('/dawa/supplerendebynavne2')).json<
    readonly { dagi_id: string; navn: string; postnumre: readonly { nr: string }[] }[]
  >();
  expect(
    shown.map(({ dagi_id: id, navn: name, postnumre }) => ({
      ...{ id, name, posts: postnumre.map(({ nr }) => nr) },
    })),
  ).toEqual(rows);
  // Without DAGI's ids an id that is asked for is no id that does not exist.
  expect((await app.inject('/dawa/supplerendebynavne2/1')).statusCode).toBe(404);
});

describe('parcels', () => {
  interface Shown {
    readonly matrikelnummer: string;
    readonly ejerlav_kode: number;
    readonly bfe_nummer: number;
  }
  const ask = (path: string) => app.inject(`/dawa/jordstykker${path}`);

  test("are those of /v1, by point and by number, in DAWA's shape", async () => {
    const { jordstykker } = (await app.inject(`/v1/matrikel/jordstykke?${AT}`)).json<{
      readonly jordstykker: readonly Shown[];
    }>();
    const [first] = jordstykker;
    const shown = (await ask(`?${AT}`)).json<readonly object[]>();
    expect(shown).toHaveLength(jordstykker.length);
    const { ejerlav_kode: kode, matrikelnummer, bfe_nummer: bfenummer } = first!;
    expect(shown[0]).toMatchObject({ matrikelnr: matrikelnummer, ejerlav: { kode }, bfenummer });
    const path = `/${kode}/${matrikelnummer}`;
    const metres = 'srid=25832';
    expect((await ask(`${path}?${metres}`)).json()).toEqual(shown[0]);
    const query = `ejerlavkode=0${kode}&matrikelnr=${matrikelnummer}`;
    expect((await ask(`?${query}&${metres}`)).json()).toEqual(shown);
    const { geometry } = (await ask(`${path}?format=geojson&srid=25832`)).json<{
      readonly geometry: { readonly coordinates: readonly (readonly (readonly number[])[][])[] };
    }>();
    expect(geometry.coordinates[0]?.[0]?.[0]?.[0]).toBeGreaterThan(400_000);
  });

  test('are refused or not found, and no list where no copy can search', async () => {
    expect((await ask('/1/zz')).statusCode).toBe(404);
    expect((await ask('/x/1a')).json()).toMatchObject({ type: 'ResourcePathFormatError' });
    expect((await ask('?matrikelnr=1a')).statusCode).toBe(400);
    for (const query of ['?q=1a', '?ejerlavkode=1']) {
      expect((await ask(query)).statusCode, query).toBe(503);
    }
  });
});

/** How a body begins and ends: an indented array, a streamed one, one object. */
const layoutOf = (body: string): string =>
  `${/^[[{]\s*"?/.exec(body)?.[0]}${/\s*"?[\]}]$/.exec(body)?.[0]}`;

/** Over the sample's mirrored ones. */
describe('polling districts', () => {
  interface Row {
    readonly href: string | null;
    readonly dagi_id: string;
    readonly nummer: string | null;
    readonly navn: string;
    readonly visueltcenter: readonly [number, number];
    readonly kommune: { readonly kode: string } | null;
    readonly opstillingskreds?: { readonly kode: string } | null;
    readonly sogn?: { readonly navn: string } | null;
  }

  const ask = (path: string) => app.inject(`/dawa${path}`);
  const rowsOf = async (path: string) => (await ask(path)).json<readonly Row[]>();
  const PATHS = ['/afstemningsomraader', '/menighedsraadsafstemningsomraader'] as const;

  describe.each(PATHS)('%s', (path) => {
    test('has the rows of the register, each by its municipality and number, and at its center', async () => {
      const { rows: stored } = await service.store.pool.query<{ key: string; code: string }>(
        `select key, code from area where theme = $1 order by code`,
        [path === PATHS[0] ? 'afstemningsomraade' : 'menighedsraadsafstemningsomraade'],
      );
      const rows = await rowsOf(path);
      expect(rows.map(({ dagi_id: id }) => id)).toEqual(stored.map(({ key }) => key));
      for (const row of rows) {
        const [x, y] = row.visueltcenter;
        expect((await ask(`${path}/reverse?x=${x}&y=${y}`)).json()).toEqual(row);
        if (row.href === null) expect(row.nummer).toBeNull();
        else expect((await ask(row.href.split('/dawa')[1]!)).json()).toEqual(row);
      }
      const isNumbered = rows.every(({ nummer }) => nummer !== null);
      expect(isNumbered).toBe(path === PATHS[0]);
    });

    test('is narrowed, drawn and refused', async () => {
      const all = await rowsOf(path);
      const code = all[0]!.kommune!.kode;
      const own = all.filter(({ kommune }) => kommune?.kode === code);
      expect(await rowsOf(`${path}?kommunekode=${code}`)).toEqual(own);
      expect(await rowsOf(`${path}?dagi_id=${all[1]!.dagi_id}`)).toEqual([all[1]]);
      const { features } = (await ask(`${path}?kommunekode=${code}&format=geojson`)).json<{
        readonly features: readonly { readonly geometry: { readonly type: string } }[];
      }>();
      expect(features.map(({ geometry }) => geometry.type)).toEqual(own.map(() => 'MultiPolygon'));
      expect((await ask(`${path}/9999/1`)).statusCode).toBe(404);
      expect((await ask(`${path}/93/x`)).json()).toMatchObject({ type: 'ResourcePathFormatError' });
      const filter = path === PATHS[0] ? 'opstillingskredsnummer' : 'sognekode';
      expect((await ask(`${path}?${filter}=1`)).statusCode).toBe(400);
    });
  });

  test('an address and its polling district tell the same of each other', async () => {
    const id = KNOWN_ADDRESS.accessId;
    interface Address {
      readonly afstemningsområde: { readonly href: string; readonly nummer: string };
      readonly opstillingskreds: { readonly kode: string };
    }
    const address = (await ask(`/adgangsadresser/${id}`)).json<Address>();
    const row = (await ask(address.afstemningsområde.href.split('/dawa')[1]!)).json<Row>();
    expect(row.nummer).toBe(address.afstemningsområde.nummer);
    expect(row.opstillingskreds?.kode).toBe(address.opstillingskreds.kode);
    const flat = (await ask(`/adgangsadresser/${id}?struktur=flad`)).json<
      Record<string, unknown>
    >();
    expect(flat).toMatchObject({
      afstemningsområdenummer: row.nummer,
      afstemningsområdenavn: row.navn,
    });
    expect(typeof flat['menighedsrådsafstemningsområdenummer']).toBe('number');
  });

  test('numbers begin anew in each municipality', async () => {
    const rows = await rowsOf(PATHS[0]);
    const first = rows.filter(({ nummer }) => nummer === '1');
    expect(new Set(first.map(({ kommune }) => kommune?.kode)).size).toBe(first.length);
    expect(first.length).toBeGreaterThan(3);
  });
});

/** Over the sample's mirrored buildings: held against the tables. */
describe('BBR', () => {
  const ask = (path: string) => app.inject(`/dawa/bbrlight/${path}`);
  const rowsOf = async (path: string): Promise<readonly Members[]> => {
    const answer = await ask(path);
    expect(answer.statusCode, `${path}: ${answer.body.slice(0, 300)}`).toBe(200);
    return answer.json();
  };
  const stored = async (text: string, values: readonly unknown[] = []) => {
    const { rows } = await service.store.pool.query<{ id: string }>(text, [...values]);
    return rows.map(({ id }) => id).toSorted();
  };
  const valuesOf = (rows: readonly Members[], name: string) =>
    rows.map((row) => row[name] as string);

  const IN_FORCE = 'status = 6 and valid_from <= now()';

  test('the buildings, entrances and units of an address are those that BBR has at it', async () => {
    const houses = await stored(`select access_id::text as id from bbr_building where ${IN_FORCE}
      and access_id is not null group by access_id`);
    expect(houses.length).toBeGreaterThan(20);
    for (const [path, table, name] of [
      ['bygninger', 'bbr_building', 'Bygning_id'],
      ['opgange', 'bbr_entrance', 'Opgang_id'],
    ] as const) {
      for (const id of houses.slice(0, 40)) {
        const own = await stored(
          `select id::text from ${table} where ${IN_FORCE} and access_id = $1`,
          [id],
        );
        const rows = await rowsOf(`${path}?adgangsadresseid=${id}`);
        expect(valuesOf(rows, name).toSorted()).toEqual(own);
      }
    }
    const units = await stored(`select address_id::text as id from bbr_unit where ${IN_FORCE}
      and address_id in (select id from address_unit where status = 3) group by address_id`);
    for (const id of units.slice(0, 20)) {
      const own = await stored(
        `select id::text from bbr_unit where ${IN_FORCE} and address_id = $1`,
        [id],
      );
      expect(valuesOf(await rowsOf(`enheder?adresseid=${id}`), 'Enhed_id').toSorted()).toEqual(own);
    }
  });

  test('a building is told at its address, whatever property that belongs to', async () => {
    const { pool } = service.store;
    const [other] = await stored(`select b.id::text from bbr_building b where ${IN_FORCE} limit 1`);
    const { accessId } = KNOWN_ADDRESS;
    const { rows } = await pool.query<{ was: string }>(
      'select access_id::text as was from bbr_building where id = $1',
      [other],
    );
    const move = (to: string | undefined) =>
      pool.query('update bbr_building set access_id = $2 where id = $1', [other, to]);
    await move(accessId);
    const found = await rowsOf(`bygninger?adgangsadresseid=${accessId}`);
    await move(rows[0]?.was);
    expect(valuesOf(found, 'Bygning_id')).toContain(other);
  });

  test('a unit has its entrance and building, which links and ids find again', async () => {
    const [id] = await stored(`select id::text from bbr_unit u where ${IN_FORCE}
      and u.entrance_id is not null and u.floor_id is not null limit 1`);
    const unit = (await ask(`enheder/${id}`)).json<
      Members & Record<'bygning' | 'opgang', Members>
    >();
    expect(unit).toMatchObject({ Enhed_id: id, BEBO_ARL: null });
    expect(typeof unit['ENH_ANVEND_KODE']).toBe('number');
    const building = unit.bygning['Bygning_id'] as string;
    const entrance = unit.opgang['Opgang_id'] as string;
    const path = (unit.bygning['href'] as string).split('/dawa/bbrlight/')[1]!;
    expect((await ask(path)).json<Members>()['Bygning_id']).toBe(building);
    expect(valuesOf(await rowsOf(`opgange?id=${entrance}`), 'Opgang_id')).toEqual([entrance]);
    const all = await rowsOf(`enheder?bygningsid=${building}`);
    expect(valuesOf(all, 'Enhed_id')).toContain(id);
    const code = String(unit['ENH_ANVEND_KODE']);
    expect(await rowsOf(`enheder?bygningsid=${building}&anvendelseskode=${code}`)).toContainEqual(
      unit,
    );
    expect(await rowsOf(`enheder?bygningsid=${building}&anvendelseskode=8888`)).toEqual([]);
    const [flat] = await rowsOf(`enheder?id=${id}&struktur=flad`);
    expect(flat).toMatchObject({ Enhed_id: id, bygning_Bygning_id: building });
    const shown = (await ask(`bygninger?id=${building}&format=geojson&srid=25832`)).json<{
      readonly features: readonly {
        readonly geometry: { readonly coordinates: readonly number[] };
      }[];
    }>();
    expect(shown.features[0]?.geometry.coordinates[0]).toBeGreaterThan(400_000);
  });

  test('what would be a scan, or cannot be known, is refused', async () => {
    const { accessId } = KNOWN_ADDRESS;
    for (const query of [
      ...['', 'kommunekode=0093', 'anvendelseskode=120', 'cirkel=11.46,56.94,100', 'id=x'],
      ...[`adgangsadresseid=${accessId}&esrejendomsnr=1`, `adgangsadresseid=${accessId}&x=11&y=56`],
      ...[`adgangsadresseid=${accessId}&medtagophørte=true`, `adgangsadresseid=${accessId}&q=a`],
    ]) {
      expect((await ask(encodeURI(`bygninger?${query}`))).statusCode, query).toBe(400);
    }
    const unknown = '11111111-1111-4111-8111-111111111111';
    expect(await rowsOf(`enheder?adresseid=${unknown}`)).toEqual([]);
    expect((await ask(`opgange/${unknown}`)).statusCode).toBe(404);
    expect((await ask('grunde')).body).toContain('GET /v1/bbr/ejendom');
  });

  test('while rows of BBR are unread that may be these, nothing is told', async () => {
    const { pool } = service.store;
    const [id] = await stored(`select id::text from bbr_building where ${IN_FORCE} limit 1`);
    const setUnread = (text: string | null) =>
      pool.query(`update layer_state set unanswered = $1 where layer = 'bbr'`, [text]);
    await setUnread(JSON.stringify({ objects: [null] }));
    expect((await ask(`bygninger/${id}`)).statusCode).toBe(503);
    await setUnread(JSON.stringify({ objects: ['1'] }));
    expect((await ask(`bygninger/${id}`)).statusCode).toBe(200);
    // A row of any property may be at the address.
    const { accessId } = KNOWN_ADDRESS;
    expect((await ask(`bygninger?adgangsadresseid=${accessId}`)).statusCode).toBe(503);
    await setUnread(null);
  });
});

const POINTS =
  process.env['TEST_STORE'] === 'postgres' ? amountOf({ gate: 700, night: 10_000 }) : 2_000;
const PER_STATEMENT = 500;

/** The store where there is no index, and index and store held against each other. */
describe('addresses of /v1', () => {
  describe('without an index', () => {
    const { place } = KNOWN_ADDRESS;
    const one = (radius: number) =>
      `/v1/adresser/reverse?x=${place.x + 3}&y=${place.y}&srid=25832&radius=${radius}`;

    test('reverse answers from the store what the address index would have', async () => {
      const fast = await service.app.inject(one(100));
      const slow = await service.slow.inject(one(100));
      expect(slow.statusCode).toBe(200);
      expect(slow.body).toBe(fast.body);
      expect(slow.headers['cache-status']).toBe('geoopslag; hit; detail=store');
      expect(fast.headers['cache-status']).toBe('geoopslag; hit; detail=snapshot');
      expect(slow.headers['x-service-generation']).toBe(fast.headers['x-service-generation']);
      expectError(await service.slow.inject(one(1)), 'not_found');
    });

    test('a batch of points in metres is answered as the single lookup, in degrees', async () => {
      const near = { id: 'a', x: place.x + 3, y: place.y, srid: 25832 };
      const far = { id: 'b', x: place.x + 40_000, y: place.y, srid: 25832 };
      const ask = {
        method: 'POST' as const,
        url: '/v1/adresser/reverse:batch',
        payload: { punkter: [far, near], radius: 100 },
      };
      const single = (await service.app.inject(one(100))).json<{
        punkt: object;
        adresse: object;
      }>();
      const [fast, slow] = await Promise.all([service.app.inject(ask), service.slow.inject(ask)]);
      expect(slow.body).toBe(fast.body);
      const { punkt, adresse } = single;
      const degrees = { lon: expect.any(Number) as number, lat: expect.any(Number) as number };
      expect(slow.json()).toMatchObject({
        ...{ requested: 2, succeeded: 1, failed: 1, results: [{ id: 'a', punkt, adresse }] },
        errors: [{ id: 'b', punkt: degrees, status: 404 }],
      });
    });

    test.each([
      '/v1/adresser?q=x',
      '/v1/adresser/autocomplete?q=x',
      `/v1/adresser/${KNOWN_ADDRESS.unitId}`,
      '/v1/datavask?betegnelse=x',
      '/v1/postnumre',
      '/v1/postnumre/0093',
    ])('%s is 503, never empty and never unknown', async (url) => {
      const response = await service.slow.inject(url);
      expectError(response, 'upstream_unavailable');
      expect(response.headers['retry-after']).toBe('60');
    });
  });

  test('the datavask pads a postcode that has lost its zeros, as lists of them are padded', async () => {
    const { roadName, houseNumber, accessId } = KNOWN_ADDRESS;
    const ask = (postnr: string) => {
      const query = new URLSearchParams({ vej: roadName, husnr: houseNumber, postnr });
      return service.app.inject(`/v1/datavask?${query.toString()}&type=adgangsadresse`);
    };
    const padded = await ask('93');
    expect(padded.json()).toMatchObject({ resultater: [{ adresse: { id: accessId } }] });
    expect(padded.body).toBe((await ask('0093')).body);
    expect(padded.body).not.toBe((await ask('9300')).body);
  });

  test('a retired address names what took its place, one in force nothing', async () => {
    const { roadName, postcode, retiredAccessId, accessId } = KNOWN_ADDRESS;
    const retired = await service.app.inject(`/v1/adresser/${retiredAccessId}`);
    const { efterfoelgere, husnr } = retired.json<{ efterfoelgere: object[]; husnr: string }>();
    expect(efterfoelgere).toBeInstanceOf(Array);
    const living = await service.app.inject(`/v1/adresser/${accessId}`);
    expect(living.json()).not.toHaveProperty('efterfoelgere');
    const betegnelse = encodeURIComponent(`${roadName} ${husnr}, ${postcode}`);
    const cleansed = await service.app.inject(
      `/v1/datavask?betegnelse=${betegnelse}&type=adgangsadresse`,
    );
    const { resultater } = cleansed.json<{ resultater: { aktueladresse: object }[] }>();
    expect(resultater[0]).toMatchObject({ aktueladresse: { id: retiredAccessId, efterfoelgere } });
  });

  test('the datavask answers the house where neither floor nor door is written', async () => {
    const { roadName, houseNumber, postcode, postcodeName, accessId } = KNOWN_ADDRESS;
    const text = `${roadName} ${houseNumber}, ${postcode} ${postcodeName}`;
    const ask = async (type: string) => {
      const url = `/v1/datavask?betegnelse=${encodeURIComponent(text)}${type}`;
      const response = await service.app.inject(url);
      return response.json<{ kategori: string; resultater: { adresse: { type: string } }[] }>();
    };
    const house = await ask('');
    expect(house.kategori).toBe('A');
    expect(house.resultater[0]).toMatchObject({
      adresse: { type: 'adgangsadresse', id: accessId },
    });
    const units = await ask('&type=adresse');
    expect(new Set(units.resultater.map(({ adresse }) => adresse.type))).toEqual(
      new Set(['adresse']),
    );
    expect(house.resultater.length).toBe(1 + units.resultater.length);
  });

  const addressIndex = () => service.loader.current!.finder.addressIndex;

  /** Doors in force that have a point. */
  async function doors(): Promise<{ id: string; xUtm32: number; yUtm32: number }[]> {
    const { rows } = await service.store.pool.query<{ id: string; x: number; y: number }>(`
      select a.id, ST_X(p.geom) as x, ST_Y(p.geom) as y
      from address_access a join address_point p on p.id = a.point_id
      where a.status = 3 and p.geom is not null order by a.id`);
    return rows.map(({ id, x, y }) => ({ id, xUtm32: x, yUtm32: y }));
  }

  test('both agree on random points, and on points between two doors, ties included', async () => {
    const all = await doors();
    expect(all.length).toBeGreaterThan(100);
    const random = randomFrom(47);
    const [west, east] = extent(all.map(({ xUtm32 }) => xUtm32));
    const [south, north] = extent(all.map(({ yUtm32 }) => yUtm32));
    const points = Array.from({ length: POINTS }, (_, n) => {
      const one = all[Math.floor(random() * all.length)]!;
      const other = all[Math.floor(random() * all.length)]!;
      // Half anywhere, a quarter in the middle between two doors, a quarter at a door.
      if (n % 4 === 0) {
        return { xUtm32: (one.xUtm32 + other.xUtm32) / 2, yUtm32: (one.yUtm32 + other.yUtm32) / 2 };
      }
      if (n % 4 === 1) return { xUtm32: one.xUtm32, yUtm32: one.yUtm32 };
      return {
        xUtm32: west - 200 + random() * (east - west + 400),
        yUtm32: south - 200 + random() * (north - south + 400),
      };
    });
    let found = 0;
    for (let from = 0; from < POINTS; from += PER_STATEMENT) {
      const radiusM = [1, 50, 250, 1000][(from / PER_STATEMENT) % 4]!;
      const asked = points.slice(from, from + PER_STATEMENT);
      const { nearest } = await readNearestAddresses(service.store, asked, radiusM);
      for (const [n, point] of asked.entries()) {
        const inMemory = addressIndex().nearest(point, radiusM);
        const stored = nearest[n] ?? null;
        expect(inMemory?.address.id ?? null, JSON.stringify(point)).toBe(
          stored?.address.id ?? null,
        );
        if (inMemory === null || stored === null) continue;
        found += 1;
        expect(inMemory.distanceM).toBeCloseTo(stored.distanceM, 6);
        const { roadCode: _code, ...road } = inMemory.address.road;
        expect({ ...inMemory.address, road: { ...road, roadCode: null } }).toEqual(stored.address);
      }
    }
    expect(found).toBeGreaterThan(POINTS / 4);
  });

  function extent(values: readonly number[]): [number, number] {
    return [Math.min(...values), Math.max(...values)];
  }
});
