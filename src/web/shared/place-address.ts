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

/** What a page was asked about. */
export interface Asked {
  /** null: nothing has been asked. */
  readonly place: Place | null;
  /** Id of the address that was searched for; null: the place was named in another way. */
  readonly address: string | null;
}

/** No address of ours is longer. */
const MOST_CHARS = 600;
/** Of an address in DAR. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What stands behind `#`; nothing where it is longer than a page of ours ever wrote. */
export function saidIn(hash: string): URLSearchParams {
  const text = hash.replace(/^#/, '');
  return new URLSearchParams(text.length > MOST_CHARS ? '' : text);
}

/** What cannot be read is left out: a link is never an error. */
export function askedIn(said: URLSearchParams): Asked {
  const [first, second] = said.has('lon') ? (['lon', 'lat'] as const) : (['x', 'y'] as const);
  const parsed = parseCoordinates(`${said.get(first) ?? ''} ${said.get(second) ?? ''}`);
  return {
    place: parsed.kind === 'place' ? parsed.place : null,
    address: ID.exec(said.get('adresse') ?? '')?.[0] ?? null,
  };
}

/** The same as parts of the text behind `#`. */
export function partsOf({ place, address }: Asked): readonly string[] {
  if (place === null) return [];
  const parts =
    place.srid === 4326
      ? [`lon=${place.lon}`, `lat=${place.lat}`]
      : [`x=${place.x}`, `y=${place.y}`];
  return address === null ? parts : [...parts, `adresse=${address}`];
}

/** Whether an address lies where a link says: what a link says itself proves nothing. */
export function isAt(address: Address, place: Place): boolean {
  const [here, there] = [degreesOf(place), address.koordinat];
  return here.lon === there?.lon && here.lat === there.lat;
}
