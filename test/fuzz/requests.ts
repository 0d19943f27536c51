/**
 * One request by number: the same seed, document and number give the same request. Three kinds:
 * `valid` must be answered, `near` is a valid one with something wrong, `hostile` is nobody's request.
 */
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { LAYER_IDS, OWN_TILES } from '../../src/layers/keys.ts';
import type { Operation, Parameter, Published } from './document.ts';
import { Values } from './values.ts';

export interface FuzzRequest {
  readonly kind: 'valid' | 'near' | 'hostile';
  /** The operation aimed at; a hostile path may hit none. */
  readonly operation: Operation;
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface FuzzKeys {
  readonly live: string;
  readonly test: string;
}

export interface FuzzPlan {
  readonly document: Published;
  readonly operations: readonly Operation[];
  readonly keys: FuzzKeys;
  readonly seed: string;
}

export function requestAt({ document, operations, keys, seed }: FuzzPlan, at: number): FuzzRequest {
  const random = createRandom(`${seed}/${at}`);
  const operation = random.pick(operations);
  const values = new Values(random, document);
  const draft = validDraft(operation, { random, values, keys });
  const kind = random.pick(['valid', 'near', 'near', 'hostile'] as const);
  if (kind !== 'valid') spoil(draft, { random, values, operation });
  if (kind === 'hostile') {
    for (let more = random.integer(1, 3); more > 0; more--) harm(draft, { random, values });
  }
  return { kind, operation, ...finished(draft) };
}

interface Draft {
  method: string;
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: unknown;
  /** Instead of the body as JSON. */
  raw: string | null;
}

interface Chance {
  readonly random: Random;
  readonly values: Values;
}

function validDraft(
  operation: Operation,
  { random, values, keys }: Chance & { readonly keys: FuzzKeys },
): Draft {
  const draft: Draft = {
    method: operation.method,
    path: operation.path,
    query: [],
    headers: { 'accept-language': random.pick(['da', 'en', 'de;q=0.5, en', '*']) },
    body: bodyOf(operation, { random, values }),
    raw: null,
  };
  const { asked, other } = waysToAsk(operation, random);
  const fixed: Readonly<Record<string, unknown>> = {
    srid: '25832',
    ...togetherIn(operation, random),
  };
  for (const parameter of operation.parameters) {
    if (parameter.name === 'token' || other.includes(parameter.name)) continue;
    const isPlace = asked.includes(parameter.name);
    const wanted = parameter.required === true || isPlace || random.chance(0.3);
    const value = fixed[parameter.name] ?? values.valid(parameter.schema, parameter.name);
    if (wanted) for (const each of itemsOf(value)) put(draft, parameter, each);
  }
  const key = random.chance(0.5) ? keys.live : keys.test;
  if (operation.isKeyed && random.chance(0.5)) draft.query.push(['token', key]);
  else if (operation.isKeyed) draft.headers['authorization'] = `Bearer ${key}`;
  return draft;
}

/**
 * A list is sent as its items, one after the other: the document states no other style. How many values they may hold
 * together, with | between them, no schema says.
 */
function itemsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [String(value)];
  let values = 0;
  return value.map(String).filter((item) => {
    values += item.split('|').length;
    return values <= LIMITS.listValues;
  });
}

function bodyOf({ id, body }: Operation, { random, values }: Chance): unknown {
  // What an area is, no schema says (D212).
  if (id === 'forholdOmraade') return structuredClone(random.pick(AREAS));
  const valid = body === null ? undefined : values.valid(body);
  // What its rows must have to be started, no schema says (D72).
  return id === 'createJob' ? Object.assign(valid as object, { start: false }) : valid;
}

const AREAS = [
  { srid: 25832, wkt: 'POLYGON((650000 6314000,650100 6314000,650100 6314100,650000 6314000))' },
  {
    geometri: {
      type: 'Polygon',
      coordinates: [
        [
          [11.42, 56.946],
          [11.422, 56.946],
          [11.422, 56.947],
          [11.42, 56.946],
        ],
      ],
    },
    lag: ['zone'],
  },
];

