/**
 * The only reader of the environment. Validated as a whole at start, frozen, and handed on as values;
 * a wrong setting stops the program with one sentence that names it.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import querystring from 'node:querystring';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { LIMITS } from './kernel/limits.ts';
import type { LogLevel } from './kernel/logger.ts';
import { misspelled } from './kernel/misspelled.ts';
import { readAnnouncements } from './layers/announcement.ts';
import { REGISTERS_CATALOGUE } from './layers/catalogue.ts';
import type { SourceOverrides } from './layers/catalogue.ts';
import { MIRROR_IDS, isAreaId } from './layers/keys.ts';
import { instantOf } from './layers/mappings/times.ts';
import { PROTECTION_TEXTS } from './layers/protection.ts';
import type { TableRegister } from './layers/register.ts';
import { isLoopback } from './webhooks/addresses.ts';
import { parseSealingKey } from './webhooks/seal.ts';
import { TERRAIN } from './layers/terrain.ts';
import type { TerrainOverride } from './layers/terrain.ts';

export interface Config {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** `sample` mirrors the built-in invented island, `live` the registers. */
  readonly sources: 'sample' | 'live';
  /** Per-layer overrides of addresses, type names, limits and guards. */
  readonly overrides: SourceOverrides;
  /** What the file replaces of the WCS of the terrain model. */
  readonly terrain: TerrainOverride;
  /** The folder of terrain tiles; null: none. */
  readonly dhmDir: string | null;
  /** null: the embedded store under `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** D23. */
  readonly searchRadiusM: number;
  /** API key of the Datafordeler (cadastre, DAGI). A secret: never logged. */
  readonly datafordelerKey: string | null;
  readonly threads: number;
  readonly logLevel: LogLevel;
  /** Where clients reach the service, for `doc_url`; null: from host and port. */
  readonly publicUrl: string | null;
  /** `store` answers everything from the database: for comparison and for doubt. */
  readonly lookups: 'memory' | 'store';
  /** Lets the holder operate the service; null: the operator's routes are off. Never logged. */
  readonly operatorToken: string | null;
  /** A plans file instead of the program's own (D60); null: its own. */
  readonly plansFile: string | null;
  /** Addresses (or CIDR ranges) of proxies whose X-Forwarded-For says where a client is. */
  readonly trustedProxies: readonly string[];
  /** Where the sample upstream listens on loopback; 0: a free port; null: its usual one, else a free one. */
  readonly samplePort: number | null;
  /** Runs of each layer whose raw pages are kept under `dataDir` for replay; 0 keeps none. */
  readonly rawRuns: number;
  /** Off: plain lookups, too, go through the framework. Their answers are the same. */
  readonly fastPath: boolean;
  /** Off: no nightly runs and no first mirroring (fronts beside a syncing process). */
  readonly sync: boolean;
  /** Off: this process works on no jobs (fronts beside `npm run work`). */
  readonly jobs: boolean;
  /** Off: this process sends no webhooks (fronts beside `npm run dispatch`). */
  readonly webhooks: boolean;
  /** Seals the secrets of webhook endpoints (D102), base64 of 32 bytes; null: not set. Never logged. */
  readonly webhookKey: string | null;
  /** What sealed them before, while a new key takes its place. Never logged. */
  readonly webhookKeyOld: string | null;
  /** A CONNECT proxy that webhooks go through (D108); null: none. */
  readonly webhookProxy: string | null;
  /** For trials: webhooks may go to this machine itself. Only where the service listens there alone. */
  readonly webhookLoopback: boolean;
  /** The time a trial begins at, milliseconds UTC; null: the time it is. Never with live sources. */
  readonly trialClockMs: number | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates the environment. An empty setting is an unset one. Throws an Error with one
 * sentence that names the wrong setting.
 */
