import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { LIMITS } from '../kernel/limits.ts';
import { readPlainFile } from '../kernel/setting-values.ts';
import { parseUniqueKeys } from '../bytes/json-scan.ts';
import { readAnnouncements } from './announcement.ts';
import type { Catalogue, SourceOverrides } from './catalogue.ts';
import { CONDITION_HOSTS, CONDITION_HOSTS_SCHEMA, ofConditionHosts } from './condition-hosts.ts';
import { isConditionId } from './conditions/index.ts';
import { isAreaId } from './keys.ts';
import { MIRROR_IDS, isMirrorId } from './mirror-ids.ts';
import { COVERAGE, readCoverage } from './read-coverage.ts';
import type { GivenCoverage } from './read-coverage.ts';
import type { TableRegister } from './register.ts';
import { WFS_SOURCE, partialOf } from './source-shapes.ts';

const DOWNLOAD = {
  listUrl: Type.String({ pattern: '^https?://[^?#]+$' }),
  fetchUrl: Type.String({ pattern: '^https?://[^?#]+$' }),
  register: Type.String({ minLength: 1 }),
  entity: Type.String({ minLength: 1 }),
  versions: Type.Array(Type.String({ pattern: '^\\d{1,4}$' }), { minItems: 1 }),
  minBytes: Type.Integer({ minimum: 0 }),
  listTimeoutMs: Type.Integer({ minimum: 100, maximum: 3_600_000 }),
  fetchTimeoutMs: Type.Integer({ minimum: 100, maximum: 14_400_000 }),
  tries: Type.Integer({ minimum: 1, maximum: 20 }),
  apiKeyParameter: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
};

const FRESHNESS = partialOf({
  limitS: Type.Integer({ minimum: 1 }),
  hardLimitS: Type.Integer({ minimum: 1 }),
  dataLimitS: Type.Integer({ minimum: 1 }),
});

/** As in `skala`; null: the source has one scale and names none. */
const DAGI_SCALE = {
  dagiScale: Type.Union([Type.String({ pattern: '^1:\\d[\\d. ]*$' }), Type.Null()]),
};

/** Not 0: an emptied source would answer as if nothing were there. */
const MIN_ROWS = Type.Integer({ minimum: 1 });

const FILE_SOURCE = {
  ...DOWNLOAD,
  format: Type.Union([Type.Literal('gpkg'), Type.Literal('json'), Type.Literal('gml')]),
  keyProperty: Type.String({ minLength: 1 }),
  geometryProperty: Type.String({ minLength: 1 }),
  srsName: Type.String({ minLength: 1 }),
};

const GUARDS = {
  minRows: MIN_ROWS,
  maxChangeShare: Type.Number({ minimum: 0, maximum: 1 }),
  changeFloorRows: Type.Integer({ minimum: 0 }),
  maxIssueShare: Type.Number({ minimum: 0, maximum: 1 }),
  maxDropShare: Type.Number({ minimum: 0, maximum: 1 }),
  maxGrowthShare: Type.Number({ minimum: 0 }),
};

const LAYER_GUARDS = {
  ...GUARDS,
  maxLostRows: Type.Integer({ minimum: 0 }),
  maxAreaDropShare: Type.Number({ minimum: 0, maximum: 1 }),
  maxAreaGrowthShare: Type.Number({ minimum: 0 }),
  maxRepairShare: Type.Number({ minimum: 0 }),
  maxCanaryShare: Type.Number({ minimum: 0, maximum: 1 }),
  knownPlaces: Type.Array(
    Type.Object(
      {
        code: Type.String({ pattern: '^\\d{4}$' }),
        lon: Type.Number({ minimum: -180, maximum: 180 }),
        lat: Type.Number({ minimum: -90, maximum: 90 }),
      },
      { additionalProperties: false },
    ),
  ),
};

const CODE = Type.String({ pattern: '^\\d{4}$' });

