/** Unions of whole areas: provinces, constituencies, electoral regions (D183, D186). */
import { boundsAround } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { upstreamUnavailable } from '../../kernel/failures.ts';
import { CONSTITUENCIES, ELECTORAL_REGIONS } from './constituencies.ts';
import type { ElectoralRegion } from './constituencies.ts';

interface Province {
  readonly nuts3: string;
  readonly name: string;
  readonly municipalityCodes: readonly string[];
}

const of = (nuts3: string, name: string, codes: string): Province => {
  return { nuts3, name, municipalityCodes: codes.split(' ') };
};

/** Source: Danmarks Statistik, "NUTS, v1:2007". */
const PROVINCES: readonly Province[] = [
  of('DK011', 'Byen København', '0101 0147 0155 0185'),
  of(
    'DK012',
    'Københavns omegn',
    '0151 0153 0157 0159 0161 0163 0165 0167 0169 0173 0175 0183 0187',
  ),
  of('DK013', 'Nordsjælland', '0190 0201 0210 0217 0219 0223 0230 0240 0250 0260 0270'),
  of('DK014', 'Bornholm', '0400 0411'),
  of('DK021', 'Østsjælland', '0253 0259 0265 0269 0350'),
  of(
    'DK022',
    'Vest- og Sydsjælland',
    '0306 0316 0320 0326 0329 0330 0336 0340 0360 0370 0376 0390',
  ),
  of('DK031', 'Fyn', '0410 0420 0430 0440 0450 0461 0479 0480 0482 0492'),
  of('DK032', 'Sydjylland', '0510 0530 0540 0550 0561 0563 0573 0575 0580 0607 0621 0630'),
  of('DK041', 'Vestjylland', '0657 0661 0665 0671 0756 0760 0779 0791'),
  of('DK042', 'Østjylland', '0615 0706 0707 0710 0727 0730 0740 0741 0746 0751 0766'),
  of('DK050', 'Nordjylland', '0773 0787 0810 0813 0820 0825 0840 0846 0849 0851 0860'),
];

const byMunicipality = new Map(
  PROVINCES.flatMap((each) => each.municipalityCodes.map((code) => [code, each] as const)),
);

export function provinceOf(municipalityCode: string): Province | null {
  return byMunicipality.get(municipalityCode) ?? null;
}

function boxOfAll(
  codes: readonly string[],
  all: readonly { readonly code: string; readonly boundsM: Bounds | null }[],
): Bounds | null {
  const boxes = codes.map((each) => all.find(({ code }) => code === each)?.boundsM);
  const known = boxes.filter((box) => box !== null && box !== undefined);
  return known.length < Math.max(1, boxes.length) ? null : boundsAround(known);
}

export interface Whole {
  readonly key: string;
  readonly name: string;
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
  readonly isWhole: boolean;
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

/** Throws where an area belongs to none: it is newer than the list, so nothing is known (D186). */
export function withParts<W extends Whole>(
  wholes: readonly W[],
  areas: readonly { readonly code: string }[],
): readonly W[] {
  if (areas.every(({ code }) => wholes.some(({ parts }) => parts.includes(code)))) {
    return wholes.filter(({ parts }) => areas.some(({ code }) => parts.includes(code)));
  }
  throw upstreamUnavailable(
    'An area here is in no list of what it belongs to.',
    'Et område her er ikke på nogen liste over, hvad det hører til.',
  );
}
