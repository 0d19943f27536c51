/**
 * A property from the cadastre alone (D90). It has no key of BBR, because a 0 there would be a
 * false "no building".
 */
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import { multiPolygonText } from '../../geo/rings-text.ts';
import { ringsOfWkb } from '../../geo/wkb.ts';
import type { ParcelRow } from './parcels.ts';
import { byDistrict, mainParcel, parcelShown } from './parcels.ts';
import type { PlacedMunicipality } from '../areas/municipalities.ts';

interface PlacedParcel extends ParcelRow {
  /** MultiPolygon, EPSG:25832; null: none. */
  readonly wkb: Uint8Array | null;
}

export interface CadastreProperty {
  readonly bfe: number;
  readonly municipalityCode: string | null;
  readonly municipality: PlacedMunicipality;
  readonly parcels: readonly PlacedParcel[];
  readonly source: string;
}

export function cadastreText(property: CadastreProperty): string {
  const { bfe, municipalityCode, municipality, parcels, source } = property;
  const sorted = [...parcels].sort(byDistrict);
  const texts = new Map(sorted.map((parcel) => [parcel.id, parcelText(parcel)]));
  const main = mainParcel(sorted, null);
  const head = JSON.stringify({
    type: 'ejendom',
    bfe_nummer: bfe,
    kommunekode: municipalityCode,
    dagi: municipality,
  });
  const meta = JSON.stringify({ kilde: source, service_version: SERVICE_VERSION });
  const mainText = (main === null ? undefined : texts.get(main.id)) ?? parcelText(null);
  return (
    `${head.slice(0, -1)},"jordstykke":${mainText},"jordstykker":[${[...texts.values()].join(',')}]` +
    `,"meta":${meta}}`
  );
}

function parcelText(parcel: PlacedParcel | null): string {
  const members = JSON.stringify(parcelShown(parcel)).slice(0, -1);
  const wkb = parcel?.wkb ?? null;
  const geometry = wkb === null ? 'null' : multiPolygonText(ringsOfWkb(wkb));
  return `${members},"geometri":${geometry}}`;
}
