/**
 * The door's answers over the sample held against the shapes of answers that DAWA gave: names, order,
 * types, null or absent. The answers lie beside the project; only their shapes are taken from them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kvhxOf } from '../../src/registers/addresses/keys.ts';
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

interface Compared {
  readonly fields: number;
  readonly differences: readonly Difference[];
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Fields of the captured value, and where the answer differs; a null is both of all types. */
function compare(golden: unknown, own: unknown, path = ''): Compared {
  const [wanted, given] = [typeOf(golden), typeOf(own)];
  if (wanted === 'null') return { fields: 1, differences: [] };
  if (given === 'null') return { fields: 1, differences: [{ path, what: 'unknown' }] };
  if (wanted !== given) return { fields: 1, differences: [{ path, what: 'type' }] };
  if (Array.isArray(golden)) {
    const [first] = golden as readonly unknown[];
    const [mine] = own as readonly unknown[];
    if (first === undefined) return { fields: 1, differences: [] };
    return mine === undefined
      ? { fields: 1, differences: [{ path, what: 'unknown' }] }
      : compare(first, mine, `${path}[]`);
  }
  if (wanted !== 'object') return { fields: 1, differences: [] };
  return compareMembers(golden as Members, own as Members, path);
}

type Members = Readonly<Record<string, unknown>>;

function compareMembers(golden: Members, own: Members, path: string): Compared {
  const [names, mine] = [Object.keys(golden), Object.keys(own)];
  const missing = [...names, ...mine].filter((name) => !(name in golden) || !(name in own));
  const named = missing.map((name): Difference => ({ path: `${path}.${name}`, what: 'name' }));
  const isOrdered = missing.length > 0 || names.join() === mine.join();
  const order: Difference[] = isOrdered ? [] : [{ path, what: 'order' }];
  const each = names
    .filter((name) => name in own)
    .map((name) => compare(golden[name], own[name], `${path}.${name}`));
  return {
    fields: each.reduce((sum, { fields }) => sum + fields, missing.length),
    differences: [...named, ...order, ...each.flatMap(({ differences }) => differences)],
  };
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

const tally = { fields: 0, same: 0, unknown: 0 };

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
      const { fields, differences } = compare(JSON.parse(golden), JSON.parse(answer.body));
      const isTown = request.includes('supplerendebynavne2');
      const isNull = (path: string) => documented(path) || (isTown && path === '.bbox');
      const wrong = differences.filter(({ path, what }) => what !== 'unknown' || !isNull(path));
      expect(wrong, answer.body).toEqual([]);
      expect(layoutOf(answer.body)).toBe(layoutOf(golden));
      tally.fields += fields;
      tally.unknown += differences.length;
      tally.same += fields - differences.length;
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

  test.skipIf(!isHere)('of every field that a mirror knows, all are reproduced', () => {
    expect(tally.same + tally.unknown).toBe(tally.fields);
    expect(tally.same).toBeGreaterThan(300);
    console.info(
      `captured fields: ${tally.fields}, reproduced ${tally.same}, null ${tally.unknown}`,
    );
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
    async (_, __, { path, status = 200, reads = [] }) => {
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
/** Forms, and keys of one address. */
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
      expect(new Set(rows.map(({ nummer }) => nummer)).size).toBeLessThan(rows.length + 1);
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
