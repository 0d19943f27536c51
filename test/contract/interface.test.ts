/**
 * The specification and the code, held against each other in both directions: every field of every
 * table that is served has its schema with that kind and nullability, and no schema has more.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FAILURES, codesOf } from '../../src/kernel/failures.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { WEBHOOK_LIMITS } from '../../src/webhooks/limits.ts';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import { DENMARK_BOXES } from '../../src/geo/point.ts';
import { SERVICE_VERSION } from '../../src/kernel/identity.ts';
import {
  AssessmentSchema,
  BuildingSchema,
  DrainageSchema,
  FacilitySchema,
  FloorsSchema,
  GroundDrainageSchema,
  PropertySchema,
  ProtectionSchema,
  TankSchema,
  UnitSchema,
} from '../../src/registers/property/schema.ts';
import { AreaSchema } from '../../src/registers/areas/questions.ts';
import { BuildingLinesSchema, HitSchema, LineSchema } from '../../src/registers/lines/questions.ts';
import { documentOf } from '../../src/http/v1/questions.ts';
import { REGISTERS } from '../../src/registers.ts';
import { JobSchema, appendRowsRoute, createJobRoute } from '../../src/http/v1/jobs/schema.ts';
import { NewWebhookSchema, WebhookDeliverySchema } from '../../src/http/v1/webhooks/schema.ts';
import { PAYLOADS } from '../../src/http/v1/webhooks/payloads.ts';
import { WEBHOOK_EVENTS } from '../../src/webhooks/events.ts';
import { LayerStatusSchema } from '../../src/http/v1/status/schema.ts';
import { FailureClassSchema } from '../../src/http/v1/errors/schema.ts';
import { ErrorSchema, PointItemSchema } from '../../src/core/question/schemas.ts';
import { readSpec } from '../edge/edge.ts';
import { isNullable, kindOfSchema, namesOf, propertyOf, requiredOf, resolved } from './schemas.ts';
import { keysOf, saidType, section, tables } from './tables.ts';

const SPEC = readSpec('interface.md');
const DECISIONS = readSpec('decisions.md');

describe('the copies of the specification', () => {
  /** The shared original beside the project, where it lies. */
  function original(name: string): string | undefined {
    const shared = join(import.meta.dirname, '../../../shared/spec', name);
    if (existsSync(shared)) return readFileSync(shared, 'utf8');
    console.log(`SKIPPED: ${name} has no shared original beside the project to compare with.`);
    return undefined;
  }

  test('interface.md equals the shared one where it lies', () => {
    expect(SPEC).toBe(original('interface.md') ?? SPEC);
  });

  test('decisions.md says all that the shared one says, and has its own decisions after it', () => {
    const shared = (original('decisions.md') ?? DECISIONS).trimEnd();
    expect(DECISIONS.slice(0, shared.length)).toBe(shared);
  });
});

const numbers = (value: string): number[] =>
  [...value.replaceAll(/(\d),(?=\d{3})/g, '$1').matchAll(/\d+(?:\.\d+)?/g)].map(Number);

function routeOf(key: string) {
  const asked = REGISTERS.flatMap(({ questions }) => questions).find((each) => each.key === key);
  if (asked === undefined) throw new Error(`No question ${key}.`);
  const { body = {}, ...route } = documentOf(asked);
  return { ...route, body };
}
const reverseAddressBatchRoute = routeOf('adresseReverseBatch');
const reverseAddressRoute = routeOf('adresseReverse');
const areaBatchRoute = routeOf('dagiBatch');
const reverseBatchRoute = routeOf('dagiReverseBatch');
const reverseRoute = routeOf('dagiReverse');
const buildingLinesBatchRoute = routeOf('byggelinjerBatch');
const buildingLinesRoute = routeOf('byggelinjer');

/** The rows of the first field table below a heading; `a, b` in one row are two fields. */
function fieldRows(heading: string, marker?: string) {
  const text = section(SPEC, heading);
  const [table] = tables(marker === undefined ? text : text.slice(text.indexOf(marker)));
  if (table === undefined) throw new Error(`No table below ${heading}.`);
  return table.rows.flatMap((row) =>
    (row['Field'] ?? '').split(', ').map((field) => ({
      field,
      type: row['Type'] ?? '',
      notes: row['Notes'] ?? row['Meaning'] ?? '',
    })),
  );
}

