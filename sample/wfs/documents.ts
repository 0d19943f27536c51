/** GetCapabilities and DescribeFeatureType. */
import { layerOf } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { Schema } from '../data/feature.ts';
import type { SampleHost } from '../hosts.ts';
import { localName, sourceOf } from '../hosts.ts';
import { documentOf, escapeXml } from './xml.ts';

export interface CapabilitiesPlan {
  readonly host: SampleHost;
  /** Address of the host, without query string. */
  readonly url: string;
  /** What a client is told about the largest page. */
  readonly countDefault: number;
}

const CAPABILITIES = documentOf('capabilities');
/** The box is of the island, the islets and some sea. */
const FEATURE_TYPE = documentOf('feature-type');
const SCHEMA = documentOf('schema');
const SCHEMA_TYPE = documentOf('schema-type');

export function capabilitiesDocument({ host, url, countDefault }: CapabilitiesPlan): string {
  const { title, prefix, namespace, layers } = host;
  const types = layers.map((layer) =>
    FEATURE_TYPE({ name: sourceOf(layer).typeName, title: localName(layer) }),
  );
  return CAPABILITIES({
    ...{ title: escapeXml(title), prefix, namespace, url: escapeXml(url), countDefault },
    types: types.join(''),
  });
}

/** The XSD of some types, with the schemas in force (a fault may have changed them). */
export function schemaDocument(
  { prefix, namespace }: SampleHost,
  schemas: readonly { readonly layer: LayerId; readonly schema: Schema }[],
): string {
  const types = schemas.map(({ layer, schema }) => {
    const own = Object.entries(schema).map(([name, type]) => element(name, `xsd:${type}`));
    const shape = element(sourceOf(layer).geometryProperty, geometryType(layer));
    return SCHEMA_TYPE({ prefix, name: localName(layer), elements: [...own, shape].join('\n') });
  });
  return SCHEMA({ prefix, namespace, types: types.join('') });
}

function element(attribute: string, type: string): string {
  return `<xsd:element maxOccurs="1" minOccurs="0" name="${attribute}" nillable="true" type="${type}"/>`;
}

function geometryType(layer: LayerId): string {
  if (layerOf(REGISTERS_CATALOGUE, layer).geometry === 'line') return 'gml:MultiCurvePropertyType';
  return sourceOf(layer).host === 'cadastre'
    ? 'gml:SurfacePropertyType'
    : 'gml:MultiSurfacePropertyType';
}
