/**
 * A place in the page's address. It stands behind `#`, which no browser sends, so the service's logs hold
 * no places.
 */
import { degreesOf, parseCoordinates } from './coordinates.ts';
import type { Place } from './coordinates.ts';

/** An address as the service answers it; flats have properties of their own. */
export interface Address {
  readonly id: string;
  readonly betegnelse: string;
  readonly bfe_nummer: number | null;
  readonly koordinat: { readonly lon: number; readonly lat: number } | null;
}

/** Of a DAR address, and of a place of Danske Stednavne. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What can be named, and the ids of each. */
const IDS = {
  adresse: UUID,
  sted: UUID,
  ejendom: /^[1-9]\d{0,8}$/,
  virksomhed: /^\d{8}$/,
} as const;

export type NamedKind = keyof typeof IDS;
const KINDS = Object.keys(IDS) as NamedKind[];

/** What was searched for, by its register's id. */
export interface Named {
  readonly kind: NamedKind;
  readonly id: string;
}

/** What a page was asked about. */
export interface Asked {
  /** null: nothing has been asked, or what is named has no point. */
  readonly place: Place | null;
  /** null: the place was named in another way. */
  readonly named: Named | null;
}

/** No address of ours is longer. */
const MOST_CHARS = 600;

/** What stands behind `#`; nothing where it is longer than a page of ours ever wrote. */
export function saidIn(hash: string): URLSearchParams {
  const text = hash.replace(/^#/, '');
  return new URLSearchParams(text.length > MOST_CHARS ? '' : text);
}

/** What cannot be read is left out: a link is never an error. */
export function askedIn(said: URLSearchParams): Asked {
  const [first, second] = said.has('lon') ? (['lon', 'lat'] as const) : (['x', 'y'] as const);
  const parsed = parseCoordinates(`${said.get(first) ?? ''} ${said.get(second) ?? ''}`);
  const kind = KINDS.find((each) => IDS[each].test(said.get(each) ?? ''));
  return {
    place: parsed.kind === 'place' ? parsed.place : null,
    named: kind === undefined ? null : { kind, id: said.get(kind) ?? '' },
  };
}

/** The same as parts of the text behind `#`. */
export function partsOf({ place, named }: Asked): readonly string[] {
  return [
    ...(place === null
      ? []
      : place.srid === 4326
        ? [`lon=${place.lon}`, `lat=${place.lat}`]
        : [`x=${place.x}`, `y=${place.y}`]),
    ...(named === null ? [] : [`${named.kind}=${named.id}`]),
  ];
}

/** Whether two places are one: what a link says of itself proves nothing. */
export function isSamePlace(one: Place | null, other: Place | null): boolean {
  if (one === null || other === null) return one === other;
  const [here, there] = [degreesOf(one), degreesOf(other)];
  return here.lon === there.lon && here.lat === there.lat;
}
