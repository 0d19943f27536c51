/** Schemas of the operator's routes (D15). Keys of guards, phases and breaker hosts are data. */
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import { ANSWERED_BY } from '../../../ops/metrics.ts';
import { COUNTED } from '../../../ops/run-log.ts';
import { DATA_AGE, CoverageSchema, registerName } from '../status/schema.ts';
import { DatedChangeSchema } from './change-schema.ts';
import { EndedRunSchema } from './history-schema.ts';
import { closed, errors, nullable, oneOf, query, ref } from '../../../core/question/schemas.ts';
import {
  ACTION_NAMES,
  ANSWERED_NAMES,
  BREAKER_NAMES,
  COUNT_NAMES,
  RUN_KINDS,
  RUN_STATES,
  TRIGGERS,
} from './names.ts';
import { common, count, layerParams, time, whoActs } from './schema-parts.ts';

const GuardSchema = closed(
  {
    vaern: Type.String({ description: 'The name of the guard, as `frigiv` takes it.' }),
    tekst: Type.String({ description: 'What was found and what is allowed, in Danish.' }),
    text: Type.String({ description: 'The same in English, as recorded.' }),
    kan_frigives: Type.Boolean(),
    tal: Type.Array(closed({ navn: Type.String(), tekst: Type.String(), vaerdi: Type.Number() })),
  },
  { $id: 'Vaern', description: 'A guard that refused a run, with its numbers.' },
);

const runFields = {
  id: Type.String(),
  slags: oneOf(Object.values(RUN_KINDS)),
  udloeser: oneOf(Object.values(TRIGGERS)),
  tilstand: oneOf(Object.values(RUN_STATES)),
  fase: Type.String({ description: 'The phase it is in, or ended in.' }),
  startet: time,
  sluttet: nullable(time),
  varighed_ms: nullable(count),
  version: nullable(count),
  tal: closed(
    Object.fromEntries(
      ['annonceret', ...COUNTED.map((name) => COUNT_NAMES[name])].map((name) => [
        name,
        nullable(count),
      ]),
    ),
    { description: 'What the run counted; null where it had not come to it.' },
  ),
  afvist_af: Type.Array(ref('Vaern')),
  fejl: nullable(Type.String()),
  frigivet: Type.Array(Type.String(), { description: 'Guards an operator released for this run.' }),
  bedt_af: nullable(Type.String({ description: 'Who asked for it, where that is known.' })),
};

export const RunSchema = closed(runFields, { $id: 'Koersel', description: 'One run of a layer.' });

const RunWithIssuesSchema = closed(
  {
    ...runFields,
    problemer: count,
    eksempler: Type.Array(
      closed({ noegle: nullable(Type.String()), art: Type.String(), detalje: Type.String() }),
    ),
  },
  { $id: 'KoerselMedProblemer', description: 'One run, with the features it could not read.' },
);

const UnreadSchema = closed(
  {
    noegle: nullable(Type.String()),
    objekt_id: nullable(Type.String()),
    grund: Type.String(),
    kasse: nullable(
      Type.Array(Type.Number(), {
        minItems: 4,
        maxItems: 4,
        description: 'Where it is not answered: west, south, east, north in EPSG:25832.',
      }),
    ),
    raa: nullable(Type.String({ description: 'Its geometry as it came, cut short.' })),
  },
  { $id: 'UlaestObjekt', description: 'A feature or a row that the copy could not read.' },
);

