import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import type { Constituency, ElectoralRegion } from '../../registers/areas/constituencies.ts';
import type { Fields } from './filters.ts';

const PATHS: Readonly<Record<Theme, string>> = {
  region: 'regioner',
  kommune: 'kommuner',
  sogn: 'sogne',
  retskreds: 'retskredse',
  politikreds: 'politikredse',
  opstillingskreds: 'opstillingskredse',
};

export function pathOfArea(theme: Theme): string {
  return PATHS[theme];
}

export const AREA_PATHS: readonly (readonly [theme: Theme, path: string])[] = THEMES.map(
  (theme) => [theme, PATHS[theme]] as const,
);

export function electoralRegionMember(base: string, { letter, name }: ElectoralRegion): object {
  return { href: `${base}/valglandsdele/${letter}`, bogstav: letter, navn: name };
}

export const electionFields = <R>(of: (row: R) => Constituency | null): Fields<R> => ({
  storkredsnummer: { kind: 'number', of: (row) => of(row)?.number ?? null },
  valglandsdelsbogstav: { kind: 'text', of: (row) => of(row)?.electoralRegion.letter ?? null },
});

/** Of what lies in a nomination district; nulls: it is unknown, or in no list. */
export function electionMembers(base: string, districtCode: string | undefined) {
  const found = constituencyOf(districtCode ?? '');
  return {
    storkreds: found && {
      ...{ href: `${base}/storkredse/${found.number}`, nummer: found.number, navn: found.name },
    },
    valglandsdel: found && electoralRegionMember(base, found.electoralRegion),
  };
}
