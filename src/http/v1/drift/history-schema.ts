/** The past as operators see it (D15). */
import { Type } from 'typebox';
import { instant } from '../../../kernel/clock.ts';
import { isRegisterId } from '../../../layers/keys.ts';
import type { LayerId, MirrorId } from '../../../layers/keys.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { FEATURE_IDS, MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import type { Freshness } from '../../../layers/source.ts';
import type { EndedRun, KnownVersion, LayerHistory } from '../../../ops/layer-history.ts';
import type { Shape, VersionDifference } from '../../../ops/version-difference.ts';
import { closed, errors, nullable, oneOf, query, ref } from '../../../core/question/schemas.ts';
import type { DayRecord } from '../../services.ts';
import { DIFFERENCE_NAMES, RUN_KINDS, RUN_STATES, nameIn, renamed } from './names.ts';
import { common, count, layerParams, time } from './schema-parts.ts';
import { listOf, orNull, shapeOf } from './shape.ts';

const ENDED = Object.values(RUN_STATES).filter((state) => state !== RUN_STATES.running);

interface EndedRunOf {
  readonly layer: MirrorId;
  readonly run: EndedRun;
}

/** The store has 0 for a register's table, which is not measured. */
const areaOf = ({ layer, run: { areaM2 } }: EndedRunOf): number | null =>
  isRegisterId(layer) || areaM2 === null ? null : Math.round(areaM2);

export const ENDED_RUN = shapeOf<EndedRunOf>()(
  {
    id: [Type.String(), ({ run }) => run.id],
    slags: [oneOf(Object.values(RUN_KINDS)), ({ run }) => nameIn(RUN_KINDS, run.kind)],
    tilstand: [oneOf(ENDED), ({ run }) => RUN_STATES[run.state]],
    sluttet: [time, ({ run }) => instant(run.endedAtMs)],
    varighed_ms: [count, ({ run }) => run.durationMs],
    synket: [
      nullable(
        Type.String({
          format: 'date-time',
          description: 'When its copy had been verified; null: not on record.',
        }),
      ),
      ({ run }) => instant(run.provedAtMs),
    ],
    version: [nullable(count), ({ run }) => run.version],
    antal: [nullable(count), ({ run }) => run.rowCount],
    areal_m2: [
      nullable(
        Type.Number({ minimum: 0, description: 'Null: not on record, or a register of tables.' }),
      ),
      areaOf,
    ],
    afvist_af: [
      Type.Array(Type.String(), { description: 'The guards that refused it.' }),
      ({ run }) => [...run.guards],
    ],
    frigivet: [Type.Array(Type.String()), ({ run }) => [...run.liftedGuards]],
    bedt_af: [nullable(Type.String()), ({ run }) => run.askedBy],
  },
  { $id: 'AfsluttetKoersel', description: 'A run that has ended, and what it led to.' },
);

const knownVersion = shapeOf<KnownVersion>()({
  version: [count, ({ version }) => version],
  udgivet: [time, ({ publishedAtMs }) => instant(publishedAtMs)],
});

const days = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: OPS_LIMITS.historyDays.max,
    default: OPS_LIMITS.historyDays.default,
    description: 'How many days back.',
  }),
);

interface HistoryOf {
  readonly layer: MirrorId;
  readonly freshness: Freshness;
  readonly history: LayerHistory;
}

const endedRuns = ({ layer }: HistoryOf, runs: readonly EndedRun[]) =>
  runs.map((run) => ENDED_RUN.render({ layer, run }));

export const HISTORY = shapeOf<HistoryOf>()({
  lag: [oneOf(MIRROR_IDS), ({ layer }) => layer],
  fra: [
    Type.String({
      format: 'date-time',
      description: 'From when on `koersler` are whole; later than asked for where they are many.',
    }),
    ({ history }) => instant(history.fromMs),
  ],
  til: [time, ({ history }) => instant(history.toMs)],
  frist_s: [count, ({ freshness }) => freshness.limitS],
  yderste_frist_s: [count, ({ freshness }) => freshness.hardLimitS],
  synket_foer: [
    nullable(
      Type.String({
        format: 'date-time',
        description:
          'When the copy that answered at `fra` had been proved; null: there was none, or it is ' +
          'not on record. The age at an instant counts from `synket` of the latest run that had ' +
          'ended well by then.',
      }),
    ),
    ({ history }) => instant(history.provedBeforeMs),
  ],
  koersler: [
    Type.Array(ref('AfsluttetKoersel'), {
      maxItems: OPS_LIMITS.historyRuns,
      description: 'Oldest first.',
    }),
    (of) => endedRuns(of, of.history.runs),
  ],
  versioner: [
    Type.Array(ref('AfsluttetKoersel'), {
      maxItems: OPS_LIMITS.historyVersionsShown,
      description: 'The runs that published the latest versions, newest first.',
    }),
    (of) => endedRuns(of, of.history.versions),
  ],
  kan_sammenlignes: listOf(knownVersion, ({ history }: HistoryOf) => history.comparable, {
    description: 'Versions whose content is kept, newest first; of a register none.',
  }),
});

