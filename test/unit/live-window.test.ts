/** What a live window must be before a yes or a no is read from it. */
import { describe, expect, test } from 'vitest';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { pageTask } from '../../src/wfs/page-task.ts';
import { parsePage } from '../../src/wfs/parse-page.ts';
import measureWindow from '../../src/registers/lines/window.thread.ts';
import { box, positionsOf } from '../support/layer-fixture.ts';

const GML = 'http://www.opengis.net/gml/3.2';
const X = 600_000;
const Y = 6_200_000;
const FOREST = { Statuskode: 3, Off_kode: 1, Skovs_kode: 1, Systid_til: null };
const BOX = { minX: X - 500, minY: Y - 500, maxX: X + 500, maxY: Y + 500 };

interface Given {
  readonly id?: string;
  readonly at?: number;
  readonly properties?: Record<string, unknown>;
}

function feature({ id = 'a', at = X - 50, properties = {} }: Given) {
  return {
    type: 'Feature',
    id: `skovbyggelinjer.${id}`,
    geometry: { type: 'Polygon', coordinates: [positionsOf(box(at, Y - 50, 100))] },
    properties: { ...FOREST, Objekt_id: id, ...properties },
  };
}

function pageOf(...given: Given[]) {
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };
  const text = JSON.stringify({ type: 'FeatureCollection', crs, features: given.map(feature) });
  return pageTask(LINE_LAYERS.skov, new TextEncoder().encode(text));
}

const ask = (...given: Given[]) =>
  measureWindow({
    page: pageOf(...given),
    box: BOX,
    point: { xUtm32: X, yUtm32: Y },
    radiusM: 500,
  });

// Measured, and with a feature that cannot be read: the fault matrix, live.
describe('a live window', () => {
  test('is refused with a feature twice: another was left out for it', () => {
    expect(ask({ id: 'a', at: X + 300 }, { id: 'a', at: X + 300 })).toEqual({
      refused: 'the feature skovbyggelinjer.a is there twice',
    });
  });

  test('of GML is refused with a feature twice as well', () => {
    const memberOf = (id: string) =>
      `<w:member><mat:K gml:id="${id}"><mat:navn>x</mat:navn></mat:K></w:member>`;
    const gml = (...ids: string[]) =>
      `<w:FeatureCollection xmlns:w="w" xmlns:mat="m" xmlns:gml="${GML}">${ids.map(memberOf).join('')}</w:FeatureCollection>`;
    const read = (text: string) =>
      parsePage(pageTask(LINE_LAYERS.klitfredning, new TextEncoder().encode(text)));
    expect(read(gml('k.1', 'k.2')).members).toBe(2);
    expect(() => read(gml('k.1', 'k.1'))).toThrow('the feature k.1 is there twice');
  });

  test('is refused with a feature outside the box asked for, and not with one on its edge', () => {
    expect(ask({ at: X + 30_000 })).toEqual({
      refused: 'a feature lies outside the box that was asked for',
    });
    expect(ask({ at: X + 500 })).toMatchObject({ within: false });
  });

  test.each([
    [{ Statuskode: undefined }, 'no Statuskode'],
    [{ Off_kode: undefined }, 'no Off_kode'],
    [{ Skovs_kode: undefined }, 'no Skovs_kode'],
  ])('is refused with a feature of %j, which the mirror takes as in force', (properties, words) => {
    expect(ask({ properties })).toEqual({ refused: `a feature cannot be judged: ${words}` });
    expect(parsePage(pageOf({ properties }))).toMatchObject({
      features: [{ standing: 'in_force' }],
      doubts: { [words]: 1 },
    });
  });

  test.each(['Systid_til', 'Objekt_id'])(
    'is refused when %s is in no feature: without the column no row says what it is',
    (column) => {
      const refused = expect.stringMatching(/gone|no Objekt_id/) as string;
      expect(ask({ properties: { [column]: undefined } })).toEqual({ refused });
    },
  );

  test('of GML tells what it did not show: a value left out, or a column that is gone', () => {
    const measured = (columns: string) => {
      const ring = `${X - 50} ${Y - 50} ${X + 50} ${Y - 50} ${X + 50} ${Y + 50} ${X - 50} ${Y - 50}`;
      const text =
        `<w:FeatureCollection xmlns:w="w" xmlns:dai="d" xmlns:gml="${GML}">` +
        `<w:member><dai:s gml:id="s.1"><dai:Objekt_id>a</dai:Objekt_id>${columns}<dai:Shape>` +
        '<gml:Polygon srsName="urn:ogc:def:crs:EPSG::25832"><gml:exterior><gml:LinearRing>' +
        `<gml:posList>${ring}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>` +
        '</dai:Shape></dai:s></w:member></w:FeatureCollection>';
      return measureWindow({
        page: pageTask(LINE_LAYERS.soe, new TextEncoder().encode(text)),
        box: BOX,
        point: { xUtm32: X + 10, yUtm32: Y - 20 },
        radiusM: 500,
      });
    };
    const codes = '<dai:Statuskode>3</dai:Statuskode><dai:Off_kode>1</dai:Off_kode>';
    expect(measured(codes)).toMatchObject({ within: true, unseenColumns: ['systid_til'] });
    expect(measured(`${codes}<dai:Systid_til></dai:Systid_til>`)).toMatchObject({
      within: true,
      unseenColumns: [],
    });
  });

  test('is not refused for rows that are no part of the mirror', () => {
    expect(ask({ properties: { Off_kode: 2, Statuskode: null } })).toMatchObject({ count: 0 });
  });
});
