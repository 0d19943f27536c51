/** What a source says of its columns, and what has become of them since. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Contract } from '../../src/layers/contract.ts';
import { compareContracts, isBroken, seenKind } from '../../src/layers/contract.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { layerOf } from '../../src/layers/catalogue.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { readDescription } from '../../src/wfs/describe.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { opened } from '../support/opened.ts';

const upstream = await opened(startSampleUpstream());
const client = createWfsClient({ wait: () => Promise.resolve() });
afterAll(() => client.close());
afterEach(() => upstream.faults.clear());

const columnsOf = (layer: LayerId) =>
  client.fetchColumns(layerOf(sampleCatalogue(upstream.url), layer).source, { apiKey: 'x' });

describe('a description', () => {
  test('tells kinds apart, and integers from decimals not', async () => {
    expect(await columnsOf('skov')).toMatchObject({ statuskode: 'number', systid_fra: 'time' });
    expect(await columnsOf('kommune')).toMatchObject({
      id_lokalid: 'number',
      navn: 'text',
      udenforkommuneinddeling: 'boolean',
    });
  });

  test.each(['html-200', 'exception-200', 'empty-body', 'truncated-body'] as const)(
    'that comes as %s says nothing, rather than that nothing is there',
    async (fault) => {
      upstream.faults.set([{ fault }]);
      expect(await columnsOf('soe')).toBeNull();
    },
  );

  test('that cannot be had is a failure without the key', async () => {
    upstream.faults.set([{ fault: 'http-500' }]);
    const error = await columnsOf('kommune').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UpstreamFailure);
    expect(String(error)).not.toContain('apikey');
  });

  test('of another type, or one that only refers to another document, is none', () => {
    const schema = (inner: string) =>
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${inner}</xs:schema>`;
    expect(readDescription(schema('<xs:include schemaLocation="x.xsd"/>'), 'a:b')).toBeNull();
    expect(readDescription(schema('<xs:element name="c" type="cType"/>'), 'a:b')).toBeNull();
    expect(readDescription(schema('<xs:element name="b" type="bType"/>'), 'a:b')).toBeNull();
    expect(readDescription('<schema/>', 'a:b')).toBeNull();
  });

  test('may define its type in place, and restrict its columns', () => {
    const text = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:element name="b"><xs:complexType><xs:sequence>
        <xs:element name="id.lokalId"><xs:simpleType><xs:restriction base="xs:integer"/>
        </xs:simpleType></xs:element>
        <xs:element name="x" type="other:thing"/>
      </xs:sequence></xs:complexType></xs:element></xs:schema>`;
    expect(readDescription(text, 'a:b')).toEqual({ id_lokalid: 'number', x: 'other' });
  });

  const xsd = join(import.meta.dirname, '../../../shared/data/real/dagi/dagi2000.xsd');
  test.skipIf(!existsSync(xsd))('that GDAL wrote of the real themes is understood', () => {
    expect(readDescription(readFileSync(xsd, 'utf8'), 'ogr:dagi_Kommuneinddeling')).toMatchObject({
      kommunekode: 'number',
      navn: 'text',
      regionskode: 'number',
      geometryproperty: 'geometry',
    });
  });
});

describe('a contract', () => {
  const base: Contract = {
    origin: 'wfs a:b',
    described: { statuskode: 'number', navn: 'text' },
    seen: { statuskode: 'number', navn: 'text' },
    complete: true,
  };
  const now = (change: Partial<Contract>): Contract => ({ ...base, ...change });
  const compare = (change: Partial<Contract>, before: Contract | null = base) =>
    compareContracts(before, now(change), ['Statuskode']);

  test('is not broken by nulls, by GML that leaves them out, or by nothing at all', () => {
    expect(isBroken(compare({ seen: { statuskode: 'none', navn: 'text' } }))).toBe(false);
    const gml = { described: null, complete: false, seen: { navn: 'untyped' } } as const;
    expect(isBroken(compare(gml))).toBe(false);
    expect(isBroken(compare({ described: null, seen: {} }))).toBe(false);
  });

  test('that told nothing of its columns is no reason to ask less of the next', () => {
    const silent: Contract = { ...base, described: null, complete: false, seen: {} };
    const without = { described: { navn: 'text' }, seen: {}, complete: false } as const;
    expect(compare(without, silent).missing).toEqual(['statuskode']);
    expect(compare({ described: null, seen: {}, complete: false }, silent).missing).toEqual([]);
  });

  test('of another origin says nothing of this one', () => {
    expect(isBroken(compare({ origin: 'files x', described: { statuskode: 'text' } }))).toBe(false);
  });

  test('knows the kinds of values', () => {
    expect(['a', 1, 1n, true, null, undefined, {}, []].map(seenKind)).toEqual([
      ...['text', 'number', 'number', 'boolean', 'none', 'none', 'other', 'other'],
    ]);
  });
});
