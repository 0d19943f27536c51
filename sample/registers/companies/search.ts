/** The sample's company search: an Elasticsearch that supports one number and the total count. */
import { sampleCompanies } from './rows.ts';
import type { SampleCompany } from './rows.ts';
import { textReply } from '../../http.ts';
import type { Reply } from '../../http.ts';
import type { SampleQuestion } from '../../sample-register.ts';

export const SEARCH_PATH = '/virk/cvr-permanent/virksomhed/_search';

const NUMBER = 'Vrvirksomhed.cvrNummer';

interface Question {
  readonly query?: { readonly term?: Readonly<Record<string, unknown>>; readonly exists?: unknown };
  readonly size?: number;
}

/** Never throws. Any login is accepted, but there must be one. */
export function answerSearch({ method, authorization, body }: SampleQuestion): Reply {
  if (!/^Basic \S+$/.test(authorization)) return json(401, { error: 'Unauthorized' });
  if (method !== 'POST') return json(405, { error: 'POST only' });
  const question = questionIn(body);
  if (question === null) return json(400, { error: 'The question cannot be read' });
  const all = companies();
  const { query, size = 10 } = question;
  const number = query?.term?.[NUMBER];
  const one = all.get(Number(number));
  const found = number === undefined ? [...all.values()] : one === undefined ? [] : [one];
  return json(200, {
    took: 1,
    timed_out: false,
    _shards: { total: 5, successful: 5, skipped: 0, failed: 0 },
    hits: {
      total: found.length,
      max_score: 1,
      hits: found.slice(0, size).map((company) => ({
        _index: 'cvr-v-20220630',
        _source: { Vrvirksomhed: document(company) },
      })),
    },
  });
}

function questionIn(body: string): Question | null {
  try {
    const question = JSON.parse(body) as Question | null;
    const { term, exists } = question?.query ?? {};
    return (term ?? exists) === undefined ? null : question;
  } catch {
    return null;
  }
}

let known: ReadonlyMap<number, SampleCompany> | undefined;

function companies(): ReadonlyMap<number, SampleCompany> {
  known ??= new Map(sampleCompanies().map((each) => [each.number, each]));
  return known;
}

function document(company: SampleCompany) {
  const { started: gyldigFra, ended: gyldigTil, address, form, branches } = company;
  const periode = { gyldigFra, gyldigTil };
  const [virksomhedsformkode, langBeskrivelse] = [Number(form[0]), form[1]];
  const before = { navn: company.nameBefore, periode: { gyldigFra, gyldigTil: '2022-12-31' } };
  const [main, ...others] = branches.map(([branchekode, branchetekst]) => [
    { branchekode, branchetekst, periode },
  ]);
  return {
    cvrNummer: company.number,
    ...(company.isProtected !== null && { reklamebeskyttet: company.isProtected }),
    navne: [...(company.nameBefore === null ? [] : [before]), { navn: company.name, periode }],
    binavne: company.otherNames.map((navn) => ({ navn, periode })),
    virksomhedsform: [{ virksomhedsformkode, kortBeskrivelse: null, langBeskrivelse, periode }],
    livsforloeb: [{ periode }],
    hovedbranche: main ?? [],
    ...{ bibranche1: others[0] ?? [], bibranche2: others[1] ?? [], bibranche3: [] },
    beliggenhedsadresse: [
      {
        vejnavn: address.road,
        husnummerFra: Number(address.number),
        husnummerTil: null,
        bogstavFra: address.letter,
        etage: address.floor,
        sidedoer: address.door,
        bynavn: null,
        postnummer: Number(address.postcode),
        postdistrikt: address.postcodeName,
        kommune: { kommuneKode: Number(address.municipality) },
        adresseId: address.id,
        fritekst: null,
        periode,
      },
    ],
    postadresse: [],
    virksomhedMetadata: {
      sammensatStatus: gyldigTil === null ? 'aktiv' : 'ophørt',
      stiftelsesDato: gyldigFra,
    },
  };
}

function json(status: number, content: object): Reply {
  return textReply(status, JSON.stringify(content), 'application/json');
}
