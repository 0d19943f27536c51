/**
 * The file of properties in service: records as of the versions of BBR, the cadastre, the locations, the
 * assessments and the listed buildings that were published together when it was built.
 */
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { ADDRESSES, ASSESSMENTS, BBR, CADASTRE, PROTECTION } from '../layers/keys.ts';
import type { RegisterId } from '../layers/keys.ts';
import { isSameVersion } from '../layers/published-copy.ts';
import type { Published, PublishedVersion } from '../layers/published-copy.ts';
import {
  exportProperties,
  holdPropertyTables,
  nextChangeMs,
} from '../registers/property/export.ts';
import { readPublished } from '../registers/published.ts';
import type { BuildRecordsTask, BuiltSnapshot } from '../snapshot/build-task.ts';
import { PropertyRecords } from '../snapshot/property-records.ts';
import type { RecordsMeta } from '../snapshot/property-records.ts';
import { PublishedLoader } from './published-loader.ts';
import type { LoaderPlace } from './published-loader.ts';
import { buildInBatches } from './row-feeder.ts';
import type { ReadBatch } from './row-feeder.ts';
import { VersionFiles } from './version-files.ts';

export interface PropertiesInService {
  readonly records: PropertyRecords;
  readonly buffer: SharedArrayBuffer;
  readonly generation: number;
  readonly copy: PublishedVersion<typeof BBR>;
  /** null: not mirrored, or not known since the start without the store. */
  readonly cadastre: PublishedVersion | null;
  readonly assessments: PublishedVersion | null;
  readonly protection: PublishedVersion | null;
  /** Whether its versions are the published ones, as far as is known. */
  readonly isPublished: () => boolean;
}

export type PropertyLoader = PublishedLoader<typeof BBR, PropertyRecords, PropertiesInService>;

export interface PropertyLoaderOptions extends LoaderPlace {
  readonly clock: Clock;
  readonly store: Pick<Store, 'db'>;
  readonly workers: {
    buildPropertyRecords(task: BuildRecordsTask, signal: AbortSignal): Promise<BuiltSnapshot>;
  };
}

/** Not yet started. */
export function createPropertyLoader({
  clock,
  store,
  workers,
  ...place
}: PropertyLoaderOptions): PropertyLoader {
  const files = new VersionFiles(place.directory, place.log);
  let told: ToldVersions | null = null;
  let inService: PropertyRecords | null = null;
  return new PublishedLoader<typeof BBR, PropertyRecords, PropertiesInService>(
    {
      mirrors: [BBR],
      name: 'properties',
      manifest: 'properties.json',
      ending: 'bfe',
      keepsOlder: true,
      readPublished: async () => {
        told = await readVersions(store);
        return told.published;
      },
      build: (wanted, { signal }) => {
        const paths = { records: files.pathOf(wanted, 'rec'), index: files.pathOf(wanted, 'bfe') };
        return buildInBatches(store, feedOf(wanted, clock.nowMs()), (rows) =>
          workers.buildPropertyRecords({ ...rows, paths }, signal),
        );
      },
      open: (wanted, buffer, options) => {
        const records = new PropertyRecords(buffer, files.pathOf(wanted, 'rec'), options);
        const { version, publishedAtMs } = records.meta;
        if (version === wanted.version && publishedAtMs === wanted.publishedAtMs) return records;
        records.retire();
        throw new Error(`it is of version ${version}`);
      },
      serve: (loaded) => {
        const held = loaded.get(BBR);
        if (held?.opened !== inService) inService?.retire();
        inService = held?.opened ?? null;
        if (held === undefined) return null;
        const { opened: records, buffer, generation, wanted: copy } = held;
        const isPublished = () => told === null || isSameVersion(told.published.versions[0], copy);
        const { cadastre, assessments, protection } = records.meta;
        return {
          ...{ records, buffer, generation, copy, isPublished },
          cadastre: lastProved(cadastre, told?.cadastre),
          assessments: lastProved(assessments, told?.assessments),
          protection: lastProved(protection, told?.protection),
        };
      },
    },
    place,
  );
}

/** A version as it was last reported, which tells when it was proved; as it was joined where another is reported. */
function lastProved(
  joined: PublishedVersion | null,
  reported: PublishedVersion | null = null,
): PublishedVersion | null {
  const isSame = joined !== null && reported !== null && isSameVersion(joined, reported);
  return isSame ? reported : joined;
}

interface ToldVersions extends JoinedVersions {
  readonly published: Published<typeof BBR>;
}

type JoinedVersions = Pick<RecordsMeta, 'cadastre' | 'assessments' | 'protection'>;

/** A file is of the latest moment at which one of the registers it is made of was published. */
async function readVersions(store: Pick<Store, 'db'>): Promise<ToldVersions> {
  const { generation, versions } = await readPublished(store, [
    BBR,
    CADASTRE,
    ADDRESSES,
    ASSESSMENTS,
    PROTECTION,
  ]);
  const versionOf = (mirror: RegisterId) => versions.find(({ layer }) => layer === mirror) ?? null;
  const publishedAtMs = Math.max(...versions.map((each) => each.publishedAtMs));
  return {
    published: {
      generation,
      versions: versions.flatMap(({ layer, ...copy }) =>
        layer === BBR ? [{ ...copy, layer, publishedAtMs }] : [],
      ),
      refused: [],
    },
    cadastre: versionOf(CADASTRE),
    assessments: versionOf(ASSESSMENTS),
    protection: versionOf(PROTECTION),
  };
}

function feedOf(wanted: PublishedVersion<typeof BBR>, atMs: number) {
  let joined: JoinedVersions = { cadastre: null, assessments: null, protection: null };
  return {
    lists: ['meta', 'records'] as const,
    isWanted: async (trx: Store['db']): Promise<boolean> => {
      await holdPropertyTables(trx);
      const { published, ...versions } = await readVersions({ db: trx });
      joined = versions;
      return isSameVersion(published.versions[0], wanted);
    },
    rows: async function* (read: ReadBatch, list: 'meta' | 'records') {
      if (list === 'records') {
        yield* exportProperties(read, atMs);
        return;
      }
      const { version, publishedAtMs } = wanted;
      const untilMs = await read((trx) => nextChangeMs(trx, atMs));
      yield { version, publishedAtMs, atMs, untilMs, ...joined } satisfies RecordsMeta;
    },
  };
}
