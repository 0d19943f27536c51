export const CADASTRE_LIMITS = {
  parcels: 20_000,
  geometryBytes: 32 * 1024 * 1024,
  districtCode: { min: 1, max: 99_999_999 },
  numberChars: { min: 1, max: 20 },
  textChars: { min: 1, max: 200 },
  perPage: { default: 20, max: 100 },
  pages: 10,
} as const;
