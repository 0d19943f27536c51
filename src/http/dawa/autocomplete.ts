import { unitsOfFound } from '../../core/question/answers.ts';
import { composeAccess, composeFloorDoor, composePlace } from '../../layers/address-text.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { NO_FILTER, accessOf } from '../../registers/addresses/addresses.ts';
import type { AccessAddress, UnitAddress } from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { ALL_HOUSES, USUAL_STATUSES, ofPlace } from '../../registers/addresses/narrowed.ts';
import { dataOf } from './address-shape.ts';
import { badParameter } from './failure.ts';
import { DAWA_LIMITS } from './limits.ts';
import { withinOf } from './places-asked.ts';
import type { AddRoute, Asked, Around, DoorLookups } from './routes.ts';

const TYPES = ['vejnavn', 'adgangsadresse', 'adresse'] as const;
type Question = ReturnType<typeof readQuestion>;

function readQuestion({ params, format }: Asked) {
  const text = params.search(LIMITS.addressTextChars.max) ?? '';
  const type = params.oneOf('type', TYPES) ?? 'adresse';
  const limit = params.whole('per_side') ?? DAWA_LIMITS.suggestions;
  if (limit > DAWA_LIMITS.rows) throw badParameter('per_side', `more than ${DAWA_LIMITS.rows}`);
  return {
    text,
    caret: Math.min(params.whole('caretpos', 0) ?? text.length, text.length),
    type,
    from: params.oneOf('startfra', TYPES) ?? 'vejnavn',
    id: params.uuid('id'),
    accessId: params.uuid('adgangsadresseid'),
    isMultiline: params.text('multilinje') === 'true',
    limit,
    within: withinOf(params, format),
    status: params.flag('gældende') ? (3 as const) : null,
    municipalityCodes: params.codes('kommunekode'),
    postcodes: params.codes('postnr'),
  };
}

interface Item {
  readonly address: AccessAddress | UnitAddress | null;
  readonly road: string;
  readonly text: string;
  readonly caret: number;
  readonly label: string;
}

const DEPTHS = { vejnavn: 'road', adgangsadresse: 'access', adresse: 'unit' } as const;

async function itemsOf(
  { addresses }: DoorLookups,
  question: Question,
  { deadline }: Around,
): Promise<AddressAnswer<readonly Item[]>> {
  const { id, accessId, type, from, text, limit } = question;
  const { search, listing } = addresses;
  if (id !== null) {
    const { value, ...facts } = await search.find(id, deadline);
    return { ...facts, value: [itemOf(value.hit.address, question)] };
  }
  if (accessId !== null && type === 'adresse') {
    const { value, ...facts } = listing.units(accessId);
    return { ...facts, value: value.slice(0, limit).map((unit) => itemOf(unit, question)) };
  }
  if (text.trim() === '') return { generation: 0, provenance: [], value: [] };
  const skipped = TYPES.indexOf(from);
  const asked = {
    ...NO_FILTER,
    ...question,
    depth: DEPTHS[type],
    limit: skipped === 0 ? limit : DAWA_LIMITS.rows,
  };
  const { value, ...facts } = search.suggest(asked);
  const items = value.flatMap(({ address, road, text: own, caret, label }) => {
    if (address !== null) return [itemOf(address, question)];
    return skipped > 0 ? [] : [{ address, road: road.name, text: own, caret, label }];
  });
  if (items.length > 0 || type === 'vejnavn') return { ...facts, value: items.slice(0, limit) };
  const { municipalityCodes, postcodes, within, status } = question;
  const statuses = status === null ? USUAL_STATUSES : [status];
  const all = { ...ALL_HOUSES, municipalityCodes, postcodes, within, statuses, take: limit };
  const houses = ofPlace(addresses, text, all)?.value ?? [];
  return { ...facts, value: houses.map((house) => itemOf(house, question)) };
}

/** DAWA leaves room for floor and door. */
function itemOf(address: AccessAddress | UnitAddress, { type, isMultiline }: Question): Item {
  const access = accessOf(address);
  const isUnit = 'access' in address;
  const start = `${access.road.name} ${access.houseNumber}`;
  const place = composePlace(access);
  const unit = isUnit ? composeFloorDoor(address.floor, address.door) : '';
  const line = unit === '' ? start : `${start}, ${unit}`;
  const { supplementaryTown: town, postcode } = access;
  const post = composePlace({ supplementaryTown: null, postcode });
  const label = isMultiline
    ? [line, town ?? '', post].filter((part) => part !== '').join('\n')
    : isUnit
      ? address.designation
      : composeAccess({ ...access, roadName: access.road.name });
  const hasRoom = !isUnit && type === 'adresse';
  const text = hasRoom ? `${start}, , ${place}` : place === '' ? line : `${line}, ${place}`;
  const caret = hasRoom ? start.length + 2 : text.length;
  return { address, road: access.road.name, text, caret, label };
}

function shown(place: Around) {
  return ({ address, road, text: tekst, caret: caretpos, label: forslagstekst }: Item) => {
    if (address === null) {
      const href = `${place.base}/vejnavne/${encodeURIComponent(road)}`;
      return { type: 'vejnavn', tekst, forslagstekst, caretpos, data: { navn: road, href } };
    }
    const type = 'access' in address ? 'adresse' : 'adgangsadresse';
    return {
      data: dataOf(address, place),
      stormodtagerpostnr: false,
      ...{ type, tekst, forslagstekst, caretpos },
    };
  };
}

export function autocompleteDoor(add: AddRoute, lookups: DoorLookups): void {
  add('/autocomplete', {
    ...{ operation: 'adresseAutocomplete', area: 'adresser' },
    read: readQuestion,
    typing: ({ id }) => (id === null ? 'suggest' : 'choose'),
    answer: async (question, around) => {
      const { value, ...facts } = await itemsOf(lookups, question, around);
      const isAsked = facts.provenance.length > 0;
      return {
        ...{ kind: 'array', rows: value, shape: { nestet: shown(around) } },
        facts: isAsked ? facts : { generation: null, provenance: [] },
        units: isAsked ? unitsOfFound(value.length, lookups.coverage) : 0,
      };
    },
  });
}
