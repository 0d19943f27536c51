/** It stands after `#`, which no browser sends: the service's logs hold no places. */
import { UUID } from '../../kernel/uuids.ts';
import { degreesOf, parseCoordinates } from './coordinates.ts';
import type { Place } from './coordinates.ts';

const IDS = {
  adresse: UUID,
  sted: UUID,
  ejendom: /^[1-9]\d{0,8}$/,
  virksomhed: /^\d{8}$/,
  jordstykke: /^\d{1,8}-[0-9a-zæøå ]{1,12}$/i,
} as const;

export type NamedKind = keyof typeof IDS;
const KINDS = Object.keys(IDS) as NamedKind[];

export interface Named {
  readonly kind: NamedKind;
  readonly id: string;
}

export interface Asked {
  /** null: none asked, or what is named has none. */
  readonly place: Place | null;
  readonly named: Named | null;
}

const MOST_CHARS = 600;

/** After `#`, unless it is too long. */
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
    named: kind ? { kind, id: said.get(kind) ?? '' } : null,
  };
}

/** As parts of the text after `#`. */
export function partsOf({ place, named }: Asked): readonly string[] {
  return [
    ...(place === null
      ? []
      : place.srid === 4326
        ? [`lon=${place.lon}`, `lat=${place.lat}`]
        : [`x=${place.x}`, `y=${place.y}`]),
    ...(named === null ? [] : [`${named.kind}=${encodeURIComponent(named.id)}`]),
  ];
}

/** What a link says of itself proves nothing. */
export function isSamePlace(one: Place | null, other: Place | null): boolean {
  if (one === null || other === null) return one === other;
  const [here, there] = [degreesOf(one), degreesOf(other)];
  return here.lon === there.lon && here.lat === there.lat;
}