export const DriftLayerSchema = closed(
  {
    lag: oneOf(MIRROR_IDS),
    navn: Type.String(),
    register: registerName,
    vaert: Type.String(),
    noegle_mangler: Type.Boolean({ description: 'The register wants an API key; none is set.' }),
    tilstand: oneOf(['frisk', 'forsinket', 'fejlet', 'mangler']),
    svarer: Type.Boolean({ description: 'The copy is young enough to answer at all.' }),
    synket: nullable(time),
    udgivet: nullable(time),
    alder_s: nullable(count),
    frist_s: count,
    yderste_frist_s: count,
    ...DATA_AGE,
    antal: nullable(count),
    areal_m2: nullable(Type.Number({ minimum: 0 })),
    ulaeste: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Features or rows of the copy that could not be read.',
      }),
    ),
    version: nullable(count),
    generation: nullable(count),
    kan_fortrydes: Type.Boolean({ description: 'There is an earlier version.' }),
    daekning: CoverageSchema,
    holdt: nullable(
      closed(
        { siden: time, af: Type.String() },
        { description: 'Put back by a person: not synced until a person asks for it.' },
      ),
    ),
    koerer: nullable(closed({ koersel: ref('Koersel'), livstegn: time, tavs: Type.Boolean() })),
    seneste_gode: nullable(ref('Koersel')),
    afvisning: nullable(
      closed({
        staar: Type.Boolean({ description: 'No later run has ended otherwise.' }),
        koersel: ref('Koersel'),
      }),
    ),
    fejl: nullable(ref('Koersel')),
    koersler: Type.Array(ref('Koersel'), { maxItems: OPS_LIMITS.runsInOverview }),
    svar: closed(Object.fromEntries(ANSWERED_BY.map((by) => [ANSWERED_NAMES[by], count])), {
      description: 'Lookups since this process began, by the rung that answered.',
    }),
    registerfejl: Type.Record(Type.String(), count, {
      description: 'Failed live questions since this process began, by kind.',
    }),
    seneste_noedsvar: nullable(
      closed({ fra: oneOf(Object.values(ANSWERED_NAMES)), tidspunkt: time }),
    ),
  },
  { $id: 'Driftslag', description: 'All an operator sees of one layer.' },
);

export const DRIFT_SCHEMAS = [
  GuardSchema,
  RunSchema,
  RunWithIssuesSchema,
  UnreadSchema,
  DriftLayerSchema,
  DatedChangeSchema,
  EndedRunSchema,
] as const;

export const overviewRoute = {
  operationId: 'driftLag',
  summary: 'How every layer stands, with its runs, refusals and fallbacks',
  ...common,
  response: {
    200: closed({
      tidspunkt: time,
      generation: count,
      // Whether the store just reported it, else how long ago it did.
      lager: closed({ svarer: Type.Boolean(), alder_s: count }),
      // null: no process has led yet. `leder` false: the lease of the last one has run out.
      synk_leder: nullable(
        closed({ hvem: Type.String(), siden: time, nummer: count, leder: Type.Boolean() }),
      ),
      kan: closed({ synke: Type.Boolean(), fortryde: Type.Boolean(), snapshot: Type.Boolean() }),
      vaerter: Type.Array(
        closed({
          vaert: Type.String(),
          afbryder: oneOf(Object.values(BREAKER_NAMES)),
          i_gang: count,
          i_koe: count,
        }),
      ),
      hukommelse: nullable(
        closed({
          generation: nullable(count),
          lag: Type.Array(oneOf(MIRROR_IDS)),
          trukket_tilbage: Type.Array(oneOf(MIRROR_IDS)),
          bytes: count,
          // SNAPSHOT_STORE: files shared with other processes. `manifest`: when those were written that
          // answer while the database does not.
          filer: nullable(
            closed({
              svarer: nullable(Type.Boolean()),
              hentet: count,
              lagt_op: count,
              afvist: count,
              fejlet: count,
              manifest: nullable(time),
            }),
          ),
          kontrol: nullable(
            closed({
              sammenlignet: count,
              afvigelser: count,
              seneste: nullable(time),
              alarmer: Type.Array(
                closed({
                  lag: oneOf(MIRROR_IDS),
                  version: count,
                  tidspunkt: time,
                  art: oneOf(['svar', 'hukommelse']),
                }),
              ),
            }),
          ),
        }),
      ),
      // Of this process; the first has number 0.
      traade: Type.Array(
        closed({
          nummer: count,
          forespoergsler: count,
          forsinkelse_ms: Type.Number({ minimum: 0 }),
          bytes: count,
          // Since its last report: over a few seconds it hangs.
          stille_s: count,
        }),
      ),
      job: nullable(
        closed({
          aabne: count,
          i_gang: count,
          ventende_raekker: count,
          ventende_dele: count,
          dele_i_arbejde: count,
          stille_s: nullable(count),
          bytes: count,
          her: nullable(
            closed({ pladser: count, i_arbejde: count, raekker: count, dele: count, fejl: count }),
          ),
        }),
      ),
      webhooks: nullable(
        closed({
          modtagere: count,
          modtagere_med_fejl: count,
          venter: count,
          i_gang: count,
          aeldste_s: nullable(count),
          her: nullable(
            closed({
              i_gang: count,
              leveret: count,
              fejlede_forsoeg: count,
              opgivet: count,
              afbrudt: count,
            }),
          ),
        }),
      ),
      handlinger: Type.Array(
        closed({
          tidspunkt: time,
          lag: oneOf(MIRROR_IDS),
          handling: oneOf(Object.values(ACTION_NAMES)),
          vaern: Type.Array(Type.String()),
          af: Type.String(),
        }),
      ),
      lag: Type.Array(ref('Driftslag')),
    }),
    ...errors(400, 401, 403, 503),
  },
};