export const historyRoute = {
  operationId: 'driftHistorik',
  summary: 'What a layer went through: its age, runs and versions over the last days',
  ...common,
  params: layerParams,
  querystring: query({ dage: days }),
  response: { 200: HISTORY.schema, ...errors(400, 401, 403, 404, 503) },
};

const version = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: OPS_LIMITS.versionMax, description }));

const shape = nullable(
  Type.Unsafe<Shape>({
    type: 'object',
    required: ['type', 'coordinates'],
    properties: { type: { type: 'string' }, coordinates: { type: 'array', items: {} } },
    description: 'As GeoJSON has it, but in metres of EPSG:25832.',
  }),
);

const changed = shapeOf<VersionDifference['features'][number]>()({
  noegle: [Type.String(), ({ key }) => key],
  objekt_id: [Type.String(), ({ objectId }) => objectId],
  art: [oneOf(Object.values(DIFFERENCE_NAMES)), ({ what }) => DIFFERENCE_NAMES[what]],
  foer: [shape, ({ before }) => before],
  efter: [shape, ({ after }) => after],
});

interface DifferenceOf {
  readonly layer: LayerId;
  readonly of: VersionDifference;
}

export const DIFFERENCE = shapeOf<DifferenceOf>()({
  lag: [oneOf(FEATURE_IDS), ({ layer }) => layer],
  fra: [knownVersion.schema, ({ of }) => knownVersion.render(of.from)],
  til: [knownVersion.schema, ({ of }) => knownVersion.render(of.to)],
  tal: [
    closed(Object.fromEntries(Object.values(DIFFERENCE_NAMES).map((name) => [name, count])), {
      description: 'Of all features that differ, also those that are too many to be shown.',
    }),
    ({ of }) => renamed(DIFFERENCE_NAMES, of.counts),
  ],
  objekter: listOf(changed, ({ of }: DifferenceOf) => of.features, {
    maxItems: OPS_LIMITS.differenceFeatures,
    description: 'Those with the fewest vertices first, as many as are shown.',
  }),
});

export const differenceRoute = {
  operationId: 'driftForskel',
  summary: 'What differs between two versions of a layer, with the shapes',
  ...common,
  params: layerParams,
  querystring: query({
    fra: version('The earlier version; the one before `til` where absent.'),
    til: version('The later version; the one in service where absent.'),
  }),
  response: { 200: DIFFERENCE.schema, ...errors(400, 401, 403, 404, 409, 503) },
};

const audit = shapeOf<NonNullable<DayRecord['audit']>>()(
  {
    sammenlignet: [count, ({ compared }) => compared],
    afvigelser: [count, ({ differences }) => differences],
    alarmer: [count, ({ alarms }) => alarms],
    sprunget_over: [count, ({ skipped }) => skipped],
  },
  { description: 'Memory held against the store; null: nothing is on record.' },
);

const jobs = shapeOf<DayRecord['jobs']>()(
  {
    faerdige: [count, ({ completed }) => completed],
    fejlede: [count, ({ failed }) => failed],
    annullerede: [count, ({ cancelled }) => cancelled],
    raekker: [count, ({ rowsAnswered }) => rowsAnswered],
    raekker_med_fejl: [count, ({ rowsFailed }) => rowsFailed],
  },
  { description: 'Jobs that ended that day and were not deleted since.' },
);

const day = shapeOf<DayRecord>()({
  dag: [Type.String({ format: 'date', description: 'A day in Denmark.' }), ({ date }) => date],
  kontrol: orNull(audit, (of: DayRecord) => of.audit),
  job: [jobs.schema, (of) => jobs.render(of.jobs)],
});

export const DAYS = shapeOf<readonly DayRecord[]>()({
  dage: listOf(day, (days: readonly DayRecord[]) => days, {
    maxItems: OPS_LIMITS.historyDays.max,
    description: 'Oldest first; today is the last.',
  }),
});

export const daysRoute = {
  operationId: 'driftDage',
  summary: 'The self-audit and jobs by day',
  ...common,
  querystring: query({ dage: days }),
  response: { 200: DAYS.schema, ...errors(400, 401, 403, 503) },
};
