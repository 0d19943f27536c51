/** The one filter the sample understands: an attribute equal to one of some values (FES 2.0). */
import * as slimdom from 'slimdom';
import { schemaOf } from '../data/schemas.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { WfsException } from './exception.ts';

export interface Where {
  readonly attribute: string;
  readonly values: readonly string[];
}

interface Equality {
  readonly attribute: string;
  readonly value: string;
}

const FES = 'http://www.opengis.net/fes/2.0';

/** @throws WfsException for any other filter: one passed over would answer more than was asked. */
export function readFilter(layer: LayerId, text: string | undefined): Where | null {
  if (text === undefined || text === '') return null;
  const pairs = equalitiesIn(text);
  const attribute = pairs[0]?.attribute;
  if (attribute === undefined || pairs.some((pair) => pair.attribute !== attribute)) {
    throw new WfsException('OptionNotSupported', 'Only one attribute by equality', 'filter');
  }
  if (!Object.hasOwn(schemaOf(layer), attribute)) {
    throw new WfsException('InvalidParameterValue', `No attribute ${attribute}`, 'filter');
  }
  return { attribute, values: pairs.map(({ value }) => value) };
}

/** The equalities of which one must hold. @throws WfsException for a filter of anything else. */
export function equalitiesIn(text: string): readonly Equality[] {
  const tests = [...parse(text).getElementsByTagNameNS(FES, 'PropertyIsEqualTo')];
  return tests.map((test) => ({
    attribute: childText(test, 'ValueReference').replace(/^[^:]*:/, ''),
    value: childText(test, 'Literal'),
  }));
}

export type Attributes = Readonly<Record<string, unknown>>;

/** Numbers compare as numbers, texts as texts: as a column of that type would. */
export function meets(attributes: Attributes, { attribute, value }: Equality): boolean {
  const held = attributes[attribute];
  return typeof held === 'number' ? held === Number(value) : held === value;
}

function parse(text: string): slimdom.Element {
  let root: slimdom.Element | null = null;
  try {
    root = slimdom.parseXmlDocument(text).documentElement;
  } catch {
    // Said below.
  }
  const conditions = root?.children ?? [];
  const known = ['PropertyIsEqualTo', 'Or'].includes(conditions[0]?.localName ?? '');
  if (root?.localName !== 'Filter' || conditions.length !== 1 || !known) {
    throw new WfsException('InvalidParameterValue', 'Not a filter of equalities', 'filter');
  }
  return root;
}

function childText(element: slimdom.Element, name: string): string {
  return element.children.find((child) => child.localName === name)?.textContent ?? '';
}
