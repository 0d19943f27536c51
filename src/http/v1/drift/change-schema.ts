/** Schemas of changes known in advance (D138). */
import { Type } from 'typebox';
import { LIMITS } from '../../../kernel/limits.ts';
import { HTTP_LIMITS } from '../../limits.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { LAYER_IDS } from '../../../layers/keys.ts';
import { closed, errors, nullable, oneOf, query, ref } from '../../../core/question/schemas.ts';
import { CHANGE_STATES, CONTRADICTIONS } from './names.ts';
import { common, count, time, whoActs } from './schema-parts.ts';

const named = { kode: nullable(Type.String()), navn: nullable(Type.String()) };

const numbers = closed({
  raekker_foer: count,
  raekker_efter: count,
  nye: count,
  aendrede: count,
  fjernede: count,
  areal_foer_m2: count,
  areal_efter_m2: count,
  kanariepunkter: count,
  kanariepunkter_aendret: count,
  adresser: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Addresses in force whose answer will be another one.',
    }),
  ),
});

export const DatedChangeSchema = closed(
  {
    id: Type.String(),
    lag: oneOf(LAYER_IDS),
    tidspunkt: time,
    kilde: oneOf(['register', 'opslag', 'begge'], 'Dates of the rows, the settings, or both.'),
    tilstand: oneOf(
      Object.values(CHANGE_STATES),
      '`forberedt`: the rows are at hand. `overskredet`: due, and it has not come.',
    ),
    ophoerer: Type.Array(closed(named)),
    begynder: Type.Array(closed(named), { description: '`kode` null: not known yet.' }),
    aendres: Type.Array(
      closed({ kode: Type.String(), navn: Type.String(), nyt_navn: Type.String() }),
    ),
    modsigelser: Type.Array(
      closed({ art: oneOf(Object.values(CONTRADICTIONS)), kode: Type.String() }),
      { description: 'In what the file and the announcement differ.' },
    ),
    beregnet: nullable(
      closed(
        { tidspunkt: time, vaern: Type.Array(Type.String()), tal: numbers },
        { description: 'What it will do, and the guards it will trip; null: not worked out yet.' },
      ),
    ),
    kraever_godkendelse: Type.Boolean({
      description: 'It trips guards and nobody has confirmed it: it will be refused.',
    }),
    godkendt: nullable(
      closed({
        tidspunkt: time,
        af: Type.String(),
        bemaerkning: nullable(Type.String()),
        tal: numbers,
      }),
    ),
    udfoert: nullable(closed({ tidspunkt: time, version: count })),
  },
  { $id: 'Varsel', description: 'A change that is known ahead of its day.' },
);

export const changesRoute = {
  operationId: 'driftVarsler',
  summary: 'What will change, when, and what it will do',
  ...common,
  response: {
    200: closed({
      tidspunkt: time,
      varsler: Type.Array(ref('Varsel'), { maxItems: OPS_LIMITS.datedChangesShown }),
    }),
    ...errors(400, 401, 403, 503),
  },
};

const params = closed({
  id: Type.String({ maxLength: LIMITS.pathParameterChars, description: 'The id of a `Varsel`.' }),
});

const who = whoActs('Who does it, for the record; an account that is signed in has its own name.');

export const confirmRoute = {
  operationId: 'driftGodkendVarsel',
  summary: 'Confirms a change: the run of its day may pass the guards it explains',
  ...common,
  params,
  body: nullable(
    closed({
      bemaerkning: Type.Optional(Type.String({ maxLength: HTTP_LIMITS.remarkChars })),
      af: who,
    }),
  ),
  response: { 200: ref('Varsel'), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
};

export const unconfirmRoute = {
  operationId: 'driftTraekGodkendelseTilbage',
  summary: 'Takes a confirmation back, until the instant of the change',
  ...common,
  params,
  querystring: query({ af: who }),
  response: { 200: ref('Varsel'), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
};
