/**
 * Debian's MapServer as a WFS 2.0 upstream nobody here wrote. It publishes the real extracts under
 * the registers' own type and attribute names, through a small CGI bridge on a free port. One
 * service a register, as in the field: /dagi, /portal, /cadastre, /heritage.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allLayers, layerOf, overrideCatalogue } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { Catalogue, LayerOverride } from '../../src/layers/catalogue.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { Semaphore } from '../../src/kernel/semaphore.ts';
import { listening } from './free-port.ts';
import { findMapServer } from './programs.ts';
import { loadWithGdal, REAL_LAYERS } from './real-data.ts';
import type { RealLayer } from './real-data.ts';

/** The keys of the features in an answer, each once, sorted; what `gml:id` has behind the dot. */
export function keysIn(answer: Uint8Array): string[] {
  const text = Buffer.from(answer).toString('utf8');
  const keys = [...text.matchAll(/gml:id="\w+\.([^".]+)"/g)].map(([, key = '']) => key);
  return [...new Set(keys)].sort();
}

export interface MapServer extends MapFolder {
  /** The registers' catalogue with every layer pointed here; only those given have rows. */
  readonly catalogue: Catalogue;
}

/**
 * Of a coordinate. MapServer's own default is 6, a micrometre; 11 lets a double through unchanged, so that
 * what is compared is the service and not the upstream's rounding.
 */
const DECIMALS = 11;

/** Attribute names of the extracts (shapefile spelling) that the registers' services spell longer. */
const ALIASES: Partial<Record<LayerId, Readonly<Record<string, string>>>> = {
  natur: { Vedligehol: 'Vedligehold_status', Vedligeh_1: 'Vedligehold_tid' },
  fortidsminde: { lokalitet_: 'beskyttelse_areal_lbnr', anlaegstyp: 'anlaegstype' },
};

/**
 * Two ids of the strandbeskyttelse extract stand on two rows each: a parcel's piece in two parts,
 * split by whoever exported it. Its rows go by the number of the row instead.
 */
const KEYS: Partial<Record<LayerId, { readonly keyProperty: string }>> = {
  strandbeskyttelse: { keyProperty: 'fid' },
};

/** Requests MapServer works on at once, and how long one may take. */
const WORKERS = 3;
const WAITING = { each: 1_000, total: 1_000 };
const REQUEST_TIMEOUT_MS = 60_000;

