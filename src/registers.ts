/** Every register. The only list of them; a register stands after those that it joins. */
import { UNMOVED, catalogueOf } from './layers/catalogue.ts';
import type { Catalogue } from './layers/catalogue.ts';
import type { Register } from './mirror/register.ts';
import { areas } from './registers/areas/register.ts';
import { companies } from './registers/companies/register.ts';
import { lines } from './registers/lines/register.ts';

export const REGISTERS: readonly Register[] = [lines, areas, companies];

/** The definitions of everything mirrored, with the registers' own sources. */
export const REGISTERS_CATALOGUE: Catalogue = catalogueOf([
  ...Object.values(UNMOVED),
  ...REGISTERS.flatMap(({ mirrors }) => mirrors),
]);

/** What the sample holds of the registers, in the order in which it is drawn. */
export const SAMPLES = REGISTERS.flatMap(({ sample }) => sample ?? []);
