/** What is made of whole areas of a theme: provinces, constituencies, electoral regions (D183, D186). */
import type { Bounds } from '../../geo/bounds.ts';
import { Failure } from '../../kernel/failures.ts';
import { CONSTITUENCIES, ELECTORAL_REGIONS } from './constituencies.ts';
import type { ElectoralRegion } from './constituencies.ts';
import { PROVINCES, boxOfAll } from './provinces.ts';

export interface Whole {
  readonly key: string;
  readonly name: string;
  /** Codes of its areas. */
  readonly parts: readonly string[];
  readonly electoralRegion?: ElectoralRegion;
}

export const WHOLES = {
  province: PROVINCES.map(({ nuts3: key, name, municipalityCodes: parts }): Whole => {
    return { key, name, parts };
  }),
  constituency: CONSTITUENCIES.map(({ number: key, districtCodes: parts, ...each }): Whole => {
    return { ...each, key, parts };
  }),
  electoralRegion: ELECTORAL_REGIONS.map(({ letter: key, name }): Whole => {
    const own = CONSTITUENCIES.filter(({ electoralRegion }) => electoralRegion.letter === key);
    return { key, name, parts: own.flatMap(({ districtCodes }) => districtCodes) };
  }),
};

interface Part {
  readonly code: string;
  readonly boundsM: Bounds | null;
  readonly region: { readonly code: string; readonly name: string | null } | null;
}

export interface ComposedArea<P extends Part> extends Whole {
  readonly areas: readonly P[];
  /** Whether all its areas are mirrored. */
  readonly isWhole: boolean;
  /** null: not whole. */
  readonly boundsM: Bounds | null;
  /** null: not whole, or in several. */
  readonly region: P['region'];
}

export function composed<P extends Part>(
  wholes: readonly Whole[],
  rows: readonly P[],
): readonly ComposedArea<P>[] {
  return wholes.map((each) => {
    const areas = rows.filter(({ code }) => each.parts.includes(code));
    const isWhole = areas.length === each.parts.length;
    const regions = areas.map(({ region }) => region).filter((region) => region !== null);
    const [region = null] = regions;
    const isOne = isWhole && regions.every(({ code }) => code === region?.code);
    const boundsM = boxOfAll(each.parts, rows);
    return { ...each, areas, isWhole, boundsM, region: isOne ? region : null };
  });
}

/** Throws where an area belongs to none of the list: it is newer than that, so nothing is known (D186). */
export function withParts<W extends Whole>(
  wholes: readonly W[],
  areas: readonly { readonly code: string }[],
): readonly W[] {
  if (areas.every(({ code }) => wholes.some(({ parts }) => parts.includes(code)))) {
    return wholes.filter(({ parts }) => areas.some(({ code }) => parts.includes(code)));
  }
  throw new Failure('upstream_unavailable', {
    error: 'An area here is in no list of what it belongs to.',
    errorDa: 'Et område her er ikke på nogen liste over, hvad det hører til.',
  });
}
