/** The only list of registers; each comes after those that it joins. */
import { catalogueOf } from './layers/catalogue.ts';
import type { Catalogue } from './layers/catalogue.ts';
import type { Register } from './core/register.ts';
import { readSourcesFile } from './layers/sources-file.ts';
import type { SourcesFile } from './layers/sources-file.ts';
import { addresses } from './registers/addresses/register.ts';
import { areas } from './registers/areas/register.ts';
import { assessments } from './registers/assessments/register.ts';
import { cadastre } from './registers/cadastre/register.ts';
import { companies } from './registers/companies/register.ts';
import { conditions } from './registers/conditions/register.ts';
import { lines } from './registers/lines/register.ts';
import { places } from './registers/places/register.ts';
import { property } from './registers/property/register.ts';
import { terrain } from './registers/terrain/register.ts';

export const REGISTERS: readonly Register[] = [
  ...[lines, areas, addresses, cadastre, assessments],
  ...[property, terrain, companies, places, conditions],
];

export const REGISTERS_CATALOGUE: Catalogue = catalogueOf(
  REGISTERS.flatMap(({ mirrors }) => mirrors),
);

export const LAYERS = REGISTERS.flatMap(({ layers }) => layers ?? []);

/** Reads SOURCES_FILE; null: none. Throws with a sentence that names layer, field and limit. */
export function sourcesOf(file: string | null): SourcesFile {
  const live = REGISTERS.flatMap(({ liveSettings }) => liveSettings ?? []);
  return readSourcesFile(file, REGISTERS_CATALOGUE, live);
}