const ANNOUNCEMENTS = Type.Array(
  Type.Object(
    {
      at: Type.String({ minLength: 1, maxLength: 40 }),
      ends: Type.Array(CODE, { maxItems: LIMITS.announcedCodes }),
      begins: Type.Array(Type.Union([CODE, Type.Null()]), { maxItems: LIMITS.announcedCodes }),
    },
    { additionalProperties: false },
  ),
  { maxItems: LIMITS.datedChanges },
);

const overrideOf = (scale: Partial<typeof DAGI_SCALE>, more: Record<string, TSchema> = {}) =>
  partialOf({
    ...more,
    source: partialOf({ ...WFS_SOURCE, ...scale }),
    files: Type.Union([Type.Null(), partialOf({ ...FILE_SOURCE, ...scale })]),
    freshness: FRESHNESS,
    coverage: COVERAGE,
    announcements: ANNOUNCEMENTS,
    guards: partialOf(LAYER_GUARDS),
  });
const LineOverrideSchema = overrideOf({});
const ConditionOverrideSchema = overrideOf({}, { off: Type.Boolean() });
const AreaOverrideSchema = overrideOf(DAGI_SCALE);

const TABLE_SOURCE = partialOf({
  ...DOWNLOAD,
  contents: Type.Union([
    Type.Literal('Current'),
    Type.Literal('Temporal'),
    Type.Literal('Bitemporal'),
  ]),
  maxBytes: Type.Integer({ minimum: 1, maximum: LIMITS.tableBytes }),
  maxUnpackedBytes: Type.Integer({ minimum: 1, maximum: LIMITS.tableUnpackedBytes }),
  format: Type.Union([Type.Literal('csv'), Type.Literal('json')]),
});

const TABLE_GUARDS = partialOf({
  ...GUARDS,
  maxDanglingShare: Type.Number({ minimum: 0, maximum: 1 }),
});

const FEATURE_TABLE_SOURCE = partialOf({
  ...WFS_SOURCE,
  format: Type.Literal('geojson'),
  anyOf: Type.Array(
    Type.Object(
      {
        property: Type.String({ minLength: 1, maxLength: 100 }),
        values: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          minItems: 1,
          maxItems: LIMITS.filterValues,
        }),
      },
      { additionalProperties: false },
    ),
    { maxItems: LIMITS.filterValues },
  ),
  maxRows: Type.Integer({ minimum: 1, maximum: LIMITS.featureTableRows }),
});

const registerOverrideOf = (register: TableRegister) => {
  const { schema, tables, own = {} } = register;
  const isFeatures = Object.values(tables).some(({ source }) => source?.kind === 'wfs');
  const source = isFeatures ? FEATURE_TABLE_SOURCE : TABLE_SOURCE;
  return partialOf({
    freshness: FRESHNESS,
    coverage: COVERAGE,
    files: source,
    guards: TABLE_GUARDS,
    ...Object.fromEntries(Object.entries(own).map(([name, setting]) => [name, setting.schema])),
    tables: partialOf(
      Object.fromEntries(
        schema.tables.map(({ entity }) => [
          entity,
          partialOf({ source: Type.Union([Type.Null(), source]), guards: TABLE_GUARDS }),
        ]),
      ),
    ),
  });
};

function overrideSchemaOf(layer: string, registers: Readonly<Record<string, TableRegister>>) {
  const register = registers[layer];
  if (register !== undefined) return registerOverrideOf(register);
  if (isConditionId(layer)) return ConditionOverrideSchema;
  return isAreaId(layer) ? AreaOverrideSchema : LineOverrideSchema;
}

const REASONS: Readonly<Record<string, string>> = {
  coverage:
    'name a GeoJSON polygon in degrees, or the codes of municipalities; null is the country',
  minRows: 'a source without a single row is never believed, it answers as if nothing were there',
  pointTimeoutMs: `a live answer has ${LIMITS.originDeadlineMs} ms in all`,
};

const EVERY = 'alle';
const EVERY_OVERRIDE = partialOf({ coverage: COVERAGE });

export interface SourcesFile {
  readonly overrides: SourceOverrides;
  readonly live: Readonly<Record<string, object>>;
}

