/** Values for a schema: those it asks for, those just beside it, and those nobody would send. */
import fc from 'fast-check';
import type { Random } from '../../sample/data/random.ts';
import type { Published, Schema } from './document.ts';
import { resolve } from './document.ts';

/** Inside the sample island, so that a valid request finds something. */
const ISLAND = {
  lon: [11.4, 11.46],
  lat: [56.93, 56.96],
  x: [645_000, 648_500],
  y: [6_312_000, 6_315_500],
} as const;

/** What parameters of these names ask for: their schemas cannot say it (a check digit, what is in Denmark). */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  cvr: ['99000007', '99000074', '99000147', '98999930'],
  naer: ['646000,6314000', ' 645000.5 , 6313000'],
  bbox: ['645000,6312000,650000,6316000', '0,0,1,1'],
};

/** What finds something, in every other request. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  kommunekode: ['0093', '93', '0999', '0091|0093'],
  postnr: ['0093', '5000', '0091|0093'],
  nr: ['0093', '9999'],
  navn: ['Midtprøve', 'Odense C', 'xyz|æ'],
  q: ['Ny Prøvegade 12A', 'kladdegade 1', 'prøve', 'æ', '0093', 'x-1 2.3'],
  betegnelse: ['Gammel Opdigtergade 12 a, 2 tv, 0093 Midtprøve', 'Kladdegade 3', 'z9 æ', ', ,'],
  matrikelnummer: ['1a', '12BØ', '7', '9999æøå'],
  vej: ['Ny Prøvegade', 'Kladdegad', '-'],
};

const HOSTILE_TEXTS = [
  ...['', ' ', '\u0000', '\ud800', '\u202e', '٣', 'NaN', 'Infinity', '-0', '1e400', '0x10', '1,5'],
  ...['__proto__', 'constructor', "' or 1=1 --", '"; drop table account; --'],
  ...['<script>alert(1)</script>', '../../etc/passwd', '${7*7}', '%s%n', 'æøå', '𐍈'],
  'svc_live_0000000000000000000000000000000000',
] as const;

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[]],
  { toString: 1 },
  ...HOSTILE_TEXTS,
];

/** The island's x and y are metres. */
function oftenValid(values: readonly unknown[], name: string): readonly unknown[] {
  return name === 'srid' ? values.filter((srid) => Number(srid) === 25832) : values;
}

export class Values {
  readonly #random: Random;
  readonly #document: Published;

  constructor(random: Random, document: Published) {
    this.#random = random;
    this.#document = document;
  }

  /** A value the schema allows. `name` tells coordinates from other numbers. */
  valid(given: Schema, name = ''): unknown {
    const schema = resolve(given, this.#document);
    const random = this.#random;
    const named = this.#namedBy(name);
    if (named !== undefined) return random.pick(named);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return random.pick(oftenValid(schema.enum, name));
    if (schema.anyOf !== undefined) return this.valid(random.pick(schema.anyOf), name);
    switch (schema.type ?? 'null') {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema, name);
      case 'number':
        return this.#number(schema, name);
      case 'integer':
        return Math.floor(this.#number(schema, name));
      case 'boolean':
        return random.chance(0.5);
      case 'string':
        return this.#text(schema, name);
      default:
        return null;
    }
  }

  #namedBy(name: string): readonly string[] | undefined {
    if (Object.hasOwn(NAMED, name)) return NAMED[name];
    return Object.hasOwn(KNOWN, name) && this.#random.chance(0.5) ? KNOWN[name] : undefined;
  }

  #object({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(properties)) {
      if (required.includes(name) || this.#random.chance(0.5))
        made[name] = this.valid(schema, name);
    }
    return made;
  }

  #array({ items, minItems = 0, maxItems = 5 }: Schema, name: string): unknown[] {
    const most = this.#random.chance(0.1) ? maxItems : Math.min(maxItems, minItems + 3);
    const length = this.#random.integer(minItems, most);
    return Array.from({ length }, () => this.valid(items ?? {}, name));
  }

  #number({ minimum, maximum }: Schema, name: string): number {
    const place = ISLAND[name as keyof typeof ISLAND] as readonly [number, number] | undefined;
    if (place !== undefined) return this.#random.between(...place);
    const from = minimum ?? 0;
    return this.#random.between(from, Math.min(maximum ?? from + 1000, from + 1e6));
  }

  #text(schema: Schema, name: string): string {
    if (name === 'srid') return '25832';
    const { minLength = 0, maxLength = 20, format, pattern } = schema;
    if (format === 'date-time') return '2026-11-21T12:00:00Z';
    if (name === 'month' || name === 'maaned') return '2026-11';
    // Not before the store knew anything, and not in the future.
    if (name === 'asOf') return new Date().toISOString();
    if (name === 'kode') return this.#random.pick(['0999', '1099', '9999', '999']);
    if (pattern !== undefined) return this.#matching(pattern, schema);
    const length = this.#random.integer(minLength, Math.max(minLength, Math.min(maxLength, 24)));
    return Array.from({ length }, () => this.#random.pick(Array.from('abcxyz0189-æ'))).join('');
  }

  #matching(pattern: string, { minLength = 0, maxLength }: Schema): string {
    const limit = maxLength === undefined ? {} : { maxLength };
    const texts = fc
      .stringMatching(new RegExp(pattern, 'u'), limit)
      .filter((text) => text.length >= minLength);
    const [text = ''] = fc.sample(texts, {
      numRuns: 1,
      seed: this.#random.integer(0, 2 ** 31 - 1),
    });
    return text;
  }

  /** Something the schema may or may not allow. */
  hostile(schema: Schema): unknown {
    const { maxLength, maxItems, maximum, minimum } = resolve(schema, this.#document);
    const edges: unknown[] = [];
    if (maxLength !== undefined && maxLength < 10_000) edges.push('x'.repeat(maxLength + 1));
    if (maximum !== undefined) edges.push(maximum + 1);
    if (minimum !== undefined) edges.push(minimum - 1);
    if (maxItems !== undefined && maxItems < 5_000) edges.push(Array(maxItems + 1).fill(null));
    return this.#random.pick([...edges, ...HOSTILE_VALUES]);
  }

  text(): string {
    return this.#random.pick(HOSTILE_TEXTS);
  }
}
