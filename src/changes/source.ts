/** Where the log is read from, and who may read it. */
import type { Area } from '../account/permissions.ts';
import { isConditionId } from '../layers/conditions/index.ts';
import {
  ADDRESSES,
  ASSESSMENTS,
  BBR,
  CADASTRE,
  PLACE_NAMES,
  PROTECTION,
  isLineKey,
  isRegisterId,
} from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { Store } from '../db/connect.ts';
import type { Naming, Schemas } from './entity-rows.ts';

export interface ChangeSource {
  readonly db: Store['db'];
  /** Of the registers of tables; layers of features need none. */
  readonly schemas: Schemas;
  /** Absent: as the store. */
  readonly naming?: Naming;
}

const OF_REGISTERS: Readonly<Partial<Record<MirrorId, Area>>> = {
  ...{ [ADDRESSES]: 'adresser', [CADASTRE]: 'bbr', [BBR]: 'bbr', [PROTECTION]: 'bbr' },
  ...{ [ASSESSMENTS]: 'vurdering', [PLACE_NAMES]: 'stednavne' },
};

/**
 * The permission that a register's own lookups want (D64); null: its changes are not followed. Companies are answered
 * one at a time: their list would be one of persons as well (D117).
 */
export function areaOf(register: MirrorId): Area | null {
  if (isRegisterId(register)) return OF_REGISTERS[register] ?? null;
  if (isConditionId(register)) return 'miljoe';
  return isLineKey(register) ? 'natur' : 'dagi';
}