/** null: no file. Throws with a sentence that names layer, field and limit. */
export function readSourcesFile(
  file: string | null,
  { registers }: Pick<Catalogue, 'registers'>,
  liveSettings: readonly { readonly key: string; readonly schema: TSchema }[] = [],
): SourcesFile {
  if (file === null) return { overrides: {}, live: {} };
  let parsed: unknown;
  try {
    parsed = parseUniqueKeys(readPlainFile(file, LIMITS.settingsFileBytes));
  } catch (cause) {
    throw new Error(`SOURCES_FILE cannot be read as JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error('SOURCES_FILE must be an object from layer to what it overrides.');
  }
  const {
    [EVERY]: every = {},
    [CONDITION_HOSTS]: hosts = {},
    ...named
  } = parsed as Readonly<Record<string, unknown>>;
  checkOverride(EVERY, EVERY_OVERRIDE, every);
  checkOverride(CONDITION_HOSTS, CONDITION_HOSTS_SCHEMA, hosts);
  const live = liveSettings.map(({ key, schema }): [string, object] => {
    const { [key]: given = {} } = named;
    checkOverride(key, schema, given);
    return [key, given as object];
  });
  const given = Object.fromEntries(
    Object.entries(named).filter(([key]) => !liveSettings.some((each) => each.key === key)),
  );
  for (const [layer, override] of Object.entries(given)) {
    if (!isMirrorId(layer)) {
      throw new Error(`SOURCES_FILE names an unknown layer: ${layer}.`);
    }
    checkOverride(layer, overrideSchemaOf(layer, registers), override);
  }
  const layers = ofConditionHosts(hosts as object, given);
  const ofAll = withCoverage(EVERY, every as Readonly<Record<string, unknown>>);
  const covered = Object.entries({ ...(hasCoverage(ofAll) ? everyMirror() : {}), ...layers }).map(
    ([layer, override]) => [layer, { ...ofAll, ...withCoverage(layer, override as object) }],
  );
  return {
    overrides: withAnnouncements(Object.fromEntries(covered) as SourceOverrides),
    live: Object.fromEntries(
      live.map(([key, given]) => [key, { ...ofAll, ...withCoverage(key, given) }]),
    ),
  };
}

function hasCoverage(override: object): boolean {
  return 'coverage' in override;
}

function everyMirror(): Readonly<Record<string, object>> {
  return Object.fromEntries(MIRROR_IDS.map((id) => [id, {}]));
}

function withCoverage<T extends object>(layer: string, override: T): T {
  if (!hasCoverage(override)) return override;
  const { coverage } = override as { readonly coverage: GivenCoverage };
  try {
    return { ...override, coverage: readCoverage(coverage) };
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`SOURCES_FILE, ${layer}/coverage: ${message}.`, { cause });
  }
}

/** Throws for the first wrong field, with its name and limit. */
function checkOverride(layer: string, schema: TSchema, override: unknown): void {
  const [problem] = Value.Errors(schema, override);
  if (problem === undefined) return;
  const { instancePath, message } = problem;
  const reason = REASONS[instancePath.slice(instancePath.lastIndexOf('/') + 1)];
  const why = reason === undefined ? '' : `: ${reason}`;
  throw new Error(`SOURCES_FILE, ${layer}${instancePath}: ${message}${why}.`);
}

function withAnnouncements(overrides: SourceOverrides): SourceOverrides {
  const read = Object.entries(overrides).map(([layer, override]) => {
    if (override === undefined || !('announcements' in override)) return [layer, override];
    if (!isAreaId(layer)) {
      throw new Error(`SOURCES_FILE, ${layer}/announcements: only areas can be announced.`);
    }
    try {
      const announcements = readAnnouncements(
        override.announcements as Parameters<typeof readAnnouncements>[0],
      );
      return [layer, { ...override, announcements }];
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(`SOURCES_FILE, ${layer}/announcements: ${message}`, { cause });
    }
  });
  return Object.fromEntries(read) as SourceOverrides;
}
