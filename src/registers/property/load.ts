import type { Workers } from '../../core/tasks/workers.ts';
import type { Store } from '../../db/connect.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isStatementTimeout } from '../../kernel/server-unavailable.ts';
import { ADDRESSES, ASSESSMENTS, BBR, CADASTRE, PROTECTION } from '../../layers/keys.ts';
import type { RegisterId } from '../../layers/keys.ts';
import { isSameVersion, lastProved } from '../../layers/published-copy.ts';
import type { Published, PublishedVersion } from '../../layers/published-copy.ts';
import {
  areLocationsMirrored,
  exportProperties,
  holdPropertyTables,
  nextChangeMs,
} from './export.ts';
import { touchedSince } from './touched.ts';
import { readPublished } from '../../core/published.ts';
import type { BuildRecordsTask, BuiltSnapshot, RecordsToWrite } from '../../snapshot/build-task.ts';
import { PropertyRecords, isOfInstant } from '../../snapshot/property-records.ts';
import type { RecordsMeta } from '../../snapshot/property-records.ts';
import { PublishedLoader } from '../../core/loading/published-loader.ts';
import type { Loaded } from '../../core/loading/loaded-kind.ts';
import type { LoaderBase } from '../../core/memory-index.ts';
import { buildInBatches } from '../../core/loading/row-feeder.ts';
import type { ReadBatch } from '../../core/loading/row-feeder.ts';
import { VersionFiles } from '../../core/loading/version-files.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';

const BUILD_RECORDS: ThreadTask<BuildRecordsTask, BuiltSnapshot> = {
  file: new URL('./build.thread.ts', import.meta.url),
  ports: ({ port }) => [port],
};

/** `locations`: the addresses, if EBR's locations are mirrored with them. */
export interface PropertiesInService extends JoinedVersions {
  readonly records: PropertyRecords;
  readonly buffer: SharedArrayBuffer;
  readonly generation: number;
  readonly copy: PublishedVersion<typeof BBR>;
  /** As far as known. */
  readonly isPublished: () => boolean;
}

export type PropertyLoader = PublishedLoader<
  typeof BBR,
  PropertyRecords,
  PropertiesInService,
  FileVersions
>;

export interface PropertyLoaderOptions extends LoaderBase {
  readonly clock: Clock;
  readonly store: Pick<Store, 'db' | 'builds'>;
  readonly workers: Pick<Workers, 'run'>;
}

export function createPropertyLoader({
  clock,
  store,
  workers,
  ...place
}: PropertyLoaderOptions): PropertyLoader {
  const files = new VersionFiles(place.directory, place.log);
  let known: FileVersions | null = null;
  let inService: Loaded<typeof BBR, PropertyRecords> | null = null;
  return new PublishedLoader<typeof BBR, PropertyRecords, PropertiesInService, FileVersions>(
    {
      mirrors: [BBR],
      name: 'properties',
      manifest: 'properties.json',
      ending: 'bfe',
      keepsOlder: true,
      readPublished: () => readVersions(store, known),
      learned: (published) => void (known = published),
      build: (wanted, { signal }) => {
        const paths = { records: files.pathOf(wanted, 'rec'), index: files.pathOf(wanted, 'bfe') };
        // A file taken out of service is not a base for the next one.
        const earlier = inService && {
          index: inService.buffer,
          records: files.pathOf(inService.wanted, 'rec'),
        };
        const from = { atMs: clock.nowMs(), earlier: inService?.opened ?? null };
        const feed = feedOf(wanted, from, place.log);
        // A day's changes are scattered over the tables: 52 s for the country from a slow disk.
        return buildInBatches({ db: store.builds }, feed, (rows) =>
          workers.run(BUILD_RECORDS, { ...rows, paths, earlier }, signal),
        );
      },
      open: (wanted, buffer, options) => {
        const records = new PropertyRecords(buffer, files.pathOf(wanted, 'rec'), options);
        const { version, publishedAtMs } = records.meta;
        if (version === wanted.version && publishedAtMs === wanted.publishedAtMs) return records;
        records.retire();
        throw new Error(`it is of version ${version}`);
      },
      isAwaited: false,
      // The store reports the versions of the tables.
      copiesOf: () => [],
      recordsOf: ({ records: { count, meta } }) => ({ records: count, written: meta.written }),
      serve: (loaded) => {
        const held = loaded.get(BBR);
        if (held?.opened !== inService?.opened) inService?.opened.retire();
        inService = held ?? null;
        return held === undefined ? null : inServiceOf(held, () => known);
      },
    },
    place,
  );
}

