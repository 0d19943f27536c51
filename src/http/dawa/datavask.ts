/** `/datavask`. */
import { LIMITS } from '../../kernel/limits.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type {
  CleanseCandidate,
  CleanseField,
  Cleansed,
} from '../../registers/addresses/addresses.ts';
import { statusOf } from './codes.ts';
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

function presentOf(base: string, { address }: CleanseCandidate, kind: Kind) {
  const access = accessOf(address);
  const { road, houseNumber, postcode, supplementaryTown } = access;
  const unit = 'access' in address ? address : null;
  const path = kind === 'unit' ? 'adresser' : 'adgangsadresser';
  return {
    id: address.id,
    ...{ vejnavn: road.name, adresseringsvejnavn: road.shortName ?? road.name },
    ...{ husnr: houseNumber, supplerendebynavn: supplementaryTown },
    ...{ postnr: postcode?.code ?? null, postnrnavn: postcode?.name ?? null },
    ...{ status: statusOf(address.status), virkningstart: null, virkningslut: null },
    ...(kind === 'unit' && {
      ...{ adgangsadresseid: access.id, etage: unit?.floor ?? null, dør: unit?.door ?? null },
    }),
    href: `${base}/${path}/${address.id}`,
  };
}

function foundOf(base: string, candidate: CleanseCandidate, kind: Kind) {
  const present = presentOf(base, candidate, kind);
  const { former } = candidate;
  if (former === null) return present;
  const { roadName: vejnavn, houseNumber: husnr, postcode: postnr } = former;
  return {
    ...{ ...present, vejnavn, adresseringsvejnavn: vejnavn, husnr, postnr },
    postnrnavn: postnr === present.postnr ? present.postnrnavn : null,
    supplerendebynavn: former.supplementaryTown,
    ...{ virkningstart: former.validFrom, virkningslut: former.validTo },
    ...(kind === 'unit' && former.kind === 'unit' && { etage: former.floor, dør: former.door }),
  };
}

function resultOf(base: string, candidate: CleanseCandidate, kind: Kind) {
  const { differences, read, unknownWords } = candidate;
  const found = foundOf(base, candidate, kind);
  const variant = Object.fromEntries(
    Object.keys(namesOf(kind, read)).map((name) => [
      name,
      found[name as keyof typeof found] ?? null,
    ]),
  );
  return {
    adresse: found,
    aktueladresse: presentOf(base, candidate, kind),
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
      answer: (text, { base }) => {
        const { value, ...facts } = addresses.cleansing.cleanse({ text }, kind);
        const nestet = ({ category, candidates }: Cleansed) => ({
          // What nothing resembles was a guess without results there.
          kategori: category ?? 'C',
          resultater: candidates.map((each) => resultOf(base, each, kind)),
        });
        const units = value.candidates.length > 0 ? 1 : 0;
        return { kind: 'one', rows: [value], facts, shape: { nestet }, units };
      },
    });
  }
}
