/** Only the XML Schema that GeoServer, MapServer and OGR write. */
import type { DescribedColumns, DescribedKind } from '../layers/contract.ts';
import { normalisedName } from '../layers/contract.ts';
import type { XmlElement } from './dom.ts';
import { parseXml } from './dom.ts';

const SCHEMA_NAMESPACE = 'http://www.w3.org/2001/XMLSchema';

/** Integers and decimals are one kind, because codes arrive as either. */
const KINDS: Readonly<Record<string, DescribedKind>> = {
  string: 'text',
  normalizedString: 'text',
  token: 'text',
  anyURI: 'text',
  NCName: 'text',
  ID: 'text',
  integer: 'number',
  int: 'number',
  long: 'number',
  short: 'number',
  byte: 'number',
  nonNegativeInteger: 'number',
  positiveInteger: 'number',
  unsignedInt: 'number',
  unsignedLong: 'number',
  decimal: 'number',
  double: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'time',
  dateTime: 'time',
  time: 'time',
  gYear: 'time',
};

/**
 * By normalised name, including the geometry; null: the document does not define the type itself.
 * Throws on malformed XML.
 */
export function readDescription(text: string, typeName: string): DescribedColumns | null {
  const schema = parseXml(text);
  if (!isSchema(schema, 'schema')) return null;
  const local = localPart(typeName);
  const element = childrenOf(schema, 'element').find((one) => one.getAttribute('name') === local);
  if (element === undefined) return null;
  const columns = columnElements(typeOf(schema, element));
  if (columns.length === 0) return null;
  return Object.fromEntries(
    columns.map((column) => [normalisedName(column.getAttribute('name') ?? ''), kindOf(column)]),
  );
}

function typeOf(schema: XmlElement, element: XmlElement): XmlElement | null {
  const [inPlace] = childrenOf(element, 'complexType');
  if (inPlace !== undefined) return inPlace;
  const name = localPart(element.getAttribute('type') ?? '');
  const named = childrenOf(schema, 'complexType');
  return named.find((type) => type.getAttribute('name') === name) ?? null;
}

function columnElements(type: XmlElement | null): XmlElement[] {
  if (type === null) return [];
  return type.children.flatMap((child) => {
    if (isSchema(child, 'element')) return child.getAttribute('name') === null ? [] : [child];
    return CONTAINERS.some((name) => isSchema(child, name)) ? columnElements(child) : [];
  });
}

const CONTAINERS = ['complexContent', 'extension', 'restriction', 'sequence', 'all'];

function kindOf(column: XmlElement): DescribedKind {
  const type = column.getAttribute('type') ?? restrictedType(column);
  if (type === null) return 'other';
  const local = localPart(type);
  const known = KINDS[local];
  if (known !== undefined) return known;
  return /PropertyType$/.test(local) ? 'geometry' : 'other';
}

function restrictedType(column: XmlElement): string | null {
  const [simple] = childrenOf(column, 'simpleType');
  const [restriction] = simple === undefined ? [] : childrenOf(simple, 'restriction');
  return restriction?.getAttribute('base') ?? null;
}

function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => isSchema(child, name));
}

function isSchema(element: XmlElement, name: string): boolean {
  return element.localName === name && element.namespaceURI === SCHEMA_NAMESPACE;
}

function localPart(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