/** Fields whose cell describes them in words only; what the words mean is checked on its own. */
const IN_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Property record (Ejendom)': {
    jordstykker: '`{ matrikelnummer: x, ejerlav_kode: x, ejerlav_navn: x }`',
  },
};

interface FieldTable {
  readonly heading: string;
  readonly schema: object;
  /** Text before the table meant, where a section has several. */
  readonly marker?: string;
}

const FIELD_TABLES: readonly FieldTable[] = [
  { heading: 'Error object', schema: ErrorSchema },
  { heading: 'Property record (Ejendom)', schema: PropertySchema },
  { heading: 'Building (bygninger[])', schema: BuildingSchema },
  { heading: 'Drainage registrations (afloeb; grund_afloeb)', schema: GroundDrainageSchema },
  { heading: 'Protection (fredning)', schema: ProtectionSchema },
  { heading: 'Floors (etager)', schema: FloorsSchema },
  { heading: 'Unit (enheder[])', schema: UnitSchema },
  { heading: 'Assessment summary (vurdering)', schema: AssessmentSchema },
  { heading: 'Building-lines lookup result', schema: BuildingLinesSchema },
  { heading: 'Building-lines lookup result', schema: LineSchema, marker: 'Each line' },
  { heading: 'Job', schema: JobSchema, marker: 'Job response' },
  { heading: 'Webhook endpoint record', schema: NewWebhookSchema },
];

describe.each(FIELD_TABLES)('the table "$heading" $marker', ({ heading, schema, marker }) => {
  const rows = fieldRows(heading, marker);

  test('has the fields of the schema, in their order, but for those decided later', () => {
    const fields = rows.map(({ field }) => field);
    const added = namesOf(schema).filter((name) => !fields.includes(name));
    expect(namesOf(schema).filter((name) => !added.includes(name))).toEqual(fields);
    // What came later is a decision of its own.
    for (const name of added) expect(DECISIONS).toContain(`\`${name}\``);
  });

  test.each(rows)('says of $field what the schema says', ({ field, type, notes }) => {
    const property = propertyOf(schema, field);
    const said = saidType(type);
    expect(kindOfSchema(property), 'kind').toBe(said.kind);
    expect(isNullable(property), 'nullable').toBe(said.nullable);
    expect(requiredOf(schema).includes(field), 'required').toBe(!notes.startsWith('Optional'));
    const keys = said.keys ?? wordsOf(heading, field) ?? listedIn(notes);
    if (said.kind !== 'object' && said.kind !== 'array') return;
    // A record described elsewhere has its own table.
    if (keys !== null) expect(namesOf(property)).toEqual(keys);
  });
});

function wordsOf(heading: string, field: string): string[] | null {
  const words = IN_WORDS[heading]?.[field];
  return words === undefined ? null : keysOf(words.slice(3, -3));
}

/** Notes that begin with names, or with a shape in braces, list an object's own keys. */
function listedIn(notes: string): string[] | null {
  const shape = /^`\{(.*?)\}`/.exec(notes)?.[1];
  if (shape !== undefined) return keysOf(shape);
  const names = [...notes.matchAll(/`([a-z_0-9]+)`/g)].map(([, name]) => name ?? '');
  return notes.startsWith('`') ? names : null;
}

