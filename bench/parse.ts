/**
 * Parse rate of upstream answers: reading, mapping, encoding and hashing a page in one thread, beside
 * nothing but the parser underneath (slimdom, JSON.parse) on the same bytes.
 */
import { parseXmlDocument } from 'slimdom';
import { AREA_LAYERS } from '../src/registers/areas/mirror.ts';
import { LINE_LAYERS } from '../src/registers/lines/mirror.ts';
import { inspect } from '../src/wfs/inspect.ts';
import { pageTask } from '../src/wfs/page-task.ts';
import { parsePage } from '../src/wfs/parse-page.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';

/** Like a page of § 3 nature, and like a few municipalities at 1:10,000. */
const GEOJSON_FEATURES = 4_000;
const GML_FEATURES = 40;
const GEOJSON_VERTICES = 60;
const GML_VERTICES = 8_000;
const ROUNDS = 5;
/** A round lasts at least this long, so that quick work is not lost in the clock's grain. */
const LEAST_US = 50_000;

// oxlint-disable-next-line typescript/require-await -- benchmarks are asynchronous
export async function benchParse(): Promise<BenchRow[]> {
  const gml = new TextEncoder().encode(gmlPage());
  const json = new TextEncoder().encode(jsonPage());
  const decoder = new TextDecoder();
  const bareXml = rate(gml, () => parseXmlDocument(decoder.decode(gml)));
  const bareJson = rate(json, () => JSON.parse(decoder.decode(json)) as unknown);
  const gmlRate = rate(gml, () => expectAll(AREA_LAYERS.kommune, gml, GML_FEATURES));
  const jsonRate = rate(json, () => expectAll(LINE_LAYERS.natur, json, GEOJSON_FEATURES));
  return [
    row('GML page to mapped features, one thread', gmlRate, 'MB/s', {
      beside: ['bare slimdom', bareXml],
    }),
    row('GeoJSON page to mapped features, one thread', jsonRate, 'MB/s', {
      beside: ['bare JSON.parse', bareJson],
    }),
    row(
      'inspecting GML as it arrives',
      rate(gml, () => inspect(gml)),
      'MB/s',
      {
        beside: ['bare slimdom', bareXml],
      },
    ),
    row(
      'inspecting GeoJSON as it arrives',
      rate(json, () => inspect(json)),
      'MB/s',
      {
        beside: ['bare JSON.parse', bareJson],
      },
    ),
  ];
}

type Layer = Parameters<typeof pageTask>[0];

/** A benchmark of a reader that reads nothing would be splendid: the count is checked. */
function expectAll(layer: Layer, bytes: Uint8Array, count: number): void {
  const { features, issues } = parsePage(pageTask(layer, bytes));
  if (features.length !== count) {
    throw new Error(`${features.length} features of ${count}: ${issues[0]?.reason ?? ''}`);
  }
}

/**
 * Megabytes a second of this thread's own processor time, the best of some rounds after one to warm
 * up: neighbours on a shared machine do not count.
 */
export function rate(bytes: Uint8Array, work: () => unknown): number {
  work();
  let best = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.threadCpuUsage();
    let usedUs = 0;
    let times = 0;
    while (usedUs < LEAST_US) {
      work();
      times += 1;
      const { user, system } = process.threadCpuUsage(before);
      usedUs = user + system;
    }
    // Bytes per microsecond are megabytes per second.
    best = Math.max(best, (bytes.length * times) / usedUs);
  }
  return best;
}

/** A wavy ring around a place that differs by feature, centimetres as the registers write them. */
function ring(index: number, vertices: number): [number, number][] {
  const x = 450_000 + (index % 300) * 1_000;
  const y = 6_100_000 + Math.floor(index / 300) * 1_000;
  const points = Array.from({ length: vertices }, (_, step): [number, number] => {
    const angle = (2 * Math.PI * step) / vertices;
    const radius = 300 + 40 * Math.sin(angle * 17 + index);
    return [round(x + radius * Math.cos(angle)), round(y + radius * Math.sin(angle))];
  });
  return [...points, points[0]!];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function jsonPage(): string {
  const features = Array.from({ length: GEOJSON_FEATURES }, (_, index) => ({
    type: 'Feature',
    id: `bes_naturtyper.${index}`,
    geometry: {
      type: 'MultiPolygon',
      coordinates: [[ring(index, GEOJSON_VERTICES).map(([x, y]) => [x, y, 0])]],
    },
    geometry_name: 'Shape',
    properties: {
      Temakode: 2013,
      Temanavn: 'Beskyttede naturtyper',
      Objekt_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      Systid_fra: '2021-05-16T20:12:11.283',
      Systid_til: null,
      Oprettet: '2006-12-31T01:00:00.000',
      Statuskode: 3,
      Status: 'Gældende / Vedtaget',
      Off_kode: 1,
      CVR_kode: '29188386.0',
      CVR_navn: 'Egedal kommune',
      Natyp_kode: 3,
      Natyp_navn: 'Mose',
    },
  }));
  return JSON.stringify({ type: 'FeatureCollection', numberMatched: features.length, features });
}

function gmlPage(): string {
  const members = Array.from({ length: GML_FEATURES }, (_, index) => {
    const numbers = ring(index, GML_VERTICES).flat().join(' ');
    return `<wfs:member><dagi:Kommuneinddeling gml:id="dagi.${index}"><dagi:id.namespace>http://data.gov.dk/dagi</dagi:id.namespace><dagi:id.lokalId>${index}</dagi:id.lokalId><dagi:navn>Kommune ${index}</dagi:navn><dagi:skala>1:10.000</dagi:skala><dagi:kommunekode>${index + 101}</dagi:kommunekode><dagi:geometri><gml:MultiSurface srsName="urn:ogc:def:crs:EPSG::25832"><gml:surfaceMember><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>${numbers}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface></dagi:geometri></dagi:Kommuneinddeling></wfs:member>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:dagi="http://data.gov.dk/schemas/dagi/2/gml3sfp" numberMatched="${GML_FEATURES}" numberReturned="${GML_FEATURES}">${members.join('')}</wfs:FeatureCollection>`;
}
