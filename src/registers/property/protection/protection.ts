/** One of possibly several rows about a building (D114). */
export interface ProtectionRow {
  readonly buildingId: string;
  readonly status: number | null;
  /** 1 to 9, or -1 and 0 for unassessed; null: left open. */
  readonly value: number | null;
  /** From the layer of listed buildings, which is complete. */
  readonly isOfListed: boolean;
}

export const PROTECTION_TEXTS = [
  'fredet',
  'bevaringssag',
  'vurderet',
  'ukendt',
  'ingen_registrering',
] as const;
export type ProtectionText = (typeof PROTECTION_TEXTS)[number];

/** By code. SOURCES_FILE can override them: 2, 3 and 5 are undocumented (D114). */
export type ProtectionMeanings = Readonly<Record<string, ProtectionText>>;

export const PROTECTION_MEANINGS: ProtectionMeanings = {
  '1': 'fredet',
  '2': 'bevaringssag',
  '3': 'vurderet',
  '4': 'ukendt',
  '5': 'ingen_registrering',
};
