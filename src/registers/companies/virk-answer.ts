/**
 * A company from Virk's search (upstream/registers-bbr.md 12): lists with periods. The open one is
 * current; for an ended company the last to end.
 */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Company, CompanyAddress, CompanyCode } from './company.ts';
import { compareTexts } from '../../kernel/compare.ts';
import { uuidOf } from '../../kernel/uuids.ts';
import { filled, fourDigits, houseNumberOf } from './folded.ts';
import { UpstreamFailure } from '../../wfs/failure.ts';

export const NUMBER_FIELD = 'Vrvirksomhed.cvrNummer';

/** The only fields requested: telephones, owners and staff are not needed (D116). */
export const COMPANY_FIELDS: readonly string[] = [
  'cvrNummer',
  'reklamebeskyttet',
  'navne',
  'binavne',
  'virksomhedsform',
  'livsforloeb',
  'hovedbranche',
  'bibranche1',
  'bibranche2',
  'bibranche3',
  'beliggenhedsadresse',
  'postadresse',
  'virksomhedMetadata.sammensatStatus',
  'virksomhedMetadata.stiftelsesDato',
].map((field) => `Vrvirksomhed.${field}`);

export interface SearchAnswer {
  readonly total: number;
  readonly hits: readonly unknown[];
}

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const text = nullable(Type.String());
const textOrNumber = nullable(Type.Union([Type.String(), Type.Number()]));

const PERIOD = { periode: nullable(Type.Object({ gyldigFra: text, gyldigTil: text })) };
const list = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  nullable(Type.Array(schema));

const BRANCH = Type.Object({ branchekode: textOrNumber, branchetekst: text, ...PERIOD });
const NAME = Type.Object({ navn: text, ...PERIOD });
const ADDRESS = Type.Object({
  vejnavn: text,
  husnummerFra: textOrNumber,
  husnummerTil: textOrNumber,
  bogstavFra: text,
  bogstavTil: text,
  etage: textOrNumber,
  sidedoer: text,
  bynavn: text,
  postnummer: textOrNumber,
  postdistrikt: text,
  kommune: nullable(Type.Object({ kommuneKode: textOrNumber })),
  adresseId: text,
  fritekst: text,
  ...PERIOD,
});

const COMPANY = Type.Object({
  cvrNummer: Type.Integer(),
  reklamebeskyttet: Type.Optional(Type.Unknown()),
  // If one of these is missing, nothing proves that a company has none or has not ended.
  navne: Type.Array(NAME),
  virksomhedsform: Type.Array(
    Type.Object({
      virksomhedsformkode: textOrNumber,
      kortBeskrivelse: text,
      langBeskrivelse: text,
      ...PERIOD,
    }),
  ),
  livsforloeb: Type.Array(Type.Object(PERIOD), { minItems: 1 }),
  hovedbranche: Type.Array(BRANCH),
  beliggenhedsadresse: Type.Array(ADDRESS),
  binavne: list(NAME),
  bibranche1: list(BRANCH),
  bibranche2: list(BRANCH),
  bibranche3: list(BRANCH),
  postadresse: list(ADDRESS),
  virksomhedMetadata: nullable(Type.Object({ sammensatStatus: text, stiftelsesDato: text })),
});
type RawCompany = Static<typeof COMPANY>;

/** null: none. Throws UpstreamFailure for another number or an unreadable answer. */
export function companyIn({ total, hits }: SearchAnswer, number: number): Company | null {
  if (total === 0 && hits.length === 0) return null;
  const [hit] = hits as readonly ({
    readonly _source?: { readonly Vrvirksomhed?: unknown };
  } | null)[];
  const raw = hit?._source?.Vrvirksomhed;
  // The reason is not reported: messages of a check quote the checked values.
  if (total !== 1 || hits.length !== 1 || !Value.Check(COMPANY, raw) || raw.cvrNummer !== number) {
    throw new UpstreamFailure('unreadable', 'the hit is not the one company that was asked for');
  }
  return companyFrom(raw);
}