export function loadConfig(env: Environment = process.env): Config {
  const dhmDir = text(env['DHM_DIR']);
  const config: Config = {
    host: text(env['HOST']) ?? '127.0.0.1',
    port: integer(env, 'PORT', { fallback: 8080, min: 0, max: 65_535 }),
    sources: oneOf(env, 'SOURCES', ['sample', 'live']),
    ...overridesFrom(env['SOURCES_FILE']),
    dhmDir: dhmDir === null ? null : resolve(dhmDir),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    dataDir: resolve(text(env['DATA_DIR']) ?? '.data'),
    searchRadiusM: integer(env, 'SEARCH_RADIUS_M', {
      fallback: LIMITS.searchRadiusM.default,
      min: LIMITS.searchRadiusM.min,
      max: LIMITS.searchRadiusM.max,
    }),
    datafordelerKey: text(env['DATAFORDELER_API_KEY']),
    threads: integer(env, 'THREADS', {
      fallback: Math.max(1, availableParallelism() - 1),
      min: 1,
      max: 64,
    }),
    logLevel: oneOf(env, 'LOG_LEVEL', ['warn', 'silent', 'error', 'info', 'debug']),
    publicUrl: url(env, 'PUBLIC_URL', ['http:', 'https:']),
    lookups: oneOf(env, 'LOOKUPS', ['memory', 'store']),
    operatorToken: secret(env, 'OPERATOR_TOKEN', LIMITS.operatorTokenChars),
    plansFile: text(env['PLANS_FILE']),
    trustedProxies: addresses(env, 'TRUSTED_PROXIES'),
    samplePort:
      text(env['SAMPLE_PORT']) === null
        ? null
        : integer(env, 'SAMPLE_PORT', { fallback: 0, min: 0, max: 65_535 }),
    rawRuns: integer(env, 'RAW_RUNS', {
      fallback: LIMITS.rawRuns.default,
      min: LIMITS.rawRuns.min,
      max: LIMITS.rawRuns.max,
    }),
    fastPath: oneOf(env, 'FAST_PATH', ['on', 'off']) === 'on',
    sync: oneOf(env, 'SYNC', ['on', 'off']) === 'on',
    jobs: oneOf(env, 'JOBS', ['on', 'off']) === 'on',
    webhooks: oneOf(env, 'WEBHOOKS', ['on', 'off']) === 'on',
    webhookKey: sealingKey(env, 'WEBHOOK_KEY'),
    webhookKeyOld: sealingKey(env, 'WEBHOOK_KEY_OLD'),
    webhookProxy: url(env, 'WEBHOOK_PROXY', ['http:', 'https:']),
    webhookLoopback: loopbackTrial(env),
    trialClockMs: trialClock(env),
  };
  return Object.freeze(config);
}

/** The values among the settings that no log line may hold. */
export function secretsOf(config: Config): readonly string[] {
  const { databaseUrl, datafordelerKey, operatorToken, webhookKey, webhookKeyOld } = config;
  const passwords = [databaseUrl, config.webhookProxy].flatMap(passwordsIn);
  const secrets = [datafordelerKey, operatorToken, webhookKey, webhookKeyOld, ...passwords];
  return secrets.filter((secret): secret is string => secret !== null && secret !== '');
}

/** As an address has it, percent-encoded, and as the server is told it. */
function passwordsIn(address: string | null): readonly string[] {
  if (address === null) return [];
  const { password } = new URL(address);
  return [password, querystring.unescape(password)];
}

/** What `npm run job` is told beside its arguments. */
export interface ClientConfig {
  /** Where the service is, without a slash at its end. */
  readonly url: string;
  /** An API key, a secret; null: none is set. */
  readonly key: string | null;
}

/** Of a program that calls the service as a customer does. Throws as `loadConfig` does. */
export function loadClientConfig(env: Environment = process.env): ClientConfig {
  return Object.freeze({
    url: (url(env, 'GEOOPSLAG_URL', ['http:', 'https:']) ?? USUAL_URL).replace(/\/+$/, ''),
    key: text(env['GEOOPSLAG_KEY']),
  });
}

/** Where `npm start` listens. */
const USUAL_URL = 'http://127.0.0.1:8080';

