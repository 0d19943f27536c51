/** D6; registers-geo.md 3.5. */
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { CoveredMetaRef, closed, nullable, oneOf, ref } from '../../core/question/schemas.ts';

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

export const datavaskShape = {
  key: 'datavask',
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
};