describe('what the document says in sentences', () => {
  const sentence = (start: string): string => {
    const line = SPEC.split('\n').find((text) => text.startsWith(start));
    if (line === undefined) throw new Error(`No sentence starts with ${start}.`);
    return line.slice(start.length);
  };
  /** `a (x or null), b, c (numbers or null)`: names with the words that follow them. */
  const namesWithWords = (text: string): { name: string; words: string }[] => {
    const groups = text.matchAll(/([^()]+?)\s*(?:\(((?:[^()`]|`[^`]*`)*)\)|\.$|$)[,;.]?/g);
    return [...groups].flatMap(([, names = '', words = '']) =>
      keysOf(names).map((name) => ({ name, words })),
    );
  };

  test('the required fields of the property record', () => {
    const list = /Required fields: (.*)\.$/m.exec(section(SPEC, 'Property record (Ejendom)'));
    expect(keysOf(list?.[1] ?? '').sort()).toEqual(requiredOf(PropertySchema).sort());
  });

  test('the keys of traef', () => {
    const said = namesWithWords(sentence('traef keys: '));
    expect(said.map(({ name }) => name)).toEqual(namesOf(HitSchema));
    const nullable = namesOf(HitSchema).filter((name) => isNullable(propertyOf(HitSchema, name)));
    const applicable = said
      .filter(({ words }) => words.startsWith('all null'))
      .map(({ name }) => name);
    // D33: the two times are null where a register has no date.
    expect(nullable).toEqual([
      ...namesBetween(said, 'kategori', 'areal_m2'),
      'gaeldende_fra',
      'registreret',
    ]);
    expect(applicable.at(-1)).toBe('areal_m2');
    expect(namesOf(propertyOf(HitSchema, 'status'))).toEqual(['kode', 'navn']);
    expect(namesOf(propertyOf(HitSchema, 'kommune'))).toEqual(['navn', 'cvr_kode']);
  });

  test('the keys of a technical facility and its tank', () => {
    const facility = namesWithWords(sentence('Required keys: ')).map(({ name }) => name);
    expect(facility).toEqual(namesOf(FacilitySchema));
    expect(FacilitySchema.required).toEqual(facility);
    const [, tank = ''] = sentence('tank is null when').split('with these keys: ');
    const names = namesWithWords(tank.replaceAll(';', ','));
    expect(names.map(({ name }) => name)).toEqual(namesOf(TankSchema));
    for (const { name } of names) expect(isNullable(propertyOf(TankSchema, name)), name).toBe(true);
  });

  test('the address of a unit', () => {
    const notes = fieldRows('Unit (enheder[])').find(({ field }) => field === 'adresse')!.notes;
    const [, required = '', optional = ''] = /Required (.*?)\. Optional: (.*)\./.exec(notes)!;
    const address = propertyOf(UnitSchema, 'adresse');
    expect(namesOf(address)).toEqual([...keysOf(required), ...keysOf(optional)]);
    expect(resolved(address).required).toEqual(keysOf(required));
    for (const name of namesOf(address)) {
      expect(isNullable(propertyOf(address, name)), name).toBe(!name.startsWith('_'));
    }
  });

  test('a building and a ground differ in drainage by the discharge permit alone', () => {
    expect(namesOf(GroundDrainageSchema)).toEqual([
      ...namesOf(DrainageSchema),
      'udledningstilladelse',
    ]);
  });

  test('a DAGI area', () => {
    const text = section(SPEC, 'DAGI area (DagiOmraade)').trim();
    const names = [...text.matchAll(/`(tema|kode|navn|regionskode|geometri|meta)` \(/g)];
    expect(names.map(([, name]) => name)).toEqual(namesOf(AreaSchema));
    const geometry = propertyOf(AreaSchema, 'geometri');
    expect(namesOf(geometry)).toEqual(['type', 'coordinates', 'epsg25832_rings']);
    const meta = /`meta` \(([^)]*)\)/.exec(text)?.[1] ?? '';
    expect(namesOf(propertyOf(AreaSchema, 'meta'))).toEqual(keysOf(meta));
    const themes = /theme values are ([a-z, ]+)\./.exec(text)?.[1] ?? '';
    expect(themes.split(', ')).toEqual(THEMES);
    expect(propertyOf(AreaSchema, 'tema').enum).toEqual(THEMES);
    expect(propertyOf(propertyOf(AreaSchema, 'meta'), 'geometri_status').enum).toEqual(
      [.../^\| D42 .*$/m.exec(DECISIONS)![0].matchAll(/`(live|stale|utilgaengelig)`/g)].map(
        ([, value]) => value,
      ),
    );
  });

  test('the DAGI batch', () => {
    const { rows } = tables(section(SPEC, 'Batch of DAGI areas'))[0]!;
    const [body, answer] = rows.map((row) => row['Shape'] ?? '');
    expect(namesOf(areaBatchRoute.body)).toEqual(keysOf(/\{(.*?)\}/.exec(body!)![1]!));
    const response = areaBatchRoute.response[200];
    expect(namesOf(response)).toEqual(keysOf(/\{(.*)\}/.exec(answer!)![1]!));
    expect(namesOf(propertyOf(response, 'results'))).toEqual(['omraade', 'stale']);
    expect(namesOf(propertyOf(response, 'errors'))).toEqual(['kode', 'error', 'status']);
    expect(propertyOf(areaBatchRoute.body, 'tema').enum).toEqual(THEMES);
  });

  test.each([
    ['Reverse DAGI batch', reverseBatchRoute, reverseRoute, []],
    ['Reverse address batch', reverseAddressBatchRoute, reverseAddressRoute, ['radius']],
  ] as const)('the %s, and one point', (heading, batch, single, more) => {
    const [, shape = ''] = /results\[\]` of `\{ (.*?) \}`/.exec(section(SPEC, heading))!;
    const results = keysOf(shape);
    const response = batch.response[200];
    expect(namesOf(propertyOf(response, 'results'))).toEqual(results);
    expect(namesOf(response)).toEqual([
      ...['results', 'errors', 'requested', 'succeeded', 'failed', ...more, 'meta'],
    ]);
    expect(namesOf(propertyOf(response, 'errors'))).toEqual(['id', 'punkt', 'error', 'status']);
    expect(namesOf(batch.body)).toEqual(['punkter', ...more]);
    expect(requiredOf(batch.body)).toEqual(['punkter']);
    // A result item without an id, and what is of all.
    const own = results.filter((key) => key !== 'id');
    expect(namesOf(single.response[200])).toEqual([...own, ...more, 'meta']);
  });

  test('the areas of the reverse DAGI batch, and its points', () => {
    const text = section(SPEC, 'Reverse DAGI batch');
    const [, areas = ''] = /omraader: \[\{ (.*) \}\]/.exec(text)!;
    const { items } = resolved(propertyOf(reverseBatchRoute.response[200], 'results'));
    const list = propertyOf(items, 'omraader');
    const isTheme = (name: string): boolean => (THEMES as readonly string[]).includes(name);
    // The themes themselves are listed between the names.
    const names = keysOf(areas.replaceAll(';', ',')).filter((name) => !isTheme(name));
    expect(namesOf(list)).toEqual(names);
    expect(isNullable(propertyOf(resolved(list).items, 'kode'))).toBe(true);
    // The document's shape, and beside it that of D36a.
    const { anyOf: alternatives } = PointItemSchema as unknown as { anyOf: unknown[] };
    expect(alternatives.map((each) => [namesOf(each), requiredOf(each)])).toEqual([
      [
        ['lon', 'lat', 'id'],
        ['lon', 'lat'],
      ],
      [
        ['x', 'y', 'srid', 'id'],
        ['x', 'y', 'srid'],
      ],
    ]);
  });

  test('the address of the reverse address batch, and its radius', () => {
    const text = section(SPEC, 'Reverse address batch');
    const [, address = ''] = /adresse: \{ (.*) \} \}`/.exec(text)!;
    const { items } = resolved(propertyOf(reverseAddressBatchRoute.response[200], 'results'));
    const shown = propertyOf(items, 'adresse');
    expect(namesOf(shown)).toEqual(keysOf(address));
    expect(requiredOf(shown)).toEqual(keysOf(address));
    const never = ['betegnelse', 'adgangsadresse_id', 'afstand_m'];
    for (const name of namesOf(shown)) {
      expect(isNullable(propertyOf(shown, name)), name).toBe(!never.includes(name));
    }
    expect(namesOf(propertyOf(shown, 'koordinat'))).toEqual(['lon', 'lat']);
    expect(propertyOf(reverseAddressBatchRoute.body, 'radius').type).toBe('integer');
    expect(/^\| D47 .*default `radius` (\d+)/m.exec(DECISIONS)?.[1]).toBe(
      String(LIMITS.addressRadiusM.default),
    );
  });

  test('the parameters of the building-lines lookup', () => {
    const [parameters] = tables(section(SPEC, 'Building lines and protected nature at a point'));
    const said = parameters!.rows.map((row) => ({
      name: row['Parameter'],
      type: row['Type'],
      required: row['Required'] === 'yes',
    }));
    const { querystring } = buildingLinesRoute;
    const own = namesOf(querystring).filter((name) => name !== 'token');
    expect(
      own.map((name) => ({
        name,
        type: propertyOf(querystring, name).type,
        required: requiredOf(querystring).includes(name),
      })),
    ).toEqual(said);
    expect(resolved(querystring).additionalProperties).toBe(false);
  });

  test('its own version', () => {
    expect(/own version string is `([^`]+)`/.exec(SPEC)?.[1]).toBe(SERVICE_VERSION);
  });
});

function namesBetween(list: readonly { name: string }[], first: string, last: string): string[] {
  const names = list.map(({ name }) => name);
  return names.slice(names.indexOf(first), names.indexOf(last) + 1);
}

const JOB_BODY = createJobRoute.body.content['application/json'].schema;
const JOB_ROWS = propertyOf(appendRowsRoute.body.content['application/json'].schema, 'rows');
const JOB_ROW = JOB_ROWS['items'] as {
  readonly propertyNames: { readonly minLength: number; readonly maxLength: number };
  readonly additionalProperties: { readonly anyOf: readonly [{ readonly maxLength: number }] };
};

/** The least and the most that a property may be, hold or be long. */
function rangeOf(schema: unknown, name: string): number[] {
  const property = resolved(propertyOf(schema, name));
  return ['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'].flatMap((key) => {
    const value = property[key];
    return typeof value === 'number' ? [value] : [];
  });
}

describe('the limits', () => {
  const rows = tables(section(SPEC, 'Limits'))[0]!.rows;
  /** What this limit is in the code; `later` names the operation that will bring it. */
  const HOMES: Readonly<Record<string, readonly number[] | { readonly later: string }>> = {
    'BFE numbers per property batch': { later: 'property batch' },
    'Points per reverse address batch': rangeOf(reverseAddressBatchRoute.body, 'punkter'),
    Radius: rangeOf(reverseAddressBatchRoute.body, 'radius'),
    'Points per reverse DAGI batch': rangeOf(reverseBatchRoute.body, 'punkter'),
    // Counted once each; how many items a body may have beside that is D49's.
    'Codes per DAGI batch': [
      rangeOf(areaBatchRoute.body, 'kode')[0] ?? NaN,
      LIMITS.dagiCodesPerBatch,
    ],
    'Point id': rangeOf(PointItemSchema, 'id'),
    'Job row key': [JOB_ROW.propertyNames.minLength, JOB_ROW.propertyNames.maxLength],
    'Job row string value': [JOB_ROW.additionalProperties.anyOf[0].maxLength],
    'Job column name': rangeOf(propertyOf(JOB_BODY, 'columns'), 'x'),
    'Job label': rangeOf(JOB_BODY, 'label'),
    'Rows per append': [JOB_ROWS['minItems'] as number],
    'Webhook description': [WEBHOOK_LIMITS.descriptionChars],
    'Webhook delivery timeout': [WEBHOOK_LIMITS.attemptMs / 1000],
    'Webhook attempts': [WEBHOOK_LIMITS.attempts],
    'On-the-line tolerance for dige and protected watercourses': [LIMITS.onLineToleranceM],
    'Distance rounding': [0.1],
    'Burst limit and monthly quota per tier, and the numbers behind the 80% and 100% thresholds': {
      later: 'keys and plans',
    },
    'Days results of a job are kept (retention constant)': [],
    'Value and configurability of the building-lines search radius soegeradius_m': [],
  };

  test('each have a home, and no home is without a limit', () => {
    expect(rows.map((row) => row['Limit'])).toEqual(Object.keys(HOMES));
  });

  test.each(rows.map((row) => [row['Limit']!, row['Value']!] as const))(
    '%s is %s',
    (name, value) => {
      const home = HOMES[name]!;
      if ('later' in home) return;
      expect(home).toEqual(numbers(value));
    },
  );

  test('of BFE numbers hold for the path as for the batch', () => {
    const row = rows.find((limit) => limit['Limit'] === 'BFE numbers per property batch')!;
    expect(numbers(row['Value']!)).toEqual([1, 150, LIMITS.bfe.min - 1, LIMITS.bfe.max]);
  });

  test('of the building-lines batch and the search radius are those decided', () => {
    const points = /^\| D5 .* (\d+) to (\d+) points/m.exec(DECISIONS)?.slice(1).map(Number);
    expect(points).toEqual(rangeOf(buildingLinesBatchRoute.body, 'punkter'));
    const radius = /`soegeradius_m` (\d+) by default.*\((\d+) to (\d+)\)/.exec(DECISIONS);
    const { default: standard, min, max } = LIMITS.searchRadiusM;
    expect(radius?.slice(1).map(Number)).toEqual([standard, min, max]);
    const repealed = /^\| D31 .*at most (\d+)/m.exec(DECISIONS);
    expect(Number(repealed?.[1])).toBe(LIMITS.repealedPerLine);
    const days = /hard limit \((\d+) days\)/.exec(DECISIONS);
    expect(Number(days?.[1]) * 86_400).toBe(LIMITS.hardAgeS);
  });

  test('of jobs are those decided', () => {
    const jobs = JOB_LIMITS;
    expect(numbers(/^\| D71 .*per call, body.*$/m.exec(DECISIONS)![0].slice(6, 200))).toEqual([
      jobs.rowsPerAppend.min,
      jobs.rowsPerAppend.max,
      jobs.bodyBytes / 1024 / 1024,
      jobs.rowsPerJob,
    ]);
    expect(numbers(/^\| D74 .*$/m.exec(DECISIONS)![0].slice(6))).toEqual([
      jobs.retentionMs / 86_400_000,
    ]);
    const { min, max } = jobs.idempotencyKeyChars;
    const once = /^\| D76 .*\((\d+) to (\d+) characters, kept (\d+) h\)/m.exec(DECISIONS);
    expect(once?.slice(1).map(Number)).toEqual([min, max, jobs.idempotencyMs / 3_600_000]);
  });

  test('of Denmark are those decided', () => {
    const said = [
      .../^\| D35 .*$/m
        .exec(DECISIONS)![0]
        .matchAll(/([\d.]+) to ([\d.]+) E by ([\d.]+) to ([\d.]+) N/g),
    ].map((box) => box.slice(1).map(Number));
    expect(DENMARK_BOXES.map((box) => [box.minLon, box.maxLon, box.minLat, box.maxLat])).toEqual(
      said,
    );
  });
});

describe('the failures', () => {
  test('are the classes decided, with their status, and each has at least its codes', () => {
    const row = /^\| D66 \|[^|]*\|([^|]*)\|$/m.exec(DECISIONS)![1]!.split('. `GET')[0]!;
    const said = [...row.matchAll(/([a-z_]+) (\d{3})(?: \(codes ([a-z_, ]+)\))?/g)];
    expect(Object.entries(FAILURES).map(([type, { status }]) => [type, status])).toEqual(
      said.map(([, type, status]) => [type, Number(status)]),
    );
    for (const [, type, , codes] of said) {
      expect(codesOf(type as FailureType)).toEqual(
        expect.arrayContaining([type, ...(codes?.split(', ') ?? [])]),
      );
    }
  });

  test('have the codes that the document names, each in its class', () => {
    for (const code of ['api_key_missing', 'key_scope_missing']) expect(SPEC).toContain(code);
    expect(codesOf('unauthorized')).toContain('api_key_missing');
    expect(codesOf('forbidden')).toContain('key_scope_missing');
    const classes = /403 with failure classes ([a-z_]+) or ([a-z_]+)\./.exec(SPEC)!.slice(1);
    expect(classes).toEqual(['origin_not_allowed', 'public_key_scope']);
    for (const type of classes) {
      expect(codesOf(type as FailureType)).toEqual([type]);
      expect(codesOf('forbidden')).not.toContain(type);
    }
  });

  test('cover every status of the document', () => {
    const said = tables(section(SPEC, 'Errors'))[0]!.rows.map((row) => Number(row['Status']));
    const known: number[] = Object.values(FAILURES).map(({ status }) => status);
    for (const status of said) expect(known).toContain(status);
  });

  test('a catalogue entry has the fields decided', () => {
    const [, shape = ''] = /errors: \[\{ ([^}]*) \}\]/.exec(DECISIONS)!;
    expect(keysOf(shape.replaceAll('[]', ''))).toEqual(namesOf(FailureClassSchema));
  });

  test('of the building-lines and DAGI routes are those of their tables, but for keys to come', () => {
    const keyed = [401, 402, 429];
    const lines = tables(section(SPEC, 'Building lines and protected nature at a point'))[1]!.rows;
    const documented = lines.map((row) => Number(row['Status']));
    const has = (route: { response: object }): number[] => Object.keys(route.response).map(Number);
    expect(has(buildingLinesRoute)).toEqual(
      expect.arrayContaining(documented.filter((status) => !keyed.includes(status))),
    );
    const [, list = ''] = section(SPEC, 'Batch of DAGI areas').split('Status codes: ');
    const statuses = [...list.replaceAll(/\([^)]*\)/g, '').matchAll(/\b[1-5]\d\d\b/g)].map(Number);
    expect(statuses).toEqual([200, 400, 401, 402, 429]);
    expect(has(areaBatchRoute)).toEqual(
      expect.arrayContaining(statuses.filter((status) => !keyed.includes(status))),
    );
  });
});

