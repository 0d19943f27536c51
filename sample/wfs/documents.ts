/** GetCapabilities and DescribeFeatureType. */
import { toWgs84 } from '../../src/geo/project.ts';
import { layerOf } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { Schema } from '../data/feature.ts';
import { CENTRE } from '../data/island.ts';
import type { SampleHost } from '../hosts.ts';
import { localName, sourceOf } from '../hosts.ts';
import { escapeXml } from './xml.ts';

export interface CapabilitiesPlan {
  readonly host: SampleHost;
  /** Address of the host, without query string. */
  readonly url: string;
  /** What a client is told about the largest page. */
  readonly countDefault: number;
}

/** Half a side of the box announced for every type, metres: the island, the islets, some sea. */
const REACH_M = 12_000;

export function capabilitiesDocument({ host, url, countDefault }: CapabilitiesPlan): string {
  const operations = ['GetCapabilities', 'DescribeFeatureType'].map((name) =>
    operation(name, url, ''),
  );
  const constraint =
    '<ows:Constraint name="CountDefault"><ows:NoValues/>' +
    `<ows:DefaultValue>${countDefault}</ows:DefaultValue></ows:Constraint>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0"',
    ' xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:fes="http://www.opengis.net/fes/2.0"',
    ' xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink"',
    ` xmlns:${host.prefix}="${host.namespace}" version="2.0.0">\n`,
    `<ows:ServiceIdentification><ows:Title>${escapeXml(host.title)}</ows:Title>`,
    '<ows:ServiceType>WFS</ows:ServiceType>',
    '<ows:ServiceTypeVersion>2.0.0</ows:ServiceTypeVersion>',
    '<ows:Fees>NONE</ows:Fees><ows:AccessConstraints>NONE</ows:AccessConstraints>',
    '</ows:ServiceIdentification>\n<ows:OperationsMetadata>\n',
    ...operations,
    operation('GetFeature', url, constraint),
    ...PROFILE.map(
      ([name, value]) =>
        `<ows:Constraint name="${name}"><ows:NoValues/>` +
        `<ows:DefaultValue>${value}</ows:DefaultValue></ows:Constraint>\n`,
    ),
    '</ows:OperationsMetadata>\n<wfs:FeatureTypeList>\n',
    ...host.layers.map(featureType),
    '</wfs:FeatureTypeList>\n',
    FILTER_CAPABILITIES,
    '</wfs:WFS_Capabilities>\n',
  ].join('');
}

const PROFILE = [
  ['ImplementsBasicWFS', 'TRUE'],
  ['ImplementsTransactionalWFS', 'FALSE'],
  ['KVPEncoding', 'TRUE'],
  ['XMLEncoding', 'FALSE'],
  ['ImplementsResultPaging', 'TRUE'],
  ['ImplementsSorting', 'TRUE'],
  ['PagingIsTransactionSafe', 'FALSE'],
] as const;

const FILTER_CAPABILITIES =
  '<fes:Filter_Capabilities><fes:Conformance>' +
  '<fes:Constraint name="ImplementsResourceId"><ows:NoValues/>' +
  '<ows:DefaultValue>TRUE</ows:DefaultValue></fes:Constraint>' +
  '<fes:Constraint name="ImplementsSorting"><ows:NoValues/>' +
  '<ows:DefaultValue>TRUE</ows:DefaultValue></fes:Constraint>' +
  '</fes:Conformance></fes:Filter_Capabilities>\n';

function operation(name: string, url: string, more: string): string {
  const get = `<ows:Get xlink:href="${escapeXml(`${url}?`)}"/>`;
  return (
    `<ows:Operation name="${name}"><ows:DCP><ows:HTTP>${get}</ows:HTTP></ows:DCP>` +
    `${more}</ows:Operation>\n`
  );
}

function featureType(layer: LayerId): string {
  const { typeName } = sourceOf(layer);
  const low = toWgs84({ xUtm32: CENTRE.x - REACH_M, yUtm32: CENTRE.y - REACH_M });
  const high = toWgs84({ xUtm32: CENTRE.x + REACH_M, yUtm32: CENTRE.y + REACH_M });
  const corner = ({ lon, lat }: { lon: number; lat: number }): string =>
    `${lon.toFixed(4)} ${lat.toFixed(4)}`;
  return [
    `<wfs:FeatureType><wfs:Name>${typeName}</wfs:Name><wfs:Title>${localName(layer)}</wfs:Title>`,
    '<wfs:DefaultCRS>urn:ogc:def:crs:EPSG::25832</wfs:DefaultCRS>',
    '<wfs:OutputFormats><wfs:Format>application/gml+xml; version=3.2</wfs:Format>',
    '<wfs:Format>application/json</wfs:Format></wfs:OutputFormats>',
    `<ows:WGS84BoundingBox><ows:LowerCorner>${corner(low)}</ows:LowerCorner>`,
    `<ows:UpperCorner>${corner(high)}</ows:UpperCorner></ows:WGS84BoundingBox>`,
    '</wfs:FeatureType>\n',
  ].join('');
}

/** The XSD of some types, with the schemas in force (a fault may have changed them). */
export function schemaDocument(
  host: SampleHost,
  schemas: readonly { readonly layer: LayerId; readonly schema: Schema }[],
): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"',
    ` xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:${host.prefix}="${host.namespace}"`,
    ` elementFormDefault="qualified" targetNamespace="${host.namespace}">\n`,
    '<xsd:import namespace="http://www.opengis.net/gml/3.2"',
    ' schemaLocation="http://schemas.opengis.net/gml/3.2.1/gml.xsd"/>\n',
    ...schemas.map(({ layer, schema }) => typeDefinition(host, layer, schema)),
    '</xsd:schema>\n',
  ].join('');
}

function typeDefinition(host: SampleHost, layer: LayerId, schema: Schema): string {
  const name = localName(layer);
  const element = (attribute: string, type: string): string =>
    `<xsd:element maxOccurs="1" minOccurs="0" name="${attribute}" nillable="true" type="${type}"/>`;
  return [
    `<xsd:complexType name="${name}Type"><xsd:complexContent>`,
    '<xsd:extension base="gml:AbstractFeatureType"><xsd:sequence>\n',
    ...Object.entries(schema).map(([attribute, type]) => `${element(attribute, `xsd:${type}`)}\n`),
    element(sourceOf(layer).geometryProperty, geometryType(layer)),
    '\n</xsd:sequence></xsd:extension></xsd:complexContent></xsd:complexType>\n',
    `<xsd:element name="${name}" substitutionGroup="gml:AbstractFeature"`,
    ` type="${host.prefix}:${name}Type"/>\n`,
  ].join('');
}

function geometryType(layer: LayerId): string {
  if (layerOf(REGISTERS_CATALOGUE, layer).geometry === 'line') return 'gml:MultiCurvePropertyType';
  return sourceOf(layer).host === 'cadastre'
    ? 'gml:SurfacePropertyType'
    : 'gml:MultiSurfacePropertyType';
}
