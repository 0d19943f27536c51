import { bboxOf, centerOf } from '../../answers/in-system.ts';
import type { Theme } from '../../layers/keys.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import type { Constituency, ElectoralRegion } from '../../registers/areas/constituencies.ts';
import type { Extent } from '../../registers/areas/rows.ts';
import { linkTo, memberOf } from '../wire/row-members.ts';
import type { Place, Readers } from '../wire/row-members.ts';

export const AREA_PATHS: Readonly<Record<Theme, string>> = {
  region: 'regioner',
  kommune: 'kommuner',
  sogn: 'sogne',
  retskreds: 'retskredse',
  politikreds: 'politikredse',
  opstillingskreds: 'opstillingskredse',
};

function centerMembers({ center = null }: Extent, { format }: Place) {
  const [x, y] = centerOf(center, format) ?? [null, null];
  return { visueltcenter_x: x, visueltcenter_y: y };
}

const NO_BOX = [null, null, null, null] as const;

export const EXTENT: Readers<Extent> = {
  bbox: ({ boundsM }, { format }) => bboxOf(boundsM, format),
  visueltcenter: ({ center = null }, { format }) => centerOf(center, format),
  '...center': centerMembers,
  '...box': (row, place) => {
    const [west, south, east, north] = bboxOf(row.boundsM, place.format) ?? NO_BOX;
    const box = { bbox_xmin: west, bbox_ymin: south, bbox_xmax: east, bbox_ymax: north };
    return { ...box, ...centerMembers(row, place) };
  },
  ændret: ({ change }) => change?.changedAt.toISOString(),
  geo_ændret: ({ change }) => change?.geometryChangedAt.toISOString(),
  geo_version: ({ change }) => change?.geometryVersion,
  geometry: ({ geometry = 'null' }) => geometry,
};

type Region = { readonly code: string; readonly name: string | null } | null;

export const IN_REGION: Readers<{ readonly region: Region }> = {
  region: ({ region }, place) => linkTo(place, 'regioner', region?.code, region?.name),
  regionskode: ({ region }) => region?.code,
  regionsnavn: ({ region }) => region?.name,
};

const REGION: Readers<ElectoralRegion> = {
  href: ({ letter }, { base }) => `${base}/valglandsdele/${letter}`,
  bogstav: ({ letter }) => letter,
  navn: ({ name }) => name,
};

const electoralRegions = <R>(of: (row: R) => ElectoralRegion | undefined): Readers<R> => ({
  valglandsdel: memberOf(of, REGION, 'href bogstav navn'),
  valglandsdelsbogstav: (row) => of(row)?.letter,
  valglandsdelsnavn: (row) => of(row)?.name,
});

const CONSTITUENCY: Readers<Constituency> = {
  href: ({ number }, { base }) => `${base}/storkredse/${number}`,
  nummer: ({ number }) => number,
  navn: ({ name }) => name,
};

/** Of a nomination district; null: unknown, or in no list. */
export const elections = <R>(of: (row: R) => Constituency | null): Readers<R> => ({
  ...electoralRegions((row) => of(row)?.electoralRegion),
  storkreds: memberOf(of, CONSTITUENCY, 'href nummer navn'),
  storkredsnummer: (row) => of(row)?.number,
  storkredsnavn: (row) => of(row)?.name,
});

export const IN_ELECTORAL_REGION = electoralRegions<{
  readonly electoralRegion?: ElectoralRegion;
}>(({ electoralRegion }) => electoralRegion);
export const ELECTIONS = elections<{ readonly code: string }>(({ code }) => constituencyOf(code));

export const CHANGES = 'ændret geo_version geo_ændret';