function inServiceOf(
  { opened: records, buffer, generation, wanted: copy }: Loaded<typeof BBR, PropertyRecords>,
  latest: () => FileVersions | null,
): PropertiesInService {
  const isPublished = () => {
    const known = latest();
    return known === null || isSameVersion(known.versions[0], copy);
  };
  const known = latest();
  const { cadastre, locations, assessments, protection } = records.meta;
  return {
    ...{ records, buffer, generation, copy, isPublished },
    cadastre: lastProved(cadastre, known?.cadastre),
    locations: lastProved(locations, known?.locations),
    assessments: lastProved(assessments, known?.assessments),
    protection: lastProved(protection, known?.protection),
  };
}

type JoinedVersions = Pick<RecordsMeta, 'cadastre' | 'locations' | 'assessments' | 'protection'>;

interface FileVersions extends JoinedVersions, Published<typeof BBR> {
  readonly registers: readonly PublishedVersion<RegisterId>[];
}

/** A file's own version changes with each of them and has their latest moment. */
export async function readVersions(
  store: Pick<Store, 'db'>,
  known: FileVersions | null = null,
): Promise<FileVersions> {
  const { generation, versions } = await readPublished(store, [
    BBR,
    CADASTRE,
    ADDRESSES,
    ASSESSMENTS,
    PROTECTION,
  ]);
  const versionOf = (mirror: RegisterId) => versions.find(({ layer }) => layer === mirror) ?? null;
  const addresses = versionOf(ADDRESSES);
  // Locations come with the addresses, so the same addresses have them or not as before.
  const before = known?.registers.find(({ layer }) => layer === ADDRESSES);
  const isKnown = before !== undefined && addresses !== null && isSameVersion(before, addresses);
  const hasLocations = isKnown ? known?.locations !== null : await areLocationsMirrored(store);
  const publishedAtMs = Math.max(...versions.map((each) => each.publishedAtMs));
  const version = versions.reduce((sum, each) => sum + each.version, 0);
  return {
    generation,
    versions: versions.flatMap(({ layer, ...copy }) =>
      layer === BBR ? [{ ...copy, layer, version, publishedAtMs }] : [],
    ),
    refused: [],
    cadastre: versionOf(CADASTRE),
    locations: hasLocations ? addresses : null,
    assessments: versionOf(ASSESSMENTS),
    protection: versionOf(PROTECTION),
    registers: versions,
  };
}

interface BuildFrom {
  readonly atMs: number;
  readonly earlier: PropertyRecords | null;
}

function feedOf(
  wanted: PublishedVersion<typeof BBR>,
  { atMs, earlier }: BuildFrom,
  log: LoaderBase['log'],
) {
  let known: FileVersions | null = null;
  let changed: readonly number[] | null = null;
  return {
    lists: ['meta', 'records'] as const,
    isWanted: async (trx: Store['db']): Promise<boolean> => {
      await holdPropertyTables(trx);
      known = await readVersions({ db: trx });
      return isSameVersion(known.versions[0], wanted);
    },
    rows: async function* (read: ReadBatch, list: 'meta' | 'records') {
      if (list === 'records') {
        yield* exportProperties(read, { atMs, only: changed });
        return;
      }
      const untilMs = await read((trx) => nextChangeMs(trx, atMs));
      changed = await read((trx) =>
        changedSince(trx, { earlier, atMs, registers: known?.registers ?? [] }),
      ).catch((error: unknown) => {
        if (!isStatementTimeout(error)) throw error;
        log('Finding the properties that a publication touched took too long: all are read anew.');
        return null;
      });
      yield describe(wanted, { known, atMs, untilMs, isChange: changed !== null });
    },
  };
}

/** null: any may differ. */
async function changedSince(
  trx: Store['db'],
  { earlier, atMs, registers }: BuildFrom & Pick<FileVersions, 'registers'>,
): Promise<readonly number[] | null> {
  if (earlier === null) return null;
  const { meta } = earlier;
  // Rows of earlier versions that began or ended meanwhile may be in any record.
  if (!isOfInstant(meta, atMs)) return null;
  return await touchedSince(trx, meta, registers);
}

function describe(
  { version, publishedAtMs }: PublishedVersion<typeof BBR>,
  {
    known,
    ...of
  }: Pick<RecordsToWrite, 'atMs' | 'untilMs' | 'isChange'> & {
    readonly known: FileVersions | null;
  },
): RecordsToWrite {
  const { cadastre = null, locations = null, assessments = null, protection = null } = known ?? {};
  const joined = { cadastre, locations, assessments, protection };
  return { version, publishedAtMs, ...of, ...joined, registers: known?.registers ?? [] };
}
