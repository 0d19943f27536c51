/** The plainest question: one point in degrees. */
import type { IncomingMessage } from 'node:http';
import { isOneHost } from '../plugins/admission.ts';
import type { PointWgs84 } from '../../geo/point.ts';

const DEGREES = String.raw`(-?\d{1,3}(?:\.\d{1,16})?)`;
const LON_FIRST = new RegExp(`^lon=${DEGREES}&lat=${DEGREES}$`);
const LAT_FIRST = new RegExp(`^lat=${DEGREES}&lon=${DEGREES}$`);

/** null: the query has other parameters or another form. */
export function plainPoint(query: string): PointWgs84 | null {
  const straight = LON_FIRST.exec(query);
  if (straight !== null) return { lon: Number(straight[1]), lat: Number(straight[2]) };
  const turned = LAT_FIRST.exec(query);
  return turned === null ? null : { lon: Number(turned[2]), lat: Number(turned[1]) };
}

/** A GET with one host, without a body or expectation. */
export function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.host !== undefined &&
    isOneHost(headers.host) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}