/**
 * Values that go together: a tile of the island, or any, as how many columns and rows there are depends on the
 * zoom; layers of a condition; registers, one and its table.
 */
function togetherIn({ id }: Operation, random: Random): Readonly<Record<string, number | string>> {
  if (id.startsWith('forhold')) return { lag: 'zone,skov' };
  // A list of names is a text to its schema, and which tables a register has, none says.
  if (id === 'aendringer') return { register: random.pick(['vurdering', 'skov|bbr']) };
  if (id === 'udtraek') return { register: 'vurdering', entitet: 'Vurdering' };
  if (id !== 'kortTile') return {};
  const isOfTables = random.chance(0.2);
  const lag = isOfTables ? random.pick(OWN_TILES) : random.pick(LAYER_IDS);
  if (!isOfTables && random.chance(0.5)) return { lag, z: 12, x: 2178, y: 1255 };
  const z = random.integer(isOfTables ? LIMITS.kort.houses.minZoom : 0, 16);
  return { lag, z, x: random.integer(0, 2 ** z - 1), y: random.integer(0, 2 ** z - 1) };
}

interface Ways {
  /** Parameters that belong together, and those they exclude. */
  readonly asked: readonly string[];
  readonly other: readonly string[];
}

/**
 * The two ways to name a place exclude each other (D36), as those to write an address do (D6). How a file
 * is made goes with some formats only, and a sheet or a head with a workbook, which no body here is.
 */
function waysToAsk({ id }: Operation, random: Random): Ways {
  if (id === 'datavask') {
    return random.chance(0.5)
      ? { asked: ['betegnelse'], other: PARTS }
      : { asked: PARTS.slice(0, 1), other: ['betegnelse'] };
  }
  if (FILES.includes(id)) return random.pick(WAYS_OF_FILES);
  if (id === 'adresser' || id === 'adresseAutocomplete') return { asked: ['srid'], other: [] };
  if (id === 'jordstykker') return random.pick(WAYS_OF_PARCELS);
  if (id === 'kortTile') return { asked: [], other: [] };
  return random.chance(0.7) ? { asked: DEGREES, other: METRES } : { asked: METRES, other: DEGREES };
}

const DEGREES: readonly string[] = ['lon', 'lat'];
const METRES: readonly string[] = ['x', 'y', 'srid'];
const FILES: readonly string[] = ['jobResults', 'jobErrors', 'appendJobRows'];
const WAYS_OF_FILES: readonly Ways[] = [
  { asked: ['format'], other: ['ark', 'overskrift', 'dialekt', 'raekker'] },
  { asked: ['dialekt'], other: ['ark', 'overskrift', 'format', 'raekker'] },
  { asked: ['raekker'], other: ['ark', 'overskrift', 'format', 'dialekt'] },
];
const PARCEL: readonly string[] = ['ejerlav_kode', 'matrikelnummer'];
const TEXT: readonly string[] = ['kommunekode', 'side', 'per_side'];
const WAYS_OF_PARCELS: readonly Ways[] = [
  { asked: DEGREES, other: [...METRES, ...PARCEL, 'q', ...TEXT] },
  { asked: METRES, other: [...DEGREES, ...PARCEL, 'q', ...TEXT] },
  { asked: PARCEL, other: [...DEGREES, ...METRES, 'q', ...TEXT] },
  { asked: ['q'], other: [...DEGREES, ...METRES, ...PARCEL] },
];
const PARTS: readonly string[] = ['vej', 'husnr', 'etage', 'doer', 'postnr', 'by'];

function put(draft: Draft, parameter: Parameter, value: string): void {
  if (parameter.in === 'query') draft.query.push([parameter.name, value]);
  if (parameter.in === 'header') draft.headers[parameter.name] = value;
  if (parameter.in === 'path') {
    draft.path = draft.path.replace(`{${parameter.name}}`, encode(value));
  }
}

