import { Type } from 'typebox';
import { instant } from '../../../kernel/clock.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { HTTP_LIMITS } from '../../limits.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import type { ChangeNumbers, DatedChange } from '../../../ops/dated-changes.ts';
import { ADDRESSES, LAYER_IDS } from '../../../layers/keys.ts';
import { closed, errors, nullable, oneOf, query, ref } from '../../../core/question/schemas.ts';
import { CHANGE_STATES, CONTRADICTIONS } from './names.ts';
import { common, count, time, whoActs } from './schema-parts.ts';
import { listOf, orNull, shapeOf } from './shape.ts';

const numbers = shapeOf<ChangeNumbers>()({
  raekker_foer: [count, ({ rowsBefore }) => rowsBefore],
  raekker_efter: [count, ({ rowsAfter }) => rowsAfter],
  nye: [count, ({ inserted }) => inserted],
  aendrede: [count, ({ changed }) => changed],
  fjernede: [count, ({ removed }) => removed],
  areal_foer_m2: [count, ({ areaBeforeM2 }) => areaBeforeM2],
  areal_efter_m2: [count, ({ areaAfterM2 }) => areaAfterM2],
  kanariepunkter: [count, ({ canaryAsked }) => canaryAsked],
  kanariepunkter_aendret: [count, ({ canaryChanged }) => canaryChanged],
  adresser: [
    nullable(
      Type.Integer({
        minimum: 0,
        description: 'Addresses in force whose answer will be another one.',
      }),
    ),
    ({ located }) => located?.[ADDRESSES] ?? null,
  ],
});

type Codes = DatedChange['codes'];

const named = shapeOf<Codes['begins' | 'ends'][number]>()({
  kode: [nullable(Type.String()), ({ code }) => code],
  navn: [nullable(Type.String()), ({ name }) => name],
});

const renamedCode = shapeOf<Codes['changes'][number]>()({
  kode: [Type.String(), ({ code }) => code],
  navn: [Type.String(), ({ name }) => name],
  nyt_navn: [Type.String(), ({ newName }) => newName],
});

const contradiction = shapeOf<DatedChange['contradictions'][number]>()({
  art: [oneOf(Object.values(CONTRADICTIONS)), ({ kind }) => CONTRADICTIONS[kind]],
  kode: [Type.String(), ({ code }) => code],
});

const preview = shapeOf<NonNullable<DatedChange['preview']>>()(
  {
    tidspunkt: [time, ({ madeAtMs }) => instant(madeAtMs)],
    vaern: [Type.Array(Type.String()), ({ guards }) => [...guards]],
    tal: [numbers.schema, (of) => numbers.render(of.numbers)],
  },
  { description: 'What it will do, and the guards it will trip; null: not worked out yet.' },
);

const confirmation = shapeOf<NonNullable<DatedChange['confirmation']>>()({
  tidspunkt: [time, ({ atMs }) => instant(atMs)],
  af: [Type.String(), ({ by }) => by],
  bemaerkning: [nullable(Type.String()), ({ remark }) => remark],
  tal: [numbers.schema, (of) => numbers.render(of.numbers)],
});

const carriedOut = shapeOf<NonNullable<DatedChange['carriedOut']>>()({
  tidspunkt: [time, ({ atMs }) => instant(atMs)],
  version: [count, ({ version }) => version],
});

function sourceOf({ fromRegister, announced }: DatedChange): 'register' | 'opslag' | 'begge' {
  if (announced === null) return 'register';
  return fromRegister ? 'begge' : 'opslag';
}

export const DATED_CHANGE = shapeOf<DatedChange>()(
  {
    id: [Type.String(), ({ id }) => id],
    lag: [oneOf(LAYER_IDS), ({ layer }) => layer],
    tidspunkt: [time, ({ atMs }) => instant(atMs)],
    kilde: [
      oneOf(['register', 'opslag', 'begge'], 'Dates of the rows, the settings, or both.'),
      sourceOf,
    ],
    tilstand: [
      oneOf(
        Object.values(CHANGE_STATES),
        '`forberedt`: the rows are ready. `overskredet`: due, and it has not come.',
      ),
      ({ state }) => CHANGE_STATES[state],
    ],
    ophoerer: listOf(named, ({ codes }: DatedChange) => codes.ends),
    begynder: listOf(named, ({ codes }: DatedChange) => codes.begins, {
      description: '`kode` null: not known yet.',
    }),
    aendres: listOf(renamedCode, ({ codes }: DatedChange) => codes.changes),
    modsigelser: listOf(contradiction, ({ contradictions }: DatedChange) => contradictions, {
      description: 'In what the file and the announcement differ.',
    }),
    beregnet: orNull(preview, (of: DatedChange) => of.preview),
    kraever_godkendelse: [
      Type.Boolean({
        description: 'It trips guards and is not confirmed: it will be refused.',
      }),
      ({ needsConfirmation }) => needsConfirmation,
    ],
    godkendt: orNull(confirmation, (of: DatedChange) => of.confirmation),
    udfoert: orNull(carriedOut, (of: DatedChange) => of.carriedOut),
  },
  { $id: 'Varsel', description: 'A change that is known ahead of its day.' },
);

interface ChangesOf {
  readonly nowMs: number;
  readonly changes: readonly DatedChange[];
}

export const CHANGES = shapeOf<ChangesOf>()({
  tidspunkt: [time, ({ nowMs }) => instant(nowMs)],
  varsler: [
    Type.Array(ref('Varsel'), { maxItems: OPS_LIMITS.datedChangesShown }),
    ({ changes }) => changes.map(DATED_CHANGE.render),
  ],
});

export const changesRoute = {
  operationId: 'driftVarsler',
  summary: 'What will change, when, and what it will do',
  ...common,
  response: {
    200: CHANGES.schema,
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