export const runsRoute = {
  operationId: 'driftKoersler',
  summary: 'The runs of a layer, newest first',
  ...common,
  params: layerParams,
  querystring: query({
    antal: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: OPS_LIMITS.runsPerPage.max,
        default: OPS_LIMITS.runsPerPage.default,
        description: 'How many runs.',
      }),
    ),
    foer: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,17}$', description: '`naeste` of the page before.' }),
    ),
  }),
  response: {
    200: closed({
      lag: oneOf(MIRROR_IDS),
      ulaeste: Type.Array(ref('UlaestObjekt')),
      koersler: Type.Array(ref('KoerselMedProblemer')),
      naeste: nullable(Type.String()),
    }),
    ...errors(400, 401, 403, 404, 503),
  },
};

const who = whoActs('Who does it, for the record.');

export const syncRoute = {
  operationId: 'driftSynk',
  summary: 'Asks for a run of a layer, which may publish over released guards, once',
  ...common,
  params: layerParams,
  // No body is a plain request.
  body: nullable(
    closed({
      frigiv: Type.Optional(
        Type.Array(Type.String({ maxLength: OPS_LIMITS.guardNameChars }), {
          maxItems: OPS_LIMITS.guardsPerRelease,
          description: 'Guards to release for this run.',
        }),
      ),
      af: who,
    }),
  ),
  response: {
    202: closed({
      lag: oneOf(MIRROR_IDS),
      svar: oneOf(['i_koe', 'koerer_allerede']),
      frigivet: Type.Array(Type.String()),
    }),
    ...errors(400, 401, 403, 404, 409, 413, 415, 503),
  },
};

export const revertRoute = {
  operationId: 'driftFortryd',
  summary: 'Publishes the previous version of a layer again',
  ...common,
  params: layerParams,
  body: nullable(closed({ af: who })),
  response: {
    200: closed({ lag: oneOf(MIRROR_IDS), version: count, generation: count, antal: count }),
    ...errors(400, 401, 403, 404, 409, 413, 415, 503),
  },
};

export const snapshotRoute = {
  operationId: 'driftSnapshot',
  summary: 'The published version of a layer as FlatGeobuf',
  ...common,
  params: layerParams,
  response: {
    200: {
      description: 'The file.',
      content: {
        'application/octet-stream': {
          schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }),
        },
      },
    },
    ...errors(400, 401, 403, 404, 503),
  },
};
