/** The upstream hosts the sample plays, each under its own base path of one server. */
import { allLayers, layerOf } from '../src/layers/catalogue.ts';
import { isConditionId } from '../src/layers/conditions/index.ts';
import { REGISTERS_CATALOGUE } from '../src/registers.ts';
import type { LayerId } from '../src/layers/keys.ts';
import type { FileSource, WfsSource } from '../src/layers/source.ts';
import { entitiesOf } from './data/table-row.ts';

export type HostId = string;

/** The host of the file downloads: no WFS, and no part of `HOSTS`. */
export const FILES_HOST = 'datafordeler-files' satisfies HostId;

export interface SampleHost {
  readonly id: WfsSource['host'];
  readonly path: string;
  readonly title: string;
  /** Prefix of the type names, and the namespace it stands for. */
  readonly prefix: string;
  readonly namespace: string;
  /** Parameter that must be there and not empty; null where the register is open. */
  readonly apiKeyParameter: string | null;
  readonly layers: readonly LayerId[];
}

/** Prefix, what it is called, namespace. */
const PLAYED: Readonly<Record<WfsSource['host'], readonly [string, string, string]>> = {
  portal: ['dai', 'Miljøportalen', 'http://example.org/sample/dai'],
  heritage: ['public', 'Fund og Fortidsminder', 'http://example.org/public'],
  cadastre: ['mat', 'Matriklen', 'http://example.org/sample/mat'],
  plandata: ['pdk', 'Plandata', 'http://example.org/sample/pdk'],
  dkjord: ['DKJord', 'DKJord', 'http://example.org/sample/dkjord'],
  grukos: ['grukos', 'GRUKOS', 'http://example.org/sample/grukos'],
  dagi: ['dagi10', 'DAGI', 'http://data.gov.dk/schemas/dagi/2/gml3sfp'],
};

export const HOSTS: readonly SampleHost[] = entitiesOf(PLAYED).map(host);

export function hostAt(path: string): SampleHost | null {
  return HOSTS.find((candidate) => candidate.path === path) ?? null;
}

/** The layer a type name stands for at a host; the prefix may be left out. */
export function layerNamed(of: SampleHost, typeName: string): LayerId | null {
  const wanted = typeName.includes(':') ? typeName : `${of.prefix}:${typeName}`;
  return of.layers.find((layer) => sourceOf(layer).typeName === wanted) ?? null;
}

/** As the registers define it, but for the reference system, of which there is one here. */
export function sourceOf(layer: LayerId): WfsSource {
  const { source } = layerOf(REGISTERS_CATALOGUE, layer);
  return isConditionId(layer) ? { ...source, srsName: 'EPSG:25832' } : source;
}

/** The table as a file; null: there is none. */
export function filesOf(layer: LayerId): FileSource | null {
  return layerOf(REGISTERS_CATALOGUE, layer).files;
}

/** Type name without prefix. */
export function localName(layer: LayerId): string {
  return sourceOf(layer).typeName.split(':').pop() ?? layer;
}

function host(id: WfsSource['host']): SampleHost {
  const [prefix, called, namespace] = PLAYED[id];
  const layers = allLayers(REGISTERS_CATALOGUE).filter((layer) => layer.source.host === id);
  return {
    id,
    path: `/${id}/wfs`,
    title: `${called} (opdigtet prøve)`,
    prefix,
    namespace,
    apiKeyParameter: layers[0]?.source.apiKeyParameter ?? null,
    layers: layers.map((layer) => layer.id),
  };
}
