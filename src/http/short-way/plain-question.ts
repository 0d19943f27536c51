/**
 * The plainest question there is: a GET of one point in degrees, with a key in its header and no body.
 * It is told by its text alone. Anything else about a request is for the long way to judge.
 */
import type { IncomingMessage } from 'node:http';
import type { PointWgs84 } from '../../geo/point.ts';
import { bearerOf } from '../wire/shown-key.ts';

const DEGREES = String.raw`(-?\d{1,3}(?:\.\d{1,16})?)`;
const LON_FIRST = new RegExp(`^lon=${DEGREES}&lat=${DEGREES}$`);
const LAT_FIRST = new RegExp(`^lat=${DEGREES}&lon=${DEGREES}$`);

/** The point that a query asks for; null: it asks in other words, or for more. */
export function plainPoint(query: string): PointWgs84 | null {
  const straight = LON_FIRST.exec(query);
  if (straight !== null) return { lon: Number(straight[1]), lat: Number(straight[2]) };
  const turned = LAT_FIRST.exec(query);
  return turned === null ? null : { lon: Number(turned[2]), lat: Number(turned[1]) };
}

/** Whether a request is a GET that node has read whole with its head, of a client that names its host. */
export function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}

/** The key in the header; null: none, or none that can be read. */
export function plainKey({ headers: { authorization } }: IncomingMessage): string | null {
  return authorization === undefined ? null : bearerOf(authorization);
}
