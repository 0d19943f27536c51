import { jsonText } from '../../answers/json-writer.ts';
import { accessOf } from './addresses.ts';
import type { CleanseCandidate, CleanseField } from './addresses.ts';
import { addressMembers, hitOf, successorsMember } from './answer.ts';

const FIELDS = {
  road: 'vejnavn',
  houseNumber: 'husnr',
  floor: 'etage',
  door: 'doer',
  supplementaryTown: 'supplerende_bynavn',
  postcode: 'postnr',
  postcodeName: 'postnrnavn',
} as const satisfies Record<CleanseField, string>;

const NAMES = Object.entries(FIELDS) as [CleanseField, string][];

export function candidateText(candidate: CleanseCandidate): string {
  const { address, differences, read, unknownWords, successors } = candidate;
  const present = addressMembers(hitOf(address)) + successorsMember(successors);
  const distance = NAMES.reduce((sum, [field]) => sum + differences[field], 0);
  const edits = NAMES.map(([field, name]) => `"${name}":${differences[field]}`).join(',');
  return (
    `{"adresse":{${foundMembers(candidate)}},"aktueladresse":{${present}}` +
    `,"vaskeresultat":{"afstand":${distance},"forskelle":{${edits}}` +
    `,"parsetadresse":{${textMembers(read)}},"ukendtetokens":${JSON.stringify(unknownWords)}}}`
  );
}

function textMembers(texts: Readonly<Record<CleanseField, string | null>>): string {
  return NAMES.map(([field, name]) => `"${name}":${jsonText(texts[field])}`).join(',');
}

const KINDS = { access: 'adgangsadresse', unit: 'adresse' } as const;

function foundMembers(candidate: CleanseCandidate): string {
  const { kind, address, former } = candidate;
  const present = presentNames(candidate);
  const names = former === null ? present : formerNames(former, present);
  return (
    `"type":"${KINDS[kind]}","id":${jsonText(address.id)},${textMembers(names)}` +
    `,"virkningstart":${jsonText(former?.validFrom ?? null)}` +
    `,"virkningslut":${jsonText(former?.validTo ?? null)}`
  );
}

type Names = Record<CleanseField, string | null>;

function presentNames({ address }: CleanseCandidate): Names {
  const hit = hitOf(address);
  const access = accessOf(hit.address);
  return {
    road: access.road.name,
    houseNumber: access.houseNumber,
    floor: hit.kind === 'unit' ? hit.address.floor : null,
    door: hit.kind === 'unit' ? hit.address.door : null,
    supplementaryTown: access.supplementaryTown,
    postcode: access.postcode?.code ?? null,
    postcodeName: access.postcode?.name ?? null,
  };
}

/** The former floor and door also belong to the unit, so its present ones are shown. */
function formerNames(former: NonNullable<CleanseCandidate['former']>, present: Names): Names {
  const { roadName, houseNumber, supplementaryTown, postcode } = former;
  const { floor, door } = former.kind === 'access' ? present : former;
  // Former towns are not kept; towns are renamed less often than roads.
  const postcodeName = postcode === present.postcode ? present.postcodeName : null;
  return { road: roadName, houseNumber, floor, door, supplementaryTown, postcode, postcodeName };
}
