/** Polling districts at the door of DAWA, over the sample's mirrored ones. */
import { describe, expect, test } from 'vitest';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { openAddressService } from '../support/address-service.ts';
import { opened } from '../support/opened.ts';

const service = await opened(openAddressService());
const app = service.app;

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
  const flat = (await ask(`/adgangsadresser/${id}?struktur=flad`)).json<Record<string, unknown>>();
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
