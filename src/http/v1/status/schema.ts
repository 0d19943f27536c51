/** The freshness page (D14, D19). */
import { Type } from 'typebox';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import { TERRAIN } from '../../../layers/keys.ts';
import { closed, errors, nullable, oneOf, query } from '../../../core/question/schemas.ts';

const count = Type.Integer({ minimum: 0 });

export const registerName = Type.String({
  description:
    '`building-lines`, `dagi`, `addresses`, `cadastre`, `bbr`, `assessments`, `protection`, `companies`, `places`, `terrain`; others may follow.',
});

export const CoverageSchema = nullable(
  closed(
    {
      navn: Type.String(),
      kommuner: nullable(Type.Array(Type.String(), { description: 'Codes of municipalities.' })),
    },
    {
      description:
        'All that the source covers; null: the country. Outside it nothing is answered: lines are utilgaengelig, other errors have the code outside_coverage.',
    },
  ),
);

export const DATA_AGE = {
  data_fra: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the register made the data; null: it does not say.',
    }),
  ),
  data_alder_s: nullable(count),
  data_frist_s: count,
};

export const LayerStatusSchema = closed({
  lag: oneOf([...MIRROR_IDS, TERRAIN]),
  register: registerName,
  synket: nullable(Type.String({ format: 'date-time' })),
  alder_s: nullable(count),
  frist_s: count,
  ...DATA_AGE,
  tilstand: oneOf(['frisk', 'forsinket', 'fejlet', 'mangler']),
  antal: nullable(count),
  version: nullable(count),
  i_hukommelse: nullable(
    Type.Boolean({ description: 'Whether this process answers it without its database.' }),
  ),
  daekning: CoverageSchema,
});

export const statusRoute = {
  operationId: 'status',
  summary: 'How fresh each mirrored layer is',
  tags: ['status'],
  querystring: query({}),
  response: {
    200: closed({ generation: count, lag: Type.Array(LayerStatusSchema) }),
    ...errors(400, 503),
  },
};
