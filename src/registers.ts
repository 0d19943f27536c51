/** Every register, in the order in which they are mirrored. The only list of them. */
import type { Catalogue } from './layers/catalogue.ts';
import { AREA_LAYERS, LINE_LAYERS, UNMOVED } from './layers/catalogue.ts';
import { REGISTER_IDS } from './layers/keys.ts';
import type { RegisterId } from './layers/keys.ts';
import type { TableRegister } from './layers/register.ts';
import type { Register } from './mirror/register.ts';
import { companies } from './registers/companies/register.ts';

export const REGISTERS: readonly Register[] = [companies];

/** The definitions of everything mirrored, with the registers' own sources. */
export const REGISTERS_CATALOGUE: Catalogue = {
  lines: LINE_LAYERS,
  areas: AREA_LAYERS,
  registers: inOrder([...Object.values(UNMOVED), ...REGISTERS.flatMap(({ mirrors }) => mirrors)]),
};

function inOrder(mirrors: readonly TableRegister[]): Catalogue['registers'] {
  const found = REGISTER_IDS.map((id) => {
    const mirror = mirrors.find((each) => each.id === id);
    if (mirror === undefined) throw new Error(`No register mirrors ${id}.`);
    return [id, mirror] as const;
  });
  return Object.fromEntries(found) as Record<RegisterId, TableRegister>;
}