function companyFrom(raw: RawCompany): Company {
  const life = lastOf(raw.livsforloeb);
  const ended = life?.periode?.gyldigTil ?? null;
  const lists = new Lists(ended !== null);
  const address = lists.one(raw.beliggenhedsadresse) ?? lists.one(raw.postadresse);
  const { sammensatStatus, stiftelsesDato } = raw.virksomhedMetadata ?? {};
  return {
    number: raw.cvrNummer,
    name: filled(lists.one(raw.navne)?.navn),
    otherNames: lists.all(raw.binavne).flatMap(({ navn }) => filled(navn) ?? []),
    form: formOf(lists.one(raw.virksomhedsform)),
    status: filled(sammensatStatus),
    started: dayOf(stiftelsesDato ?? life?.periode?.gyldigFra),
    ended: dayOf(ended),
    address: address === null ? null : addressOf(address),
    mainBranch: branchOf(lists.one(raw.hovedbranche)),
    otherBranches: [raw.bibranche1, raw.bibranche2, raw.bibranche3].flatMap(
      (branches) => branchOf(lists.one(branches)) ?? [],
    ),
    isProtected: typeof raw.reklamebeskyttet === 'boolean' ? raw.reklamebeskyttet : null,
  };
}

interface Dated {
  readonly periode?: {
    readonly gyldigFra?: string | null;
    readonly gyldigTil?: string | null;
  } | null;
}

type ListOf<T> = readonly T[] | null | undefined;

class Lists {
  readonly #isOver: boolean;

  constructor(isOver: boolean) {
    this.#isOver = isOver;
  }

  one<T extends Dated>(entries: ListOf<T>): T | null {
    return this.all(entries)[0] ?? null;
  }

  all<T extends Dated>(entries: ListOf<T>): readonly T[] {
    const newest = [...(entries ?? [])].sort((a, b) => compareTexts(fromOf(b), fromOf(a)));
    const open = newest.filter((entry) => untilOf(entry) === null);
    if (open.length > 0 || !this.#isOver) return open;
    const last = untilOf(lastOf(newest) ?? {});
    return newest.filter((entry) => untilOf(entry) === last);
  }
}

function lastOf<T extends Dated>(entries: ListOf<T>): T | null {
  const [last] = [...(entries ?? [])].sort((a, b) =>
    compareTexts(untilOf(b) ?? FOREVER, untilOf(a) ?? FOREVER),
  );
  return last ?? null;
}

const FOREVER = '9999';

function fromOf({ periode }: Dated): string {
  return periode?.gyldigFra ?? '';
}

function untilOf({ periode }: Dated): string | null {
  return periode?.gyldigTil ?? null;
}

function codeOf(
  code: string | number | null | undefined,
  meaning: string | null,
): CompanyCode | null {
  const own = filled(wordOf(code));
  return own === null ? null : { code: own, text: filled(meaning) };
}

function formOf(form: RawCompany['virksomhedsform'][number] | null): CompanyCode | null {
  if (form === null) return null;
  return codeOf(form.virksomhedsformkode, form.langBeskrivelse ?? form.kortBeskrivelse ?? null);
}

function branchOf(branch: Static<typeof BRANCH> | null): CompanyCode | null {
  return branch && codeOf(branch.branchekode, branch.branchetekst ?? null);
}

function wordOf(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** Throws if unreadable: a company that ended must not look active. */
function dayOf(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const [day] = DAY.exec(value) ?? [];
  if (day === undefined) throw new UpstreamFailure('unreadable', 'a day that cannot be read');
  return day;
}

function addressOf(raw: Static<typeof ADDRESS>): CompanyAddress {
  return {
    roadName: filled(raw.vejnavn),
    houseNumber: houseNumberOf(
      [wordOf(raw.husnummerFra), raw.bogstavFra ?? null],
      [wordOf(raw.husnummerTil), raw.bogstavTil ?? null],
    ),
    floor: filled(wordOf(raw.etage)),
    door: filled(raw.sidedoer),
    supplementaryTown: filled(raw.bynavn),
    postcode: fourDigits(wordOf(raw.postnummer)),
    postcodeName: filled(raw.postdistrikt),
    municipalityCode: fourDigits(wordOf(raw.kommune?.kommuneKode)),
    addressId: uuidOf(raw.adresseId ?? ''),
    freeText: filled(raw.fritekst),
  };
}