/** MapServer over the map files of a folder: `/name` is answered by `name.map`. Closing it removes the folder. */
export interface MapFolder {
  /** Base address without a map, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export async function serveMaps(dir: string): Promise<MapFolder> {
  const program = findMapServer();
  if (program === null) throw new Error("MapServer is not installed (Debian's cgi-mapserver)");
  const conf = join(dir, 'mapserver.conf');
  writeFileSync(
    conf,
    'CONFIG\n  ENV\n    MS_MAP_NO_PATH "1"\n    MS_MAP_PATTERN "."\n  END\nEND\n',
  );
  const inLine = new Semaphore(localLimiters().permits('live answers', WORKERS), WAITING);
  const full = () => new Error('too many wait');
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://bridge');
    requests.push(search.slice(1));
    const asked = {
      ...{ MAPSERVER_CONFIG_FILE: conf, REQUEST_METHOD: 'GET', QUERY_STRING: search.slice(1) },
      MS_MAPFILE: join(dir, `${pathname.slice(1).replaceAll(/\W/g, '')}.map`),
    };
    void inLine.run('all', () => runCgi(program, response, asked), full);
  });
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Writes the sources and map files into a new folder and serves them. Close it when done. */
export async function startMapServer(layers: readonly RealLayer[]): Promise<MapServer> {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-mapserver-'));
  const data = join(dir, 'real.gpkg');
  for (const real of layers) loadWithGdal(real, real.layer, ['GPKG', data]);
  const maps = await serveMaps(dir);
  const { url } = maps;
  for (const service of ['dagi', 'portal', 'cadastre', 'heritage']) {
    writeFileSync(join(dir, `${service}.map`), mapFile({ service, url, data, layers }));
  }
  return { ...maps, catalogue: mapserverCatalogue(url) };
}

/** The registers' catalogue with every layer at `baseUrl` as GML, and guards that fit the extracts. */
export function mapserverCatalogue(baseUrl: string): Catalogue {
  const overrides: Partial<Record<LayerId, LayerOverride>> = {};
  for (const { id, source } of allLayers(REGISTERS_CATALOGUE)) {
    const real = REAL_LAYERS.find(({ layer }) => layer === id);
    overrides[id] = {
      source: {
        url: `${baseUrl}/${source.host}`,
        format: 'gml',
        apiKeyParameter: null,
        dagiScale: null,
        ...KEYS[id],
        // Small enough that every layer but the smallest comes in several pages.
        pageSize: Math.max(10, Math.ceil((real?.rows ?? 0) / 4.5)),
        pageTimeoutMs: REQUEST_TIMEOUT_MS,
      },
      guards: { minRows: real?.rows ?? 1 },
    };
  }
  return overrideCatalogue(REGISTERS_CATALOGUE, overrides);
}

interface MapFile {
  readonly service: string;
  readonly url: string;
  readonly data: string;
  readonly layers: readonly RealLayer[];
}

function mapFile(file: MapFile): string {
  const layers = file.layers.filter(
    ({ layer }) => layerOf(REGISTERS_CATALOGUE, layer).source.host === file.service,
  );
  const typeName = layers[0] && layerOf(REGISTERS_CATALOGUE, layers[0].layer).source.typeName;
  const prefix = typeName?.split(':')[0] ?? 'none';
  return `MAP
  NAME "${file.service}"
  EXTENT 400000 6000000 950000 6450000
  PROJECTION "init=epsg:25832" END
  WEB
    METADATA
      "ows_enable_request" "*"
      "wfs_title" "Real extracts"
      "wfs_onlineresource" "${file.url}/${file.service}?"
      "wfs_srs" "EPSG:25832"
      "wfs_encoding" "UTF-8"
      "wfs_namespace_prefix" "${prefix}"
      "wfs_namespace_uri" "urn:test:${prefix}"
    END
  END
${layers.map((real) => layerBlock(real, file)).join('')}END
`;
}

function layerBlock(real: RealLayer, { data }: MapFile): string {
  const { source } = layerOf(REGISTERS_CATALOGUE, real.layer);
  const aliases = Object.entries(ALIASES[real.layer] ?? {});
  const multi = real.layer !== 'strandbeskyttelse';
  return `  LAYER
    NAME "${source.typeName.split(':')[1] ?? ''}"
    TYPE POLYGON
    STATUS ON
    CONNECTIONTYPE OGR
    CONNECTION "${data}"
    DATA "${real.layer}"
    PROJECTION "init=epsg:25832" END
    METADATA
      "wfs_title" "${real.layer}"
      "wfs_srs" "EPSG:25832"
      "wfs_geometry_precision" "${DECIMALS}"
      "gml_include_items" "all"
      "gml_types" "auto"
      "gml_featureid" "${real.key}"
      "gml_geometries" "${source.geometryProperty}"
      "gml_${source.geometryProperty}_type" "${multi ? 'multipolygon' : 'polygon'}"
${aliases.map(([from, to]) => `      "gml_${from}_alias" "${to}"\n`).join('')}    END
  END
`;
}

/** Runs one CGI request and hands its status, content type and body on as they are. */
async function runCgi(
  program: string,
  response: ServerResponse,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(program, [], { env: environment, timeout: REQUEST_TIMEOUT_MS });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.resume();
  child.stdin.end();
  response.on('close', () => child.kill());
  const failed = await new Promise<boolean>((done) => {
    child.on('error', () => done(true));
    child.on('close', (code) => done(code === null));
  });
  const output = Buffer.concat(chunks);
  const split = /\r?\n\r?\n/.exec(output.toString('latin1'));
  if (failed || split === null) {
    response.writeHead(502).end('MapServer did not answer');
    return;
  }
  const head = output.subarray(0, split.index).toString('latin1');
  response.statusCode = Number(/^status:\s*(\d{3})/im.exec(head)?.[1] ?? 200);
  response.setHeader('Content-Type', /^content-type:\s*(.+?)\r?$/im.exec(head)?.[1] ?? 'text/html');
  response.end(output.subarray(split.index + split[0].length));
}
