import { JsonWriter, constant, jsonText } from '../../answers/json-writer.ts';
import type { WithTail } from '../../answers/register-meta.ts';
import { toWgs84 } from '../../geo/project.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { accessOf } from './addresses.ts';
import type { AccessAddress, AddressStatus, Nearest, SearchHit, Suggestion } from './addresses.ts';
import type { AreaNames } from '../../answers/answer.ts';
import { roundedDegrees, roundedText } from '../../answers/numbers.ts';

const STATUS_TEXTS: Readonly<Record<AddressStatus, string>> = {
  2: 'Foreløbig',
  3: 'Gældende',
  4: 'Nedlagt',
  5: 'Henlagt',
};

const LAT = constant(',"lat":');
const DISTANCE = constant('},"afstand_m":');
const NO_PLACE = constant('null,"afstand_m":');

/** `adresse` with a leading comma. The route writes the point. */
export function writeNearest(out: JsonWriter, { address, distanceM }: Nearest): void {
  const { id, road, houseNumber, postcode, designation, position, bfe } = address;
  out.text(
    `,"adresse":{"betegnelse":${jsonText(designation)},"adgangsadresse_id":"${id}"` +
      `,"bfe_nummer":${bfe ?? 'null'},"vejnavn":${jsonText(road.name)}` +
      `,"husnr":${jsonText(houseNumber)},"postnr":${jsonText(postcode?.code ?? null)}` +
      `,"postnrnavn":${jsonText(postcode?.name ?? null)}` +
      `,"kommunekode":${jsonText(road.municipalityCode)},"koordinat":`,
  );
  if (position === null) {
    out.bytes(NO_PLACE);
  } else {
    const { lon, lat } = toWgs84(position);
    out.ascii('{"lon":').degrees(lon).bytes(LAT).degrees(lat).bytes(DISTANCE);
  }
  out.rounded(distanceM, 1).ascii('}');
}

export function addressMembers(hit: SearchHit): string {
  const { address } = hit;
  const access = accessOf(hit.address);
  const { floor, door } = hit.kind === 'unit' ? hit.address : { floor: null, door: null };
  const { road, postcode } = access;
  const { status, bfe } = address;
  return (
    `"type":"${hit.kind === 'unit' ? 'adresse' : 'adgangsadresse'}","id":${jsonText(address.id)}` +
    `,"status":{"kode":"${status}","tekst":"${STATUS_TEXTS[status]}"}` +
    `,"betegnelse":${jsonText(address.designation)}` +
    `,"adgangsadresse_id":${jsonText(access.id)},"vejnavn":${jsonText(road.name)}` +
    `,"vejkode":${jsonText(road.roadCode)},"husnr":${jsonText(access.houseNumber)}` +
    `,"etage":${jsonText(floor)},"doer":${jsonText(door)}` +
    `,"supplerende_bynavn":${jsonText(access.supplementaryTown)}` +
    `,"postnr":${jsonText(postcode?.code ?? null)}` +
    `,"postnrnavn":${jsonText(postcode?.name ?? null)}` +
    `,"kommunekode":${jsonText(road.municipalityCode)},"bfe_nummer":${bfe ?? 'null'}` +
    placeMembers(access.position)
  );
}

/** `efterfoelgere` with a leading comma; empty for an address in use (D137). */
export function successorsMember(successors: readonly SearchHit[] | undefined): string {
  if (successors === undefined) return '';
  const shown = successors.map((hit) => `{${addressMembers(hit)}}`);
  return `,"efterfoelgere":[${shown.join(',')}]`;
}

function placeMembers(position: AccessAddress['position']): string {
  if (position === null) return ',"koordinat":null,"epsg25832":null';
  return (
    `,"koordinat":${JSON.stringify(roundedDegrees(toWgs84(position)))}` +
    `,"epsg25832":${metresText(position)}`
  );
}

function metresText({ xUtm32, yUtm32 }: PointUtm32): string {
  return `[${roundedText(xUtm32, 2)},${roundedText(yUtm32, 2)}]`;
}

/** `omraader` with a leading comma; empty without a point. */
export function areasMember(areas: AreaNames | null | undefined): string {
  if (areas === undefined) return '';
  const shown = areas?.map(({ theme, name, code }) => ({ tema: theme, navn: name, kode: code }));
  return `,"omraader":${JSON.stringify(shown ?? null)}`;
}

const SUGGESTED = { road: 'vejnavn', access: 'adgangsadresse', unit: 'adresse' } as const;

export function suggestionText(suggestion: Suggestion): string {
  const { kind, label, text, caret, road, address } = suggestion;
  const data =
    kind === 'road' || address === null
      ? `"id":${jsonText(road.roadId)},"vejnavn":${jsonText(road.name)}`
      : addressMembers(hitOf(address));
  return (
    `{"type":"${SUGGESTED[kind]}","tekst":${jsonText(text)},"forslagstekst":${jsonText(label)}` +
    `,"caretpos":${caret},"data":{${data}}}`
  );
}

export function hitOf(address: SearchHit['address']): SearchHit {
  return 'access' in address ? { kind: 'unit', address } : { kind: 'access', address };
}

const out = new JsonWriter();

export function listText(head: string, texts: readonly string[], { tail }: WithTail): Buffer {
  out.begin().text(head);
  for (const [i, each] of texts.entries()) out.text(i > 0 ? `,${each}` : each);
  out.text(`]${tail}`);
  return out.take();
}
