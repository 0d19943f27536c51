/** The catalogue with every source pointed at a sample upstream, and guards of the sample's size. */
import type { Catalogue, LayerOverride } from '../src/layers/catalogue.ts';
import { allLayers, overrideCatalogue } from '../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../src/registers.ts';
import { SAMPLES } from './registers.ts';
import { overrideRegister } from '../src/layers/register.ts';
import type { RegisterOverride, TableOverride, TableRegister } from '../src/layers/register.ts';
import { isConditionId } from '../src/layers/conditions/index.ts';
import { MIRROR_IDS } from '../src/layers/mirror-ids.ts';
import type { LayerId } from '../src/layers/keys.ts';
import type { FileSource } from '../src/layers/source.ts';
import { sampleCoverage } from './data/coverage.ts';
import { SAMPLE_ENTITIES } from './data/tables.ts';
import { FETCH_PATH, LIST_PATH } from './files/answer.ts';
import { registerOf } from './files/table-shelf.ts';
import { SAMPLE_LAYERS } from './data/schemas.ts';
import { HOSTS, sourceOf } from './hosts.ts';

/** What the sample's closed hosts take for a key: anything that is not empty. Not a secret. */
export const SAMPLE_API_KEY = 'sample';

/** Small, so that every layer but the smallest takes several pages. */
const PAGE_SIZE = 50;
/** Between the sample's stubs and its smallest table. */
const MIN_FILE_BYTES = 1_000;
const AREA_PAGE_SIZE = 5;
const TIMEOUT_MS = 20_000;

/**
 * `baseUrl`: address of a sample upstream without a path, `startSampleUpstream().url`. `files`:
 * whether some areas come as file downloads, as in the service; otherwise all is WFS.
 */
export function sampleCatalogue(baseUrl: string, { files = false } = {}): Catalogue {
  const base = baseUrl.replace(/\/+$/, '');
  const overrides = Object.fromEntries(
    allLayers(REGISTERS_CATALOGUE).map(({ id, register, source }): [LayerId, LayerOverride] => {
      const path = HOSTS.find((host) => host.id === source.host)?.path ?? '';
      const pageSize = register === 'dagi' ? AREA_PAGE_SIZE : PAGE_SIZE;
      const { srsName } = sourceOf(id);
      const minRows = isConditionId(id) ? 1 : SAMPLE_LAYERS[id].minRows;
      return [
        id,
        {
          source: { url: `${base}${path}`, srsName, pageSize, pageTimeoutMs: TIMEOUT_MS },
          files: files ? filesOf(id, base) : null,
          // None of the registers' places lies on the island.
          guards: { minRows, knownPlaces: [] },
        },
      ];
    }),
  ) as Record<LayerId, LayerOverride>;
  const catalogue = overrideCatalogue(REGISTERS_CATALOGUE, overrides);
  const settings = Object.assign({}, ...SAMPLES.map((each) => each.settingsAt?.(base))) as Readonly<
    Record<string, RegisterOverride>
  >;
  const registers = Object.fromEntries(
    Object.entries(catalogue.registers).map(([id, register]) => {
      return [id, overrideRegister(tablesAt(register, base), settings[id] ?? {})];
    }),
  ) as Catalogue['registers'];
  const land = { coverage: sampleCoverage() };
  const lands = Object.fromEntries(MIRROR_IDS.map((id) => [id, land]));
  return overrideCatalogue({ ...catalogue, registers }, lands);
}

/** Least rows of the tables. */
const MIN_TABLE_ROWS: Readonly<Record<string, number>> = Object.fromEntries(
  SAMPLES.flatMap(({ minRows }) => Object.entries(minRows)),
);
/** Bytes of a zip file, which no stub has and a table of one row has. */
const MIN_TABLE_BYTES = 200;
/** The others come as CSV: both formats are read wherever the sample is mirrored. */
const AS_JSON: readonly string[] = SAMPLES.flatMap(({ asJson = [] }) => asJson);

/** Of feature types the sample says itself where they are. */
function tablesAt(register: TableRegister, base: string): TableRegister {
  if (Object.values(register.tables).some(({ source }) => source?.kind === 'wfs')) return register;
  const tables = register.schema.tables.map(({ entity, register: of }): [string, TableOverride] => {
    // Of the types of places the sample has a few.
    const isHere = SAMPLE_ENTITIES.includes(entity) && registerOf(entity) === of;
    if (!isHere) return [entity, { source: null }];
    const format = AS_JSON.includes(entity) ? 'json' : 'csv';
    const guards = { minRows: MIN_TABLE_ROWS[entity] ?? 1 };
    return [entity, { source: { format, minBytes: MIN_TABLE_BYTES }, guards }];
  });
  return overrideRegister(register, {
    files: shelfAt(base, MIN_TABLE_BYTES),
    tables: Object.fromEntries(tables),
  });
}

function filesOf(id: LayerId, base: string): Partial<FileSource> | null {
  const format = isConditionId(id) ? undefined : SAMPLE_LAYERS[id].file;
  return format === undefined ? null : { ...shelfAt(base, MIN_FILE_BYTES), format };
}

function shelfAt(base: string, minBytes: number) {
  const urls = { listUrl: `${base}${LIST_PATH}`, fetchUrl: `${base}${FETCH_PATH}` };
  return { ...urls, minBytes, listTimeoutMs: TIMEOUT_MS, fetchTimeoutMs: TIMEOUT_MS };
}

/** Settings of live sources that point at the sample; `given` overrides them field by field. */
export function sampleLive(
  baseUrl: string,
  given: Readonly<Record<string, object>>,
): Readonly<Record<string, object>> {
  const base = baseUrl.replace(/\/+$/, '');
  const own = SAMPLES.flatMap((each) => Object.entries(each.liveAt?.(base) ?? {}));
  const pointed = Object.fromEntries(own.map(([key, at]) => [key, { ...at, ...given[key] }]));
  return { ...given, ...pointed };
}
