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
import { keptTables } from '../layers/register-tables.ts';
import type { Store } from '../db/connect.ts';
import type { Naming, Schemas } from './entity-rows.ts';

export interface ChangeSource {
  readonly db: Store['db'];
  /** Of the registers' tables; layers need none. */
  readonly schemas: Schemas;
  /** Absent: `store`. */
  readonly naming?: Naming;
}

const OF_REGISTERS: Readonly<Partial<Record<MirrorId, Area>>> = {
  ...{ [ADDRESSES]: 'adresser', [CADASTRE]: 'bbr', [BBR]: 'bbr', [PROTECTION]: 'bbr' },
  ...{ [ASSESSMENTS]: 'vurdering', [PLACE_NAMES]: 'stednavne' },
};

/**
 * The permission for the register's lookups (D64); null: not offered. A list of companies would
 * include persons (D117).
 */
export function areaOf(register: MirrorId): Area | null {
  if (isRegisterId(register)) return OF_REGISTERS[register] ?? null;
  if (isConditionId(register)) return 'miljoe';
  return isLineKey(register) ? 'natur' : 'dagi';
}

/** Without functions, which cannot be cloned to a thread. */
export function clonedSource(
  { schemas, naming = 'store' }: ChangeSource,
  registers: readonly MirrorId[],
): Omit<ChangeSource, 'db'> {
  const cloned = [...schemas].flatMap(([register, schema]) => {
    const { references, counted, beside } = schema;
    const whole = { tables: keptTables(schema), references, counted, beside };
    return registers.includes(register) ? [[register, whole] as const] : [];
  });
  return { schemas: new Map(cloned), naming };
}
