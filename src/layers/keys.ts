/** The keys are Danish, verbatim everywhere. */
import type { ConditionId } from './conditions/condition.ts';

/** In the order of D20. */
export const LINE_KEYS = [
  'strandbeskyttelse',
  'klitfredning',
  'soe',
  'aa',
  'skov',
  'kirke',
  'fortidsminde',
  'dige',
  'natur',
  'vandloeb',
] as const;
export type LineKey = (typeof LINE_KEYS)[number];

/** D21. */
export const LINE_NAMES: Readonly<Record<LineKey, string>> = {
  strandbeskyttelse: 'Strandbeskyttelseslinje',
  klitfredning: 'Klitfredningslinje',
  soe: 'Søbeskyttelseslinje',
  aa: 'Åbeskyttelseslinje',
  skov: 'Skovbyggelinje',
  kirke: 'Kirkebyggelinje',
  fortidsminde: 'Fortidsmindebeskyttelseslinje',
  dige: 'Beskyttet sten- og jorddige',
  natur: 'Beskyttet natur (§ 3)',
  vandloeb: 'Beskyttet vandløb (§ 3)',
};

/** In document order (D44). */
export const THEMES = [
  'region',
  'kommune',
  'sogn',
  'retskreds',
  'politikreds',
  'opstillingskreds',
] as const;
export type Theme = (typeof THEMES)[number];

/** DAGI areas, but not a theme that can be asked for. */
export const POSTAL = 'postnummer' as const;
/** Those of parish councils too, alike (D198). */
export const POLLING = 'afstemningsomraade' as const;
export const PARISH_POLLING = 'menighedsraadsafstemningsomraade' as const;

export const DISTRICTS = [POSTAL, POLLING, PARISH_POLLING] as const;
export type District = (typeof DISTRICTS)[number];

/** Regions first, because the other themes need them (D41). */
export type AreaId = Theme | District;
export const AREA_IDS: readonly AreaId[] = [...THEMES, ...DISTRICTS];

export type LayerId = LineKey | AreaId | ConditionId;
/**
 * In memory and on maps. The districts are last, because the postal ones need the municipalities.
 */
export const LAYER_IDS: readonly (LineKey | AreaId)[] = [...THEMES, ...LINE_KEYS, ...DISTRICTS];

export const PARCEL_TILES = 'jordstykker' as const;
export const HOUSE_TILES = 'husnumre' as const;
export const ROAD_NAMES = 'vejnavne' as const;
/** Tiles of place names, by rank (D243). */
export const NAME_TILES = 'stednavne' as const;

export function namesLayer(layer: string): string {
  return `${layer}_navn`;
}

export const OWN_TILES = [PARCEL_TILES, HOUSE_TILES, NAME_TILES] as const;
export type OwnTiles = (typeof OWN_TILES)[number];

export const isOwnTiles = memberOf(OWN_TILES);

/** Terrain models: asked live and from tiles, never mirrored. */
export const TERRAIN = 'dhm' as const;

export const CADASTRE = 'matrikel' as const;
export const ADDRESSES = 'adresser' as const;
export const BBR = 'bbr' as const;
export const ASSESSMENTS = 'vurdering' as const;
export const PROTECTION = 'fbb' as const;
export const COMPANIES = 'cvr' as const;
export const PLACE_NAMES = 'stednavne' as const;

/**
 * Mirrored from tables (register.ts). The cadastre is first: addresses take their property (BFE)
 * from it.
 */
export const REGISTER_IDS = [
  CADASTRE,
  ADDRESSES,
  BBR,
  ASSESSMENTS,
  PROTECTION,
  COMPANIES,
  PLACE_NAMES,
] as const;
export type RegisterId = (typeof REGISTER_IDS)[number];

export type MirrorId = LayerId | RegisterId;

export const isLineKey = memberOf(LINE_KEYS);
export const isTheme = memberOf(THEMES);
export const isRegisterId = memberOf(REGISTER_IDS);
export const isAreaId = memberOf(AREA_IDS);

/* @__NO_SIDE_EFFECTS__ */
export function memberOf<T extends string>(list: readonly T[]): (text: string) => text is T {
  return (text): text is T => (list as readonly string[]).includes(text);
}
