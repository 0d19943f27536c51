/** The keys of everything mirrored. Keys are data: Danish, verbatim, everywhere. */

/** The ten building lines and protected-nature layers, in the order of D20. */
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

/** The six DAGI themes, in document order (D44). */
export const THEMES = [
  'region',
  'kommune',
  'sogn',
  'retskreds',
  'politikreds',
  'opstillingskreds',
] as const;
export type Theme = (typeof THEMES)[number];

/** The postal districts: areas of DAGI like the themes, but none of the themes anybody asks for. */
export const POSTAL = 'postnummer' as const;

/** Everything mirrored from DAGI, regions first: the other themes take theirs from them (D41). */
export type AreaId = Theme | typeof POSTAL;
export const AREA_IDS: readonly AreaId[] = [...THEMES, POSTAL];

export type LayerId = LineKey | AreaId;
/** The districts at the end: they take the municipalities they lie in from the themes. */
export const LAYER_IDS: readonly LayerId[] = [...THEMES, ...LINE_KEYS, POSTAL];

/** The parcels of the cadastre as tiles of a map: no layer of features, but cut from its tables. */
export const PARCEL_TILES = 'jordstykker' as const;

/** The terrain models: asked live and from tiles, mirrored nowhere. */
export const TERRAIN = 'dhm' as const;

/** The cadastre, the addresses, buildings and dwellings, and what they are joined with. */
export const CADASTRE = 'matrikel' as const;
export const ADDRESSES = 'adresser' as const;
export const BBR = 'bbr' as const;
/** Public assessments of property values (VUR). */
export const ASSESSMENTS = 'vurdering' as const;
/** Listed and preserved buildings (FBB). */
export const PROTECTION = 'fbb' as const;
/** Companies (CVR). */
export const COMPANIES = 'cvr' as const;
/** Place names (DS). */
export const PLACE_NAMES = 'stednavne' as const;

/**
 * The registers: mirrored like a layer, but of tables and no feature type (register.ts). Parcels first:
 * the addresses take their property (BFE) from them.
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

/** Everything that is mirrored, published and watched under a version of its own. */
export type MirrorId = LayerId | RegisterId;
export const MIRROR_IDS: readonly MirrorId[] = [...LAYER_IDS, ...REGISTER_IDS];

export function isLineKey(text: string): text is LineKey {
  return (LINE_KEYS as readonly string[]).includes(text);
}

export function isTheme(text: string): text is Theme {
  return (THEMES as readonly string[]).includes(text);
}

export function isRegisterId(text: string): text is RegisterId {
  return (REGISTER_IDS as readonly string[]).includes(text);
}

export function isAreaId(text: string): text is AreaId {
  return (AREA_IDS as readonly string[]).includes(text);
}
