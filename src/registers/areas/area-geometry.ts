import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { AreaGeometry } from '../../answers/answer.ts';
import { upstreamUnavailable } from '../../kernel/failures.ts';
import type { Failure } from '../../kernel/failures.ts';
import { gzipOf } from '../../kernel/gzip.ts';

const unpack = promisify(gunzip);
const METRES = ',"epsg25832_rings":';

export function noGeometry(): Failure {
  return upstreamUnavailable(
    'The geometry of an area cannot be answered now.',
    'Et områdes geometri kan ikke besvares nu.',
  );
}

/** From rendered geometry, which has both coordinate systems. */
export async function ringsText(
  geometry: AreaGeometry | null,
  srid: 4326 | 25832,
): Promise<string> {
  if (geometry === null) throw noGeometry();
  const text = (await unpack(Buffer.concat(gzipOf([geometry.json])))).toString();
  const at = text.lastIndexOf(METRES);
  if (at < 0) throw new Error('An area is rendered in both coordinate systems.');
  if (srid === 4326) return `${text.slice(0, at)}}`;
  return `{"type":"MultiPolygon","coordinates":${partsOf(text, at)}}`;
}

function partsOf(text: string, at: number): string {
  const rings = JSON.parse(text.slice(at + METRES.length, -1)) as readonly unknown[];
  const { coordinates } = JSON.parse(`${text.slice(0, at)}}`) as {
    readonly coordinates: readonly (readonly unknown[])[];
  };
  let next = 0;
  return JSON.stringify(coordinates.map((part) => part.map(() => rings[next++])));
}