describe('the ten lines', () => {
  const row = (number: string): string =>
    new RegExp(`^\\| ${number} \\|[^|]*\\|(.*)\\|$`, 'm').exec(DECISIONS)![1]!.trim();

  test('are those decided, in that order, with names and provisions', () => {
    expect(row('D20').replaceAll('`', '').split(', ')).toEqual(LINE_KEYS);
    expect(namesOf(propertyOf(BuildingLinesSchema, 'linjer'))).toEqual(LINE_KEYS);
    expect(LINE_KEYS.map((key) => LINE_LAYERS[key].name)).toEqual(row('D21').split(', '));
    const provisions = row('D22')
      .split('; ')
      .flatMap((group) => {
        const [, law = '', paragraphs = ''] = /^(\S+) (.*)$/.exec(group)!;
        return paragraphs.split(', ').map((paragraph) => `${law} ${paragraph}`);
      });
    expect(LINE_KEYS.map((key) => LINE_LAYERS[key].provision)).toEqual(provisions);
  });

  test('named by the document itself are among them', () => {
    const named = /Keys named: ([a-z, ]+)\./.exec(SPEC)![1]!.split(', ');
    expect(LINE_KEYS).toEqual(expect.arrayContaining(named));
    expect(propertyOf(LineSchema, 'geometri').enum).toEqual(
      /Values seen: ([a-z, ]+)\./.exec(SPEC)![1]!.split(', '),
    );
  });
});

