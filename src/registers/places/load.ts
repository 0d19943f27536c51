import type { Workers } from '../../core/tasks/workers.ts';
import type { Db, Store } from '../../db/connect.ts';
import { PLACE_NAMES } from '../../layers/keys.ts';
import { PLACE_LISTS } from './places.ts';
import type { JoinedMunicipalities, PlaceFinder, PlaceList, ExportedPlace } from './places.ts';
import { isSameVersion, lastProved } from '../../layers/published-copy.ts';
import type { Published, PublishedCopy, PublishedVersion } from '../../layers/published-copy.ts';
import { BUILD_PLACES } from './index/build-task.ts';
import { openPlaceIndex } from './index/place-index.ts';
import { readJoined } from '../../core/published.ts';
import { PublishedLoader } from '../../core/loading/published-loader.ts';
import type { LoaderBase } from '../../core/memory-index.ts';
import { buildFromStore } from '../../core/loading/row-feeder.ts';
import type { RowFeed } from '../../core/loading/row-feeder.ts';
import { VersionFiles } from '../../core/loading/version-files.ts';
import { sql } from 'kysely';
import { LYING, PLACE_COLUMNS } from './rows.ts';

export interface PlacesInMemory {
  readonly finder: PlaceFinder;
  /** The store's generation at publication (D19). */
  readonly generation: number;
  readonly copy: PublishedCopy;
  readonly municipalities: PublishedCopy | null;
}

export type PlaceLoader = PublishedLoader<
  typeof PLACE_NAMES,
  PlaceFinder,
  PlacesInMemory,
  PublishedPlaces
>;

export interface PlaceLoaderOptions extends LoaderBase {
  readonly store: Pick<Store, 'db'>;
  readonly workers: Pick<Workers, 'run'>;
}

export function createPlaceLoader({ store, workers, ...place }: PlaceLoaderOptions): PlaceLoader {
  const files = new VersionFiles(place.directory, place.log);
  let known: PublishedPlaces | null = null;
  let inService: PlaceFinder | null = null;
  return new PublishedLoader<typeof PLACE_NAMES, PlaceFinder, PlacesInMemory, PublishedPlaces>(
    {
      mirrors: [PLACE_NAMES],
      name: 'place names',
      manifest: 'places.json',
      ending: 'idx',
      // There is no live register, so an older copy answers, marked with its age.
      keepsOlder: true,
      readPublished: () => readPlaces(store),
      learned: (published) => void (known = published),
      build: (wanted, { signal }) => {
        const paths = { index: files.pathOf(wanted, 'idx'), shapes: files.pathOf(wanted, 'wkb') };
        const { version } = wanted;
        return buildFromStore(store, feedOf(wanted), (rows) =>
          workers.run(BUILD_PLACES, { ...rows, version, paths }, signal),
        );
      },
      open: (wanted, buffer, options) => {
        const finder = openPlaceIndex(buffer, files.pathOf(wanted, 'wkb'), options);
        if (finder.version === wanted.version) return finder;
        finder.retire();
        throw new Error(`it is of version ${finder.version}`);
      },
      isAwaited: false,
      copiesOf: (index) => [{ ...index, mirror: PLACE_NAMES, rowCount: index.finder.placeCount }],
      serve: (loaded) => {
        const held = loaded.get(PLACE_NAMES);
        if (held?.opened !== inService) inService?.retire();
        inService = held?.opened ?? null;
        if (held === undefined) return null;
        const { opened: finder, generation, wanted: copy } = held;
        const municipalities = lastProved(finder.municipalities, known?.municipalities ?? null);
        return { finder, generation, copy, municipalities };
      },
    },
    place,
  );
}

function feedOf(wanted: PublishedVersion<typeof PLACE_NAMES>): RowFeed<PlaceList> {
  let known: PublishedPlaces | null = null;
  return {
    lists: PLACE_LISTS,
    isWanted: async (trx) => {
      await holdPlaceTable(trx);
      known = await readPlaces({ db: trx });
      return isSameVersion(known.versions[0], wanted);
    },
    rows: async function* (trx, list) {
      if (list === 'places') {
        yield* exportPlaces(trx);
        return;
      }
      const copy = known?.municipalities ?? null;
      if (copy === null) return;
      const names = await readMunicipalityNames(trx);
      yield { copy, names } satisfies JoinedMunicipalities;
    },
  };
}

interface PublishedPlaces extends Published<typeof PLACE_NAMES> {
  readonly municipalities: PublishedVersion | null;
}

async function readPlaces(store: Pick<Store, 'db'>): Promise<PublishedPlaces> {
  const { joined: municipalities, ...places } = await readJoined(store, PLACE_NAMES, 'kommune');
  return { ...places, municipalities };
}

/** A single place may have a hundred thousand vertices. */
const PAGE_ROWS = 500;

/** Call first: a table replaced later would look empty to the transaction. */
export async function holdPlaceTable(trx: Db): Promise<void> {
  await sql`lock table place in access share mode`.execute(trx);
}

export async function readMunicipalityNames(
  trx: Db,
): Promise<readonly (readonly [code: string, name: string])[]> {
  const { rows } = await sql<{ code: string; name: string }>`
    select code, min(name) as name from area where theme = 'kommune' group by code
    order by code`.execute(trx);
  return rows.map(({ code, name }) => [code, name]);
}

export async function* exportPlaces(trx: Db): AsyncGenerator<readonly ExportedPlace[], void, void> {
  for (let after = '-1'; ;) {
    const { rows } = await sql<ExportedPlace & { id: string }>`
      select p.id::text as id, ${PLACE_COLUMNS}, ST_AsBinary(p.geom, 'NDR') as wkb
      from (
        select * from place where id > ${after}::bigint and geom is not null
        order by id limit ${PAGE_ROWS}) p
      ${LYING}
      order by p.id`.execute(trx);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