/** Every name the two readers above ask for, as they ask for it: no list to keep beside them. */
export function settingNames(): readonly string[] {
  const names = new Set<string>();
  const asked = new Proxy<Record<string, undefined>>(
    {},
    {
      get: (_, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  loadConfig(asked);
  loadClientConfig(asked);
  return [...names];
}

/** A sentence for each variable whose name is nearly a setting's; empty: nothing is misspelled. */
export function misspelledSettings(env: Environment = process.env): readonly string[] {
  const set = Object.keys(env).filter((name) => text(env[name]) !== null);
  return misspelled(set, settingNames()).map(
    ({ given, meant }) => `${given} is not a setting and is not read: is ${meant} meant?`,
  );
}

/** Blank is unset: `HOST=` in a file of settings says that there is none. */
function text(value: string | undefined): string | null {
  return value === undefined || value.trim() === '' ? null : value.trim();
}

/** What an Authorization header can carry and nobody can guess. The value is in no error. */
function secret(env: Environment, name: string, minChars: number): string | null {
  const given = text(env[name]);
  if (given === null) return null;
  if (given.length < minChars || !/^[\x21-\x7e]+$/.test(given)) {
    throw new Error(
      `${name} must have at least ${minChars} characters, all of them visible ASCII, no spaces.`,
    );
  }
  return given;
}

/** The value is in no error. */
function sealingKey(env: Environment, name: string): string | null {
  const given = text(env[name]);
  if (given === null || parseSealingKey(given) !== null) return given;
  throw new Error(`${name} must be base64 of 32 random bytes, as of: openssl rand -base64 32.`);
}

/** Who can be reached from outside must not be made to ask what listens on this machine. */
function loopbackTrial(env: Environment): boolean {
  if (oneOf(env, 'WEBHOOK_LOOPBACK', ['off', 'on']) === 'off') return false;
  const host = text(env['HOST']) ?? '127.0.0.1';
  if (host === 'localhost' || isLoopback(host)) return true;
  throw new Error('WEBHOOK_LOOPBACK is for trials: not where HOST is no address of loopback.');
}

/** Addresses and CIDR ranges, comma-separated. */
function addresses(env: Environment, name: string): readonly string[] {
  const given = text(env[name]);
  if (given === null) return [];
  return given.split(',').map((part) => {
    const [address = '', bits, ...more] = part.trim().split('/');
    const most = isIP(address) === 4 ? 32 : 128;
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (isIP(address) === 0 || !isRange || more.length > 0) {
      throw new Error(`${name} must be IP addresses or CIDR ranges, separated by commas.`);
    }
    return part.trim();
  });
}

interface IntegerRule {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

function integer(env: Environment, name: string, rule: IntegerRule): number {
  const given = text(env[name]);
  if (given === null) return rule.fallback;
  const value = Number(given);
  if (!Number.isInteger(value) || value < rule.min || value > rule.max) {
    throw new Error(`${name} must be a whole number from ${rule.min} to ${rule.max}.`);
  }
  return value;
}

/** Whoever serves registers tells the time it is. */
function trialClock(env: Environment): number | null {
  const given = text(env['TRIAL_CLOCK']);
  if (given === null) return null;
  const instant = instantOf(given);
  if (instant === null) {
    throw new Error('TRIAL_CLOCK must be a date or a time, as 2098-12-31T23:59:00+01:00.');
  }
  if (env['SOURCES'] === 'live')
    throw new Error('TRIAL_CLOCK is for the sample: not with SOURCES=live.');
  return Date.parse(instant);
}

/** The first allowed value is the default. */
function oneOf<T extends string>(env: Environment, name: string, allowed: readonly [T, ...T[]]): T {
  const given = text(env[name]);
  if (given === null) return allowed[0];
  const found = allowed.find((value) => value === given);
  if (found === undefined) throw new Error(`${name} must be one of ${allowed.join(', ')}.`);
  return found;
}

function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const given = text(env[name]);
  if (given === null) return null;
  const parsed = URL.parse(given);
  if (parsed === null || !protocols.includes(parsed.protocol)) {
    // The value itself may hold a password: never print it.
    throw new Error(`${name} must be an address starting with ${protocols.join(' or ')}//.`);
  }
  return given.replace(/\/$/, '');
}

const PartialOf = (properties: Parameters<typeof Type.Object>[0]) =>
  // Partial keeps no options of the object it is made from.
  Type.Partial(Type.Object(properties), { additionalProperties: false });

/** Of a file download, for a layer or for a table. */
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

const FRESHNESS = PartialOf({
  limitS: Type.Integer({ minimum: 1 }),
  hardLimitS: Type.Integer({ minimum: 1 }),
});

/** As in `skala`; null: the source holds one scale, and names none. */
const DAGI_SCALE = {
  dagiScale: Type.Union([Type.String({ pattern: '^1:\\d[\\d. ]*$' }), Type.Null()]),
};

/** A layer or table may not come empty: an emptied source answers as if nothing were there. */
const MIN_ROWS = Type.Integer({ minimum: 1 });

const WFS_SOURCE = {
  url: Type.String({ pattern: '^https?://[^?#]+$' }),
  typeName: Type.String({ minLength: 1 }),
  format: Type.Union([Type.Literal('gml'), Type.Literal('geojson')]),
  geometryProperty: Type.String({ minLength: 1 }),
  keyProperty: Type.String({ minLength: 1 }),
  srsName: Type.String({ minLength: 1 }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100_000 }),
  pageTimeoutMs: Type.Integer({ minimum: 100, maximum: 3_600_000 }),
  // A live answer has no more time than this in all: more would be cut without a word.
  pointTimeoutMs: Type.Integer({ minimum: 100, maximum: LIMITS.originDeadlineMs }),
  tries: Type.Integer({ minimum: 1, maximum: 20 }),
  apiKeyParameter: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
};

const FILE_SOURCE = {
  ...DOWNLOAD,
  format: Type.Union([Type.Literal('gpkg'), Type.Literal('json'), Type.Literal('gml')]),
  keyProperty: Type.String({ minLength: 1 }),
  geometryProperty: Type.String({ minLength: 1 }),
  srsName: Type.String({ minLength: 1 }),
};

const LAYER_GUARDS = {
  minRows: MIN_ROWS,
  maxChangeShare: Type.Number({ minimum: 0, maximum: 1 }),
  changeFloorRows: Type.Integer({ minimum: 0 }),
  maxIssueShare: Type.Number({ minimum: 0, maximum: 1 }),
  maxLostRows: Type.Integer({ minimum: 0 }),
  maxDropShare: Type.Number({ minimum: 0, maximum: 1 }),
  maxGrowthShare: Type.Number({ minimum: 0 }),
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

/** The shape of SOURCES_FILE: layer id -> what to replace. A scale is what areas alone have. */
const overrideOf = (scale: Partial<typeof DAGI_SCALE>) =>
  PartialOf({
    source: PartialOf({ ...WFS_SOURCE, ...scale }),
    files: Type.Union([Type.Null(), PartialOf({ ...FILE_SOURCE, ...scale })]),
    freshness: FRESHNESS,
    announcements: ANNOUNCEMENTS,
    guards: PartialOf(LAYER_GUARDS),
  });
const LineOverrideSchema = overrideOf({});
const AreaOverrideSchema = overrideOf(DAGI_SCALE);

const TABLE_SOURCE = PartialOf({
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

const TABLE_GUARDS = PartialOf({
  minRows: MIN_ROWS,
  maxDropShare: Type.Number({ minimum: 0, maximum: 1 }),
  maxGrowthShare: Type.Number({ minimum: 0 }),
  maxChangeShare: Type.Number({ minimum: 0, maximum: 1 }),
  changeFloorRows: Type.Integer({ minimum: 0 }),
  maxIssueShare: Type.Number({ minimum: 0, maximum: 1 }),
  maxDanglingShare: Type.Number({ minimum: 0, maximum: 1 }),
});

/** A table that is the pages of a WFS. */
const FEATURE_TABLE_SOURCE = PartialOf({
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

const MEANINGS = Type.Record(
  Type.String({ pattern: '^\\d{1,4}$' }),
  Type.Union(PROTECTION_TEXTS.map((text) => Type.Literal(text))),
  { additionalProperties: false },
);

/** The same of a register: for every table, and for each. */
const registerOverrideOf = ({ schema, tables, meanings }: TableRegister) => {
  const isFeatures = Object.values(tables).some(({ source }) => source?.kind === 'wfs');
  const source = isFeatures ? FEATURE_TABLE_SOURCE : TABLE_SOURCE;
  return PartialOf({
    freshness: FRESHNESS,
    files: source,
    guards: TABLE_GUARDS,
    ...(meanings !== undefined && { meanings: MEANINGS }),
    tables: PartialOf(
      Object.fromEntries(
        schema.tables.map(({ entity }) => [
          entity,
          PartialOf({ source: Type.Union([Type.Null(), source]), guards: TABLE_GUARDS }),
        ]),
      ),
    ),
  });
};

function overrideSchemaOf(layer: string) {
  const registers: Readonly<Partial<Record<string, TableRegister>>> = REGISTERS_CATALOGUE.registers;
  const register = registers[layer];
  if (register !== undefined) return registerOverrideOf(register);
  return isAreaId(layer) ? AreaOverrideSchema : LineOverrideSchema;
}

/** Why a field has the limit it has, where that is no matter of course. */
const REASONS: Readonly<Record<string, string>> = {
  minRows: 'a source without a single row is never believed, it answers as if nothing were there',
  pointTimeoutMs: `a live answer has ${LIMITS.originDeadlineMs} ms in all`,
};

/** Of a WCS: what of it is data, as of a WFS. */
const TERRAIN_OVERRIDE = PartialOf({
  url: WFS_SOURCE.url,
  coverages: PartialOf({
    terraen: Type.String({ minLength: 1 }),
    overflade: Type.String({ minLength: 1 }),
  }),
  format: Type.String({ minLength: 1 }),
  grid: PartialOf({
    x: Type.Number(),
    y: Type.Number(),
    cellX: Type.Number({ minimum: LIMITS.terrain.cellM.min, maximum: LIMITS.terrain.cellM.max }),
    cellY: Type.Number({ minimum: LIMITS.terrain.cellM.min, maximum: LIMITS.terrain.cellM.max }),
  }),
  noData: Type.Array(Type.Number(), { maxItems: LIMITS.terrain.marks }),
  pointTimeoutMs: WFS_SOURCE.pointTimeoutMs,
  tries: WFS_SOURCE.tries,
  apiKeyParameter: WFS_SOURCE.apiKeyParameter,
});

function overridesFrom(path: string | undefined): Pick<Config, 'overrides' | 'terrain'> {
  const file = text(path);
  if (file === null) return { overrides: {}, terrain: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`SOURCES_FILE cannot be read as JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Error('SOURCES_FILE must be an object from layer to what it overrides.');
  }
  const { [TERRAIN]: terrain = {}, ...layers } = parsed as Readonly<Record<string, unknown>>;
  checkOverride(TERRAIN, TERRAIN_OVERRIDE, terrain);
  for (const [layer, override] of Object.entries(layers)) {
    if (!(MIRROR_IDS as readonly string[]).includes(layer)) {
      throw new Error(`SOURCES_FILE names an unknown layer: ${layer}.`);
    }
    checkOverride(layer, overrideSchemaOf(layer), override);
  }
  return { overrides: withAnnouncements(layers), terrain: terrain as TerrainOverride };
}

/** Throws for the first field that is not as its schema says, with its name and the limit. */
function checkOverride(layer: string, schema: TSchema, override: unknown): void {
  const [problem] = Value.Errors(schema, override);
  if (problem === undefined) return;
  const { instancePath, message } = problem;
  const reason = REASONS[instancePath.slice(instancePath.lastIndexOf('/') + 1)];
  const why = reason === undefined ? '' : `: ${reason}`;
  throw new Error(`SOURCES_FILE, ${layer}${instancePath}: ${message}${why}.`);
}

/** Announced are areas, which have codes. */
function withAnnouncements(overrides: SourceOverrides): SourceOverrides {
  const read = Object.entries(overrides).map(([layer, override]) => {
    if (!('announcements' in override)) return [layer, override];
    if (!isAreaId(layer)) {
      throw new Error(`SOURCES_FILE, ${layer}/announcements: only areas can be announced.`);
    }
    try {
      return [layer, { ...override, announcements: readAnnouncements(override.announcements) }];
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(`SOURCES_FILE, ${layer}/announcements: ${message}`, { cause });
    }
  });
  return Object.fromEntries(read) as SourceOverrides;
}
