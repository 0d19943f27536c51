/** A WFS that serves whatever GeoJSON features it is given, word for word: broken ones too. */
import { createServer } from 'node:http';
import { listening } from './free-port.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { Catalogue } from '../../src/layers/catalogue.ts';

export interface GeoJsonWfs {
  readonly url: string;
  features: readonly object[];
  close(): Promise<void>;
}

/** Serves every feature to whoever asks, whatever the box. Close it yourself. */
export async function startGeoJsonWfs(): Promise<GeoJsonWfs> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const value = (name: string) =>
      [...asked].find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
    const all = wfs.features;
    const start = Number(value('startindex') ?? 0);
    const some = all.slice(start, start + Number(value('count') ?? all.length));
    const isHits = value('resulttype') === 'hits';
    if (value('request') !== 'GetFeature') {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };
    const counts = { numberMatched: all.length, numberReturned: isHits ? 0 : some.length };
    const features = isHits ? [] : some;
    response.end(JSON.stringify({ type: 'FeatureCollection', crs, ...counts, features }));
  });
  const wfs: GeoJsonWfs = {
    url: `http://127.0.0.1:${await listening(server)}/wfs`,
    features: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return wfs;
}

/** The catalogue with its lakes from there, however few, and wherever they move. */
export function lakesFrom({ url }: Pick<GeoJsonWfs, 'url'>, catalogue: Catalogue): Catalogue {
  const source = { url, format: 'geojson', tries: 1 } as const;
  const guards = { minRows: 0, maxAreaDropShare: 1, maxCanaryShare: 1 };
  return overrideCatalogue(catalogue, { soe: { source, guards } });
}

/** A lake in force as the portal serves it, with other properties where they are given. */
export function lakeOf(id: number, geometry: unknown, more: object = {}): object {
  const properties = {
    ...{ Objekt_id: id, Statuskode: 3, Off_kode: 1, Temanavn: 'soe', cvr_kode: 1 },
    ...{ Systid_fra: '2020-01-01T00:00:00', Systid_til: null, Oprettet: '2020-01-01T00:00:00' },
    ...{ cvr_navn: 'Prøve Kommune', ...more },
  };
  return { type: 'Feature', id: `soe.${id}`, geometry, properties };
}
