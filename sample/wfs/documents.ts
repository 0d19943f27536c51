/** GetCapabilities and DescribeFeatureType. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { layerOf } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { Schema } from '../data/feature.ts';
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

const CAPABILITIES = readFileSync(join(import.meta.dirname, 'capabilities.xml'), 'utf8');

export function capabilitiesDocument({ host, url, countDefault }: CapabilitiesPlan): string {
  const { title, prefix, namespace, layers } = host;
  const values: Readonly<Record<string, string>> = {
    ...{ title: escapeXml(title), prefix, namespace, url: escapeXml(url) },
    ...{ countDefault: String(countDefault), types: layers.map(featureType).join('') },
  };
  return CAPABILITIES.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

/** The box is of the island, the islets and some sea. */
function featureType(layer: LayerId): string {
  return [
    `<wfs:FeatureType><wfs:Name>${sourceOf(layer).typeName}</wfs:Name>`,
    `<wfs:Title>${localName(layer)}</wfs:Title>`,
    '<wfs:DefaultCRS>urn:ogc:def:crs:EPSG::25832</wfs:DefaultCRS>',
    '<wfs:OutputFormats><wfs:Format>application/gml+xml; version=3.2</wfs:Format>',
    '<wfs:Format>application/json</wfs:Format></wfs:OutputFormats>',
    '<ows:WGS84BoundingBox><ows:LowerCorner>11.2623 56.8413</ows:LowerCorner>',
    '<ows:UpperCorner>11.6707 57.0489</ows:UpperCorner></ows:WGS84BoundingBox></wfs:FeatureType>\n',
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
