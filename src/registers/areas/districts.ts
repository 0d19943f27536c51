/** Postal districts as derived at publication, without geometry. */
import { sql } from 'kysely';
import type { Store } from '../../db/connect.ts';
import { oneRow } from '../../db/rows.ts';
import { POSTAL } from '../../layers/keys.ts';
import { meetsUnread } from '../../geo/unanswered.ts';
import type { UnansweredPlaces } from '../../geo/unanswered.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface PostalDistrict {
  /** EPSG:25832, metres: west, south, east, north. */
  readonly box: readonly [number, number, number, number];
  readonly municipalityCodes: readonly string[];
}

export interface PostalDistrictsRead {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  readonly districts: ReadonlyMap<string, PostalDistrict>;
}

type Listed = readonly [string, ...PostalDistrict['box'], readonly string[]];

/** One statement, so one generation. */
export async function readPostalDistricts({ db }: Pick<Store, 'db'>): Promise<PostalDistrictsRead> {
  const row = await oneRow<{
    generation: number;
    copy: PublishedCopy | null;
    outdatedAtMs: number | null;
    unreadMunicipalities: UnansweredPlaces | null;
    districts: readonly Listed[] | null;
  }>(db)`
    select s.generation, ${sql.raw(COPY)},
      -- The municipalities they lie in are past when the theme of those is.
      (select (extract(epoch from min(outdated_at)) * 1000)::float8 from layer_state
        where layer in (${POSTAL}, 'kommune')) as "outdatedAtMs",
      (select unanswered from layer_state where layer = 'kommune') as "unreadMunicipalities",
      (select jsonb_agg(jsonb_build_array(code, min_x, min_y, max_x, max_y, municipality_codes))
        from postal_district) as districts
    from store_state s left join layer_state l on l.layer = ${POSTAL}`;
  return {
    generation: row.generation,
    copy: row.copy && { ...row.copy, unanswered: null, outdatedAtMs: row.outdatedAtMs },
    districts: new Map(
      (row.districts ?? []).flatMap(([code, west, south, east, north, municipalityCodes]) => {
        const box = [west, south, east, north] as const;
        // An unreadable municipality may contain it (D143).
        const isUnsure = meetsUnread(row.unreadMunicipalities, box);
        return isUnsure ? [] : [[code, { box, municipalityCodes }] as const];
      }),
    ),
  };
}
