import type { Workers } from '../../core/tasks/workers.ts';
import type { Store } from '../../db/connect.ts';
import { CADASTRE } from '../../layers/keys.ts';
import { isSameVersion } from '../../layers/published-copy.ts';
import type { PublishedVersion } from '../../layers/published-copy.ts';
import { PublishedLoader } from '../../core/loading/published-loader.ts';
import { buildInBatches } from '../../core/loading/row-feeder.ts';
import type { RowFeed, ReadBatch } from '../../core/loading/row-feeder.ts';
import type { LoaderBase } from '../../core/memory-index.ts';
import { readPublished } from '../../core/published.ts';
import { PARCEL_LISTS, exportDistricts, exportParcels, holdParcelTables } from './export.ts';
import type { ParcelList } from './export.ts';
import { BUILD_PARCELS } from './index/build-task.ts';
import { ParcelIndex } from './index/parcel-index.ts';

export interface ParcelsInMemory {
  readonly index: ParcelIndex;
  /** The store's generation at publication (D19). */
  readonly generation: number;
  readonly copy: PublishedVersion<typeof CADASTRE>;
  readonly buffer: SharedArrayBuffer;
}

export type ParcelLoader = PublishedLoader<typeof CADASTRE, ParcelIndex, ParcelsInMemory>;

export interface ParcelLoaderOptions extends LoaderBase {
  readonly store: Pick<Store, 'db' | 'builds'>;
  readonly workers: Pick<Workers, 'run'>;
}

export function createParcelLoader({
  store,
  workers,
  ...place
}: ParcelLoaderOptions): ParcelLoader {
  return new PublishedLoader<typeof CADASTRE, ParcelIndex, ParcelsInMemory>(
    {
      mirrors: [CADASTRE],
      name: 'parcels',
      manifest: 'parcels.json',
      ending: 'idx',
      keepsOlder: true,
      readPublished: () => readPublished(store, [CADASTRE]),
      build: (wanted, { files, signal }) => {
        const { version } = wanted;
        const path = files.pathOf(wanted, 'idx');
        return buildInBatches({ db: store.builds }, feedOf(wanted), (rows) =>
          workers.run(BUILD_PARCELS, { ...rows, version, path }, signal),
        );
      },
      open: (wanted, buffer, options) => {
        const index = new ParcelIndex(buffer, options);
        if (index.meta.version === wanted.version) return index;
        throw new Error(`it is of version ${index.meta.version}`);
      },
      isAwaited: false,
      // The store reports the versions of the tables.
      copiesOf: () => [],
      serve: (loaded) => {
        const held = loaded.get(CADASTRE);
        if (held === undefined) return null;
        const { opened: index, generation, wanted: copy, buffer } = held;
        return { index, generation, copy, buffer };
      },
    },
    place,
  );
}

function feedOf(wanted: PublishedVersion<typeof CADASTRE>): RowFeed<ParcelList, ReadBatch> {
  return {
    lists: PARCEL_LISTS,
    isWanted: async (trx) => {
      await holdParcelTables(trx);
      const { versions } = await readPublished({ db: trx }, [CADASTRE]);
      return isSameVersion(versions[0], wanted);
    },
    rows: async function* (read, list) {
      if (list === 'parcels') yield* exportParcels(read);
      else yield await read(exportDistricts);
    },
  };
}
