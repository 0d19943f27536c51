import { LIMITS } from '../../kernel/limits.ts';
import type {
  CleanseCandidate,
  CleanseField,
  Cleansed,
} from '../../registers/addresses/addresses.ts';
import { members } from '../wire/row-members.ts';
import type { Place, Values } from '../wire/row-members.ts';
import { ACCESS, UNIT } from './address-members.ts';
import { badParameter } from './failure.ts';
import type { AddRoute, DoorLookups } from './routes.ts';

const FIELDS = {
  ...{ road: 'vejnavn', houseNumber: 'husnr', floor: 'etage', door: 'dør' },
  ...{ supplementaryTown: 'supplerendebynavn', postcode: 'postnr', postcodeName: 'postnrnavn' },
} as const satisfies Record<CleanseField, string>;

const NAMES = Object.entries(FIELDS) as [CleanseField, string][];

type Kind = CleanseCandidate['kind'];

function namesOf(kind: Kind, values: Readonly<Record<CleanseField, unknown>>) {
  const ofHouse = NAMES.filter(
    ([field]) => kind === 'unit' || (field !== 'floor' && field !== 'door'),
  );
  return Object.fromEntries(ofHouse.map(([field, name]) => [name, values[field]]));
}

const TOLD = `vejnavn adresseringsvejnavn husnr supplerendebynavn postnr postnrnavn status
  virkningstart virkningslut`;
const PRESENT = {
  unit: members(UNIT, `id ${TOLD} adgangsadresseid etage dør href`),
  access: members(ACCESS, `id ${TOLD} href`),
};

function foundOf(present: Values, { former }: CleanseCandidate, kind: Kind): Values {
  if (former === null) return present;
  const { roadName: vejnavn, houseNumber: husnr, postcode: postnr } = former;
  return {
    ...{ ...present, vejnavn, adresseringsvejnavn: vejnavn, husnr, postnr },
    postnrnavn: postnr === present['postnr'] ? present['postnrnavn'] : null,
    supplerendebynavn: former.supplementaryTown,
    ...{ virkningstart: former.validFrom, virkningslut: former.validTo },
    ...(kind === 'unit' && former.kind === 'unit' && { etage: former.floor, dør: former.door }),
  };
}

function resultOf(candidate: CleanseCandidate, kind: Kind, place: Place) {
  const { address, differences, read, unknownWords } = candidate;
  const present = PRESENT[kind]({ address }, place);
  const found = foundOf(present, candidate, kind);
  const names = Object.keys(namesOf(kind, read));
  const variant = Object.fromEntries(names.map((name) => [name, found[name] ?? null]));
  return {
    adresse: found,
    aktueladresse: present,
    vaskeresultat: {
      variant,
      afstand: NAMES.reduce((sum, [field]) => sum + differences[field], 0),
      forskelle: namesOf(kind, differences),
      parsetadresse: namesOf(kind, read),
      ukendtetokens: unknownWords,
      anvendtstormodtagerpostnummer: null,
    },
  };
}

export function datavaskDoor(add: AddRoute, { addresses }: DoorLookups): void {
  const kinds = [
    ['unit', '/datavask/adresser'],
    ['access', '/datavask/adgangsadresser'],
  ] as const;
  for (const [kind, path] of kinds) {
    add(path, {
      ...{ operation: 'datavask', area: 'adresser' },
      read: ({ params }) => {
        const text = params.text('betegnelse', LIMITS.addressTextChars.max);
        if (text === null) throw badParameter('betegnelse', 'missing');
        return text;
      },
      answer: (text, around) => {
        const place = { ...around, names: new Map() };
        const { value, ...facts } = addresses.cleansing.cleanse({ text }, kind);
        const nestet = ({ category, candidates }: Cleansed) => ({
          // DAWA gave an unmatched text category C without results.
          kategori: category ?? 'C',
          resultater: candidates.map((each) => resultOf(each, kind, place)),
        });
        const units = value.candidates.length > 0 ? 1 : 0;
        return { kind: 'one', rows: [value], facts, shape: { nestet }, units };
      },
    });
  }
}