describe('the freshness page', () => {
  test('has the fields and states decided', () => {
    const [, shape = ''] = /per layer `\{ (.*) \}` \|$/m.exec(DECISIONS)!;
    // The others by D142, D176 and D177.
    const added = ['daekning', 'data_fra', 'data_alder_s', 'data_frist_s', 'i_hukommelse'];
    expect([...keysOf(shape), ...added].sort()).toEqual(namesOf(LayerStatusSchema).toSorted());
    const [, states = ''] = /tilstand: ([^,]*),/.exec(shape)!;
    expect(states.split('\\|').map((state) => state.trim())).toEqual(
      propertyOf(LayerStatusSchema, 'tilstand').enum,
    );
  });
});

describe('webhooks', () => {
  const decided = (number: string): string =>
    new RegExp(`^\\| ${number} \\|[^|]*\\|(.*)\\|$`, 'm').exec(DECISIONS)![1]!;

  test('have the events of the catalogue, with exactly their fields', () => {
    const catalogue = tables(section(SPEC, 'Events'))[0]!.rows.map((row) => [
      row['Event'],
      [...row['data fields']!.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ]);
    const ours = [decided('D146'), decided('D235')].flatMap((text) =>
      [...text.matchAll(/`((?:job|watch)\.\w+)` `\{ (.*?) \}`/g)].map(([, event, shape]) => [
        event,
        keysOf(shape!),
      ]),
    );
    expect(ours).toHaveLength(3);
    const all = [...catalogue.slice(0, -1), ...ours, ...catalogue.slice(-1)];
    expect(all).toEqual(
      Object.entries(PAYLOADS).map(([event, { data }]) => [event, namesOf(data)]),
    );
    expect(all.map(([event]) => event)).toEqual([...WEBHOOK_EVENTS, 'ping']);
  });

  test('have the record of a delivery that is decided, and its three states', () => {
    const [, shape = ''] = /`\{ (.*) \}`/.exec(decided('D82'))!;
    expect(namesOf(WebhookDeliverySchema)).toEqual(keysOf(shape));
    expect(propertyOf(WebhookDeliverySchema, 'status').enum).toEqual([
      'pending',
      'success',
      'failed',
    ]);
  });

  test('have the limits decided', () => {
    const webhooks = WEBHOOK_LIMITS;
    const { total, failing, endpoint, address } = webhooks.inFlight;
    const said = decided('D109').replaceAll(/\d{3}:|\(the next: 409[^)]*\)|D\d+/g, '');
    expect(numbers(said)).toEqual([
      webhooks.perAccount,
      webhooks.urlChars.max,
      webhooks.backlog,
      total,
      failing,
      endpoint,
      address,
      webhooks.logShown,
      webhooks.logKeptMs / 86_400_000,
    ]);
    expect(Number(/(\d+) a minute/.exec(decided('D104'))?.[1])).toBe(webhooks.pings.limit);
  });
});
