import { boundsOfXy } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { ringsCover } from '../../geo/covers.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { RingSink, joined, readWkb } from '../../geo/wkb.ts';
import type { Drawn } from '../../geo/drawn.ts';
import { compareNaturally } from '../../kernel/compare.ts';
import { upstreamUnavailable } from '../../kernel/failures.ts';
import { parcelNumberOf } from '../../layers/parcel-text.ts';

export interface ParcelRow {
  readonly id: number;
  /** `7a`, `12bø`. */
  readonly number: string | null;
  readonly districtCode: number | null;
  readonly districtName: string | null;
  /** Square metres. */
  readonly area: number | null;
  readonly municipalityCode: string | null;
}

/** Unknown members are null (D89). */
export function parcelShown(parcel: Omit<ParcelRow, 'id'> | null) {
  return {
    matrikelnummer: parcel?.number ?? null,
    ejerlav_kode: parcel?.districtCode ?? null,
    ejerlav_navn: parcel?.districtName ?? null,
  };
}

/** D52: by district code, then number in natural order; unknown ones last. */
export function byDistrict(a: ParcelRow | null, b: ParcelRow | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (
    compareNumbers(a.districtCode, b.districtCode) ||
    compareNaturally(a.number ?? '', b.number ?? '') ||
    a.id - b.id
  );
}

/** D52: the main building's parcel if the cadastre has it, else the largest, else the first. */
export function mainParcel(
  sorted: readonly (ParcelRow | null)[],
  ofMainBuilding: ParcelRow | null,
): ParcelRow | null {
  if (ofMainBuilding !== null) return ofMainBuilding;
  let best: ParcelRow | null = null;
  for (const parcel of sorted) {
    if (parcel !== null && (best === null || (parcel.area ?? -1) > (best.area ?? -1))) {
      best = parcel;
    }
  }
  return best;
}

function compareNumbers(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

export interface Parcel extends Omit<ParcelRow, 'id'> {
  readonly bfe: number | null;
  readonly rings: RingSink | null;
}

export interface StoredParcel extends Omit<Parcel, 'rings'> {
  /** The union of its faces in EPSG:25832; null: none. */
  readonly wkb: Uint8Array | null;
}

export function parcelOf({ wkb, ...parcel }: StoredParcel): Parcel {
  const rings = new RingSink();
  if (wkb !== null) readWkb(wkb, rings);
  return { ...parcel, rings: rings.xy.length === 0 ? null : rings };
}

/** Throws upstream_unavailable where a parcel has no place (D247). */
export function surfaceOf(parcels: readonly Pick<Parcel, 'rings'>[]): Omit<Drawn, 'meets'> {
  const all = parcels.map(({ rings }) => {
    if (rings === null) throw unplaced();
    return rings;
  });
  const rings = joined(all);
  return { box: boundsOfXy(rings.xy.view()), covers: (point) => ringsCover(rings, point) };
}

const unplaced = () =>
  upstreamUnavailable(
    'The cadastre has no surface of this parcel here.',
    'Matriklen har her ingen flade for jordstykket.',
  );

export function covers(point: PointUtm32): (parcel: Parcel) => boolean {
  return ({ rings }) => rings !== null && ringsCover(rings, point);
}

export interface ParcelExtent {
  readonly box: Bounds;
  readonly meets: (rings: RingSink) => boolean;
}

export interface ParcelPage {
  readonly districtCode?: number;
  readonly municipalityCodes?: readonly string[];
  readonly within?: ParcelExtent;
  readonly skip: number;
  readonly take: number;
}

/** Of an unreadable parcel (D143); without a number: all of the district. */
export function parcelName(districtCode: string, number = ''): string {
  return `${districtCode} ${number}`;
}

export interface CalledParcel {
  readonly districtCode: number;
  /** Empty: any of the district. */
  readonly number: string;
}

export function calledBy(name: string): CalledParcel {
  const at = name.indexOf(' ');
  return { districtCode: Number(name.slice(0, at)), number: name.slice(at + 1) };
}

/** 12 of `12bø`. */
export function leadingOf(number: string): number {
  return Math.min(Number(/^\d+/.exec(number)?.[0] ?? 0), 0xffff_ffff);
}

export function compareParcelNumbers(a: string, b: string): number {
  return leadingOf(a) - leadingOf(b) || compareNaturally(a, b);
}

/** D44; without a district first. */
export function inOrder(parcels: readonly Parcel[]): readonly Parcel[] {
  return parcels.toSorted(
    (a, b) =>
      (a.districtCode ?? 0) - (b.districtCode ?? 0) ||
      compareParcelNumbers(a.number ?? '', b.number ?? ''),
  );
}

/** Also with Danish letters spelt out: `12boe` may be `12bø`. */
export function spellingsOf(number: string): readonly string[] {
  const given = parcelNumberOf(number) ?? number.trim();
  const danish = given.replace('ae', 'æ').replace('oe', 'ø').replace('aa', 'å');
  return [...new Set([given, given.toUpperCase(), danish, danish.toUpperCase()])];
}

/** Of exactly that number, else all. */
export function ofNumber<T extends Pick<ParcelRow, 'number'>>(
  parcels: readonly T[],
  asked: string,
): readonly T[] {
  const number = parcelNumberOf(asked);
  const exact = parcels.filter((each) => each.number?.toLowerCase() === number);
  return exact.length > 0 ? exact : parcels;
}
