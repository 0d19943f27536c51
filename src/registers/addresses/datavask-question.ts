import * as jobs from './datavask-job.ts';
import { question } from '../../core/question/question.ts';
import { listText } from './answer.ts';
import type { AddressLookups } from './lookup.ts';
import { candidateText } from './datavask-answer.ts';
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { CoveredMetaRef, closed, nullable, oneOf, ref } from '../../core/question/schemas.ts';
import { invalidRequest } from '../../kernel/failures.ts';
import type { WrittenAddress } from './addresses.ts';

const textOrNull = nullable(Type.String());
const edits = Type.Integer({ minimum: 0 });
const KINDS = ['adgangsadresse', 'adresse'] as const;

function fields<T>(type: T) {
  return {
    vejnavn: type,
    husnr: type,
    etage: type,
    doer: type,
    supplerende_bynavn: type,
    postnr: type,
    postnrnavn: type,
  };
}

const CandidateSchema = closed({
  adresse: closed(
    {
      type: oneOf(KINDS),
      id: Type.String(),
      ...fields(textOrNull),
      virkningstart: nullable(Type.String({ format: 'date-time' })),
      virkningslut: nullable(Type.String({ format: 'date-time' })),
    },
    {
      description:
        'What the text was found to say: the present name of the address, or one it had between ' +
        'virkningstart and virkningslut.',
    },
  ),
  aktueladresse: {
    ...ref('AktuelAdresse'),
    description: 'The address as it is now; see its status.',
  },
  vaskeresultat: closed({
    afstand: edits,
    forskelle: closed(fields(edits), {
      description: 'Edits from what was written to adresse, field by field; 0: the same.',
    }),
    parsetadresse: closed(fields(textOrNull), { description: 'What was read from the text.' }),
    ukendtetokens: Type.Array(Type.String()),
  }),
});

export const CleanseSchema = closed(
  {
    kategori: nullable(
      oneOf(['A', 'B', 'C'], 'A: the same. B: almost certain. C: a guess. null: nothing alike.'),
    ),
    resultater: Type.Array(CandidateSchema, { maxItems: LIMITS.cleanseCandidates }),
    meta: CoveredMetaRef,
  },
  { $id: 'Datavask', description: 'A written address and those it may mean, the best first.' },
);

const part = (description: string) =>
  Type.Optional(Type.String({ maxLength: LIMITS.addressTextChars.max, description }));

interface Written {
  readonly betegnelse?: string;
  readonly vej?: string;
  readonly husnr?: string;
  readonly etage?: string;
  readonly doer?: string;
  readonly postnr?: string;
  readonly by?: string;
}

/** The whole text or its parts, never both. Throws invalid_request. */
export function writtenOf({ betegnelse, ...parts }: Written): WrittenAddress {
  const { vej, husnr, etage, doer, postnr, by } = parts;
  const named = [vej, husnr, etage, doer, postnr, by].some((part) => part !== undefined);
  if (betegnelse !== undefined && named) {
    throw invalidRequest(
      'Send either betegnelse, or vej with the other parts; not both.',
      'Send enten betegnelse eller vej med de andre dele; ikke begge dele.',
    );
  }
  if (betegnelse !== undefined) return { text: betegnelse };
  const road = partOf(vej);
  if (road === null) {
    throw invalidRequest(
      'The address is missing: send betegnelse, or vej with husnr, etage, doer, postnr and by.',
      'Adressen mangler: send betegnelse eller vej med husnr, etage, doer, postnr og by.',
    );
  }
  return {
    road,
    houseNumber: partOf(husnr),
    floor: partOf(etage),
    door: partOf(doer),
    postcode: partOf(postnr),
    town: partOf(by),
  };
}

/** An empty part counts as absent: callers send every column of their row. */
function partOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

export const datavask = question({
  key: 'datavask',
  called: { da: 'Adressevask', en: 'Address cleansing' },
  summary: 'A written address, to the address it means and how sure that is',
  tag: 'adresser',
  query: {
    betegnelse: Type.Optional(
      Type.String({
        minLength: LIMITS.addressTextChars.min,
        maxLength: LIMITS.addressTextChars.max,
        description: 'The whole address as one text; or its parts, from vej on.',
      }),
    ),
    vej: Type.Optional(
      Type.String({
        minLength: LIMITS.addressTextChars.min,
        maxLength: LIMITS.addressTextChars.max,
        description: 'Road name; without betegnelse it is required.',
      }),
    ),
    husnr: part('House number with its letter.'),
    etage: part('Floor.'),
    doer: part('Door.'),
    postnr: part('Postcode.'),
    by: part('Town: the name of the postcode, or of a place within it.'),
    type: Type.Optional(
      oneOf(
        KINDS,
        'What is looked for. Where absent, what is written: a unit where there is a floor or a door, ' +
          'else the house, its units behind it.',
      ),
    ),
  },
  answer: ref('Datavask'),
  failures: [400],
  area: 'adresser',
  isForPages: true,
  path: '/v1/datavask',
  ask: ({ addresses }: AddressLookups, { type, ...given }) => {
    const kind = type === undefined ? null : type === 'adgangsadresse' ? 'access' : 'unit';
    const { value, ...facts } = addresses.cleansing.cleanse(writtenOf(given), kind);
    // No match is not billed, like a failed row of a job (D62).
    return { value, facts, units: value.candidates.length > 0 ? 1 : 0 };
  },
  json: ({ category, candidates }, ground) => {
    const shown = category === null ? 'null' : `"${category}"`;
    return listText(`{"kategori":${shown},"resultater":[`, candidates.map(candidateText), ground);
  },
  jobKinds: Object.values(jobs),
});