function spoil(draft: Draft, chance: Chance & { readonly operation: Operation }): void {
  const { random, values, operation } = chance;
  const ways = [
    () => draft.query.push([values.text(), values.text()]),
    () => draft.query.splice(random.integer(0, draft.query.length), 1),
    () => {
      const [name, value] = random.pick([...draft.query, ['lon', '12'] as [string, string]]);
      draft.query.push([name, value]);
    },
    () => {
      if (operation.parameters.length === 0) return;
      const parameter = random.pick([...operation.parameters]);
      const wrong = asText(values.hostile(parameter.schema));
      if (parameter.in === 'path') draft.path = draft.path.replace(/[^/]+$/, encode(wrong));
      else draft.query.push([parameter.name, wrong]);
    },
    () => (draft.headers['authorization'] = `Bearer ${values.text().trim() || 'x'}`),
    () => delete draft.headers['authorization'],
  ];
  if (operation.body !== null) {
    const { body } = operation;
    ways.push(
      () => (draft.body = values.hostile(body)),
      () => spoilInside(draft.body, values, random),
      () => (draft.raw = JSON.stringify(draft.body).slice(0, -1)),
      () => spoilInside(draft.body, values, random),
    );
  }
  random.pick(ways)();
}

function spoilInside(value: unknown, values: Values, random: Random): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  const names = Object.keys(holder);
  if (names.length === 0 || random.chance(0.2)) {
    Object.defineProperty(holder, values.text(), { value: values.hostile({}), enumerable: true });
    return;
  }
  const name = random.pick(names);
  const inner = holder[name];
  if (typeof inner === 'object' && inner !== null && random.chance(0.7)) {
    spoilInside(inner, values, random);
  } else if (random.chance(0.3)) {
    Reflect.deleteProperty(holder, name);
  } else {
    holder[name] = values.hostile({});
  }
}

/** What no client sends on purpose. */
function harm(draft: Draft, { random, values }: Chance): void {
  random.pick([
    () => (draft.method = random.pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])),
    () => (draft.path = `${draft.path}/${encode(values.text())}`),
    () => (draft.path = draft.path.replace(/\/v1/, random.pick(['/v2', '//v1', '/V1', '/%76%31']))),
    () => (draft.path += random.pick(['%', '%zz', '%c0%af', '/..%2f..', ';x=1', '?', '?&&=&'])),
    () => (draft.path = `/${'x'.repeat(random.integer(1, 3000))}`),
    () =>
      (draft.headers['content-type'] = random.pick([
        'text/xml',
        'application/json; charset=x',
        '',
      ])),
    () => (draft.headers['content-encoding'] = 'gzip'),
    () => (draft.headers['x-request-id'] = 'x'.repeat(random.integer(1, 200))),
    () => (draft.headers['origin'] = random.pick(['null', 'https://evil.example', values.text()])),
    () => (draft.headers['accept-language'] = 'q=,'.repeat(random.integer(1, 500))),
    () => (draft.raw = '['.repeat(random.integer(1, 50_000))),
    () => (draft.raw = '{"__proto__":{"x":1},"a":1,"a":2}'),
    () => (draft.raw = `"${'x'.repeat(random.integer(1, 300_000))}"`),
    () => (draft.raw = '\ufeff{}'),
    () => (draft.raw = values.text()),
    () => (draft.body = values.hostile({})),
    () => (draft.headers['cookie'] = `svc_session=${'x'.repeat(random.integer(0, 500))}`),
  ])();
}

function finished(draft: Draft): Pick<FuzzRequest, 'method' | 'target' | 'headers' | 'body'> {
  const query = draft.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const path = draft.path.replaceAll(/\{\w+\}/g, 'x');
  const body = draft.raw ?? (draft.body === undefined ? null : JSON.stringify(draft.body));
  const headers: Record<string, string> = {};
  if (body !== null) headers['content-type'] = 'application/json';
  for (const [name, value] of Object.entries(draft.headers)) headers[name] = sendable(value);
  return {
    method: draft.method,
    target: query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`,
    headers,
    body,
  };
}

/** A header field may hold no control characters: the client's own library refuses them. */
const sendable = (value: string): string => value.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?');

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Lone surrogates cannot be encoded: they are sent as their replacement. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
