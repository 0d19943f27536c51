/** Listed and preserved buildings (FBB) as they are read from the store, and what the codes mean. */

/** A row of FBB about a building of BBR; there may be several (D114). */
export interface ProtectionRow {
  /** In BBR. */
  readonly buildingId: string;
  /** null: the register leaves it open. */
  readonly status: number | null;
  /** As the register has it: 1 to 9, or -1 and 0 where nobody assessed it. null: left open. */
  readonly value: number | null;
  /** Of the layer of listed buildings, which has them all. */
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

/** By code. An operator may say otherwise in SOURCES_FILE: 2, 3 and 5 are documented nowhere (D114). */
export type ProtectionMeanings = Readonly<Record<string, ProtectionText>>;

export const PROTECTION_MEANINGS: ProtectionMeanings = {
  '1': 'fredet',
  '2': 'bevaringssag',
  '3': 'vurderet',
  '4': 'ukendt',
  '5': 'ingen_registrering',
};
