import type { Workers } from '../../core/tasks/workers.ts';
import { openAddressIndex } from './index/address-index.ts';
import { BUILD_INDEX } from './index/build-task.ts';
import { createAddressFinder } from './index/finder.ts';
import type { Store } from '../../db/connect.ts';
import { INDEX_LISTS } from './address-lines.ts';
import type { IndexList } from './address-lines.ts';
import type { AddressFinder } from './addresses.ts';
import { ADDRESSES, CADASTRE } from '../../layers/keys.ts';
import { withParcels } from '../../layers/unread-postcodes.ts';
import { isSameVersion } from '../../layers/published-copy.ts';
import type { Published } from '../../layers/published-copy.ts';
import { exportLines, holdAddressTables } from './export.ts';
import { readJoined } from '../../core/published.ts';
import type { AddressesInMemory } from './copy.ts';
import { PublishedLoader } from '../../core/loading/published-loader.ts';
import type { LoaderBase } from '../../core/memory-index.ts';
import { buildFromStore } from '../../core/loading/row-feeder.ts';
import type { RowFeed } from '../../core/loading/row-feeder.ts';

export interface AddressesInService extends AddressesInMemory {
  readonly buffer: SharedArrayBuffer;
}

export type AddressLoader = PublishedLoader<typeof ADDRESSES, AddressFinder, AddressesInService>;

export interface AddressLoaderOptions extends LoaderBase {
  readonly store: Pick<Store, 'db'>;
  readonly workers: Pick<Workers, 'run'>;
}

export function createAddressLoader({
  store,
  workers,
  ...place
}: AddressLoaderOptions): AddressLoader {
  return new PublishedLoader(
    {
      mirrors: [ADDRESSES],
      name: 'addresses',
      manifest: 'addresses.json',
      ending: 'book',
      // DAR has no live question, so an older copy answers, marked with its age.
      keepsOlder: true,
      readPublished: () => readAddresses(store),
      build: (wanted, { files, signal }) => {
        const { version } = wanted;
        const isWanted: RowFeed<IndexList>['isWanted'] = async (trx) => {
          await holdAddressTables(trx);
          const { versions } = await readAddresses({ db: trx });
          return isSameVersion(versions[0], wanted);
        };
        return buildFromStore(store, { lists: INDEX_LISTS, isWanted, rows: exportLines }, (rows) =>
          workers.run(
            BUILD_INDEX,
            { ...rows, version, path: files.pathOf(wanted, 'book') },
            signal,
          ),
        );
      },
      open: (wanted, buffer, options) => {
        const finder = createAddressFinder(openAddressIndex(buffer, options));
        const { version } = finder.addressIndex;
        if (version !== wanted.version) throw new Error(`it is of version ${version}`);
        return finder;
      },
      isAwaited: true,
      copiesOf: (index) => [
        { ...index, mirror: ADDRESSES, rowCount: index.finder.addressIndex.accessCount },
      ],
      serve: (loaded) => {
        const addressIndex = loaded.get(ADDRESSES);
        if (addressIndex === undefined) return null;
        const { opened: finder, buffer, generation, wanted: copy } = addressIndex;
        return { finder, buffer, generation, copy };
      },
    },
    place,
  );
}

/** Addresses hold the BFE of their parcels. */
async function readAddresses(store: Pick<Store, 'db'>): Promise<Published<typeof ADDRESSES>> {
  const { joined: parcels, ...addresses } = await readJoined(store, ADDRESSES, CADASTRE);
  const versions = addresses.versions.map((copy) => ({
    ...copy,
    unanswered: withParcels(copy.unanswered ?? null, parcels?.unanswered ?? null),
  }));
  return { ...addresses, versions };
}
