/** A real HTTP server on a free port that answers as a test says, and a source that points at it. */
import { onTestFinished } from 'vitest';
import { createWfsClient } from '../../src/wfs/client.ts';
import type { WfsClientOptions } from '../../src/wfs/client.ts';
import { createHostGate } from '../../src/wfs/hosts.ts';
import { createLiveWfs } from '../../src/wfs/live.ts';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { WfsSource } from '../../src/layers/source.ts';
import { listening } from '../support/free-port.ts';

export type Answer = (query: URLSearchParams, response: ServerResponse, n: number) => void;

/** Until the test ends; with the queries received, in order. */
export async function startUpstream(answer: Answer, changes: Partial<WfsSource> = {}) {
  const queries: URLSearchParams[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://upstream').searchParams;
    queries.push(query);
    requests.push(request);
    answer(query, response, queries.length);
  });
  const port = await listening(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const source: WfsSource = {
    kind: 'wfs',
    host: 'portal',
    url: `http://127.0.0.1:${port}/wfs`,
    typeName: 'dai:ting',
    format: 'geojson',
    geometryProperty: 'Shape',
    keyProperty: 'Objekt_id',
    srsName: 'EPSG:25832',
    pageSize: 4,
    pageTimeoutMs: 2_000,
    pointTimeoutMs: 1_000,
    tries: 3,
    apiKeyParameter: 'apikey',
    ...changes,
  };
  return { source, queries, requests };
}

/** A client that does not really wait between tries, and live windows through it, until the test ends. */
export function openClient(options: WfsClientOptions = { wait: () => Promise.resolve() }) {
  const client = createWfsClient(options);
  onTestFinished(() => client.close());
  const gate = createHostGate({ clock: { nowMs: () => 0 } });
  return { client, gate, live: createLiveWfs(client, gate) };
}

/** A GeoJSON page of features `from` to `to` (exclusive) of `total`; total null says "unknown". */
export function page(from: number, to: number, total: number | null, stamp = 'T'): string {
  const features = Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    type: 'Feature',
    id: `ting.${from + index}`,
    geometry: { type: 'Point', coordinates: [600000 + from + index, 6200000] },
    properties: { Objekt_id: `id-${from + index}` },
  }));
  return JSON.stringify({
    type: 'FeatureCollection',
    timeStamp: stamp,
    numberMatched: total ?? 'unknown',
    numberReturned: features.length,
    features,
  });
}

/** What GeoServer answers to resultType=hits. */
export function hitsAnswer(total: number | null): string {
  return `<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberMatched="${total ?? 'unknown'}" numberReturned="0" timeStamp="2026-11-20T00:00:00Z"/>`;
}

export function exceptionReport(text: string): string {
  return `<?xml version="1.0"?><ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1" version="2.0.0"><ows:Exception exceptionCode="NoApplicableCode"><ows:ExceptionText>${text}</ows:ExceptionText></ows:Exception></ows:ExceptionReport>`;
}

/** An honest server of `total` features: pages, hits, `count` and `startIndex`. */
export function honest(total: number, announced: number | null = total): Answer {
  return (query, response) => {
    if (query.get('resultType') === 'hits') {
      response.end(hitsAnswer(announced));
      return;
    }
    const start = Number(query.get('startIndex') ?? 0);
    const count = Number(query.get('count') ?? total);
    response.end(page(start, Math.min(total, start + count), announced));
  };
}
