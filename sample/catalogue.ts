/** The catalogue with every source pointed at a sample upstream, and guards of the sample's size. */
import type { Catalogue, LayerOverride } from '../src/layers/catalogue.ts';
import { allLayers, overrideCatalogue, REGISTERS_CATALOGUE } from '../src/layers/catalogue.ts';
import { ADDRESS_TABLES } from '../src/layers/address-tables.ts';
import type { AddressEntity } from '../src/layers/address-tables.ts';
import { overrideRegister } from '../src/layers/register.ts';
import type { TableOverride, TableRegister } from '../src/layers/register.ts';
import type { LayerId } from '../src/layers/keys.ts';
import type { FileSource } from '../src/layers/source.ts';
import { FETCH_PATH, LIST_PATH } from './files/answer.ts';
import { FILE_FORMATS, MIN_ROWS } from './data/schemas.ts';
import { HOSTS } from './hosts.ts';

/** What the sample's closed hosts take for a key: anything that is not empty. Not a secret. */
export const SAMPLE_API_KEY = 'sample';

/** Small, so that every layer but the smallest takes several pages. */
const PAGE_SIZE = 50;
/** Between the sample's stubs and its smallest table. */
const MIN_FILE_BYTES = 1_000;
const AREA_PAGE_SIZE = 5;

/**
 * `baseUrl`: address of a sample upstream without a path, `startSampleUpstream().url`. `files`:
 * whether some areas come as file downloads, as in the service; otherwise all is WFS.
 */
export function sampleCatalogue(baseUrl: string, { files = false } = {}): Catalogue {
  const base = baseUrl.replace(/\/+$/, '');
  const overrides = Object.fromEntries(
    allLayers(REGISTERS_CATALOGUE).map((layer): [LayerId, LayerOverride] => {
      const host = HOSTS.find((candidate) => candidate.id === layer.source.host);
      return [
        layer.id,
        {
          source: {
            url: `${base}${host?.path ?? ''}`,
            pageSize: layer.register === 'dagi' ? AREA_PAGE_SIZE : PAGE_SIZE,
            pageTimeoutMs: 20_000,
          },
          files: files ? filesOf(layer.id, base) : null,
          // None of the registers' places lies on the island.
          guards: { minRows: MIN_ROWS[layer.id], knownPlaces: [] },
        },
      ];
    }),
  ) as Record<LayerId, LayerOverride>;
  const catalogue = overrideCatalogue(REGISTERS_CATALOGUE, overrides);
  const registers = { adresser: addressesAt(catalogue.registers.adresser, base) };
  return { ...catalogue, registers };
}

/** Least rows of the tables, and the share of a zip file that no stub has. */
const MIN_ADDRESS_ROWS: Readonly<Record<AddressEntity, number>> = {
  Postnummer: 6,
  SupplerendeBynavn: 3,
  NavngivenVej: 60,
  NavngivenVejKommunedel: 60,
  Adressepunkt: 1_000,
  Husnummer: 1_000,
  Adresse: 1_500,
  Jordstykke: 500,
  Ejendomsbeliggenhed: 600,
};
const MIN_TABLE_BYTES = 300;

/** The tables in both formats, as the register has them. */
function addressesAt(register: TableRegister, base: string): TableRegister {
  const tables = ADDRESS_TABLES.map(({ entity }): [AddressEntity, TableOverride] => [
    entity,
    { guards: { minRows: MIN_ADDRESS_ROWS[entity] } },
  ]);
  return overrideRegister(register, {
    files: {
      listUrl: `${base}${LIST_PATH}`,
      fetchUrl: `${base}${FETCH_PATH}`,
      format: 'csv',
      minBytes: MIN_TABLE_BYTES,
      listTimeoutMs: 20_000,
      fetchTimeoutMs: 20_000,
    },
    tables: {
      ...Object.fromEntries(tables),
      Adresse: { source: { format: 'json' }, guards: { minRows: MIN_ADDRESS_ROWS.Adresse } },
    },
  });
}

function filesOf(id: LayerId, base: string): Partial<FileSource> | null {
  const format = FILE_FORMATS[id];
  if (format === undefined) return null;
  return {
    listUrl: `${base}${LIST_PATH}`,
    fetchUrl: `${base}${FETCH_PATH}`,
    format,
    minBytes: MIN_FILE_BYTES,
    listTimeoutMs: 20_000,
    fetchTimeoutMs: 20_000,
  };
}
