/** Keys of guards and phases are data (D15). */
import { Type } from 'typebox';
import { instant } from '../../../kernel/clock.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { ANSWERED_BY } from '../../../ops/metrics.ts';
import type { LayerOverview } from '../../../ops/overview.ts';
import { COUNTED } from '../../../ops/run-log.ts';
import type {
  RefusalRecord,
  RunRecord,
  RunWithIssues,
  UnreadRecord,
} from '../../../ops/run-log.ts';
import { closed, nullable, oneOf, ref } from '../../../core/question/schemas.ts';
import { HEALTH, renderCoverage } from '../status/render.ts';
import { CoverageSchema, DATA_AGE, registerName } from '../status/schema.ts';
import { numberLabel, refusalText } from './guard-text.ts';
import {
  ANSWERED_NAMES,
  COUNT_NAMES,
  RUN_KINDS,
  RUN_STATES,
  TRIGGERS,
  nameIn,
  renamed,
} from './names.ts';
import { count, time } from './schema-parts.ts';
import { listOf, orNull, shapeOf } from './shape.ts';
import type { Shape } from './shape.ts';

export interface Abilities {
  readonly sync: boolean;
  readonly revert: boolean;
  readonly snapshot: boolean;
  readonly liftableGuards: readonly string[];
}

/** With a name in the document. */
function named<From, Value>(id: string, { render }: Shape<From, Value>): Shape<From, Value> {
  return { schema: ref(id), render };
}

const text = (description: string) => Type.String({ description });

const guardNumber = shapeOf<readonly [name: string, value: number]>()({
  navn: [Type.String(), ([name]) => name],
  tekst: [Type.String(), ([name]) => numberLabel(name)],
  vaerdi: [Type.Number(), ([, value]) => value],
});

interface RefusalOf {
  readonly refusal: RefusalRecord;
  readonly can: Abilities;
}

export const GUARD = shapeOf<RefusalOf>()(
  {
    vaern: [text('The name of the guard, as `frigiv` takes it.'), ({ refusal }) => refusal.guard],
    tekst: [
      text('What was found and what is allowed, in Danish.'),
      ({ refusal }) => refusalText(refusal),
    ],
    text: [text('The same in English, as recorded.'), ({ refusal }) => refusal.message],
    kan_frigives: [
      Type.Boolean(),
      ({ refusal, can }) => can.liftableGuards.includes(refusal.guard),
    ],
    tal: listOf(guardNumber, ({ refusal }: RefusalOf) => Object.entries(refusal.numbers)),
  },
  { $id: 'Vaern', description: 'A guard that refused a run, with its numbers.' },
);

export interface RunOf {
  readonly run: RunRecord;
  readonly can: Abilities;
}

const counted = ['annonceret', ...COUNTED.map((name) => COUNT_NAMES[name])];

const lengthOf = ({ startedAtMs, endedAtMs }: RunRecord): number | null =>
  endedAtMs === null ? null : Math.max(0, Math.round(endedAtMs - startedAtMs));

const runFields = <Of extends RunOf>() => ({
  id: [Type.String(), ({ run }: Of) => run.id] as const,
  slags: [oneOf(Object.values(RUN_KINDS)), ({ run }: Of) => nameIn(RUN_KINDS, run.kind)] as const,
  udloeser: [
    oneOf(Object.values(TRIGGERS)),
    ({ run }: Of) => nameIn(TRIGGERS, run.trigger),
  ] as const,
  tilstand: [oneOf(Object.values(RUN_STATES)), ({ run }: Of) => RUN_STATES[run.state]] as const,
  fase: [text('The phase it is in, or ended in.'), ({ run }: Of) => run.phase] as const,
  startet: [time, ({ run }: Of) => instant(run.startedAtMs)] as const,
  sluttet: [nullable(time), ({ run }: Of) => instant(run.endedAtMs)] as const,
  varighed_ms: [nullable(count), ({ run }: Of) => lengthOf(run)] as const,
  version: [nullable(count), ({ run }: Of) => run.version] as const,
  tal: [
    closed(Object.fromEntries(counted.map((name) => [name, nullable(count)])), {
      description: 'What the run counted; null where it had not come to it.',
    }),
    ({ run }: Of) => ({ annonceret: run.announced, ...renamed(COUNT_NAMES, run.counts) }),
  ] as const,
  afvist_af: listOf(named('Vaern', GUARD), ({ run, can }: Of) =>
    run.refusals.map((refusal) => ({ refusal, can })),
  ),
  fejl: [nullable(Type.String()), ({ run }: Of) => run.error] as const,
  frigivet: [
    Type.Array(Type.String(), { description: 'Guards an operator released for this run.' }),
    ({ run }: Of) => [...run.liftedGuards],
  ] as const,
  bedt_af: [
    nullable(text('Who asked for it, where that is known.')),
    ({ run }: Of) => run.askedBy,
  ] as const,
});

export const RUN = shapeOf<RunOf>()(runFields(), {
  $id: 'Koersel',
  description: 'One run of a layer.',
});

interface RunWithIssuesOf extends RunOf {
  readonly run: RunWithIssues;
}

const issue = shapeOf<RunWithIssues['issues'][number]>()({
  noegle: [nullable(Type.String()), ({ key }) => key],
  art: [Type.String(), ({ kind }) => kind],
  detalje: [Type.String(), ({ detail }) => detail],
});

export const RUN_WITH_ISSUES = shapeOf<RunWithIssuesOf>()(
  {
    ...runFields<RunWithIssuesOf>(),
    problemer: [count, ({ run }) => run.issueCount],
    eksempler: listOf(issue, ({ run }: RunWithIssuesOf) => run.issues),
  },
  { $id: 'KoerselMedProblemer', description: 'One run, with the features it could not read.' },
);

export const UNREAD = shapeOf<UnreadRecord>()(
  {
    noegle: [nullable(Type.String()), ({ key }) => key],
    objekt_id: [nullable(Type.String()), ({ objectId }) => objectId],
    grund: [Type.String(), ({ reason }) => reason],
    kasse: [
      nullable(
        Type.Array(Type.Number(), {
          minItems: 4,
          maxItems: 4,
          description: 'Where it is not answered: west, south, east, north in EPSG:25832.',
        }),
      ),
      ({ box }) => box,
    ],
    raa: [nullable(text('Its geometry as it came, cut short.')), ({ raw }) => raw],
  },
  { $id: 'UlaestObjekt', description: 'A feature or a row that the copy could not read.' },
);

interface LayerOf {
  readonly layer: LayerOverview;
  readonly can: Abilities;
  readonly nowMs: number;
}

const orRun = (read: (layer: LayerOverview) => RunRecord | null) =>
  orNull(named('Koersel', RUN), ({ layer, can }: LayerOf) => {
    const run = read(layer);
    return run === null ? null : { run, can };
  });

const running = shapeOf<RunOf & Pick<LayerOf, 'nowMs'> & { readonly silent: boolean }>()({
  koersel: [ref('Koersel'), RUN.render],
  livstegn: [time, ({ run, nowMs }) => instant(nowMs - run.heartbeatAgeMs)],
  tavs: [Type.Boolean(), ({ silent }) => silent],
});

const refused = shapeOf<RunOf & { readonly stands: boolean }>()({
  staar: [
    Type.Boolean({ description: 'No later run has ended otherwise.' }),
    ({ stands }) => stands,
  ],
  koersel: [ref('Koersel'), RUN.render],
});

const fallback = shapeOf<NonNullable<LayerOverview['lookups']['lastFallback']>>()({
  fra: [oneOf(Object.values(ANSWERED_NAMES)), ({ by }) => ANSWERED_NAMES[by]],
  tidspunkt: [time, ({ atMs }) => instant(atMs)],
});

const heldCopy = {
  schema: closed(
    { siden: time, af: Type.String() },
    { description: 'Put back by a person: not synced until a person asks for it.' },
  ),
  render: ({ sinceMs, by }: NonNullable<LayerOverview['hold']>) => ({
    siden: instant(sinceMs),
    af: by,
  }),
};

export const LAYER = shapeOf<LayerOf>()(
  {
    lag: [oneOf(MIRROR_IDS), ({ layer }) => layer.layer],
    navn: [Type.String(), ({ layer }) => layer.name],
    register: [registerName, ({ layer }) => layer.register],
    vaert: [Type.String(), ({ layer }) => layer.host],
    noegle_mangler: [
      Type.Boolean({ description: 'The register wants an API key; none is set.' }),
      ({ layer }) => layer.lacksKey,
    ],
    tilstand: [
      oneOf(['frisk', 'forsinket', 'fejlet', 'mangler']),
      ({ layer }) => HEALTH[layer.health],
    ],
    svarer: [
      Type.Boolean({ description: 'The copy is young enough to answer at all.' }),
      ({ layer: { copy, hardLimitS } }) => copy !== null && copy.ageS <= hardLimitS,
    ],
    synket: [nullable(time), ({ layer }) => instant(layer.copy?.syncedAtMs ?? null)],
    udgivet: [nullable(time), ({ layer }) => instant(layer.copy?.publishedAtMs ?? null)],
    alder_s: [nullable(count), ({ layer }) => layer.copy?.ageS ?? null],
    frist_s: [count, ({ layer }) => layer.limitS],
    yderste_frist_s: [count, ({ layer }) => layer.hardLimitS],
    data_fra: [DATA_AGE.data_fra, ({ layer }) => layer.data.madeAt],
    data_alder_s: [DATA_AGE.data_alder_s, ({ layer }) => layer.data.ageS],
    data_frist_s: [DATA_AGE.data_frist_s, ({ layer }) => layer.data.limitS],
    antal: [nullable(count), ({ layer }) => layer.copy?.rowCount ?? null],
    areal_m2: [
      nullable(Type.Number({ minimum: 0 })),
      ({ layer: { copy } }) => (copy === null ? null : Math.round(copy.areaM2)),
    ],
    ulaeste: [
      nullable(
        Type.Integer({
          minimum: 0,
          description: 'Features or rows of the copy that could not be read.',
        }),
      ),
      ({ layer }) => layer.copy?.unread ?? null,
    ],
    version: [nullable(count), ({ layer }) => layer.copy?.version ?? null],
    generation: [nullable(count), ({ layer }) => layer.copy?.generation ?? null],
    kan_fortrydes: [
      Type.Boolean({ description: 'There is an earlier version.' }),
      ({ layer }) => layer.revertible,
    ],
    daekning: [CoverageSchema, ({ layer }) => renderCoverage(layer.coverage)],
    holdt: orNull(heldCopy, ({ layer }: LayerOf) => layer.hold),
    koerer: orNull(running, ({ layer: { running: run }, ...of }: LayerOf) =>
      run === null ? null : { ...of, run, silent: run.silent },
    ),
    seneste_gode: orRun(({ lastGood }) => lastGood),
    afvisning: orNull(refused, ({ layer: { refusal }, can }: LayerOf) =>
      refusal === null ? null : { ...refusal, can },
    ),
    fejl: orRun(({ failure }) => failure),
    koersler: listOf(
      named('Koersel', RUN),
      ({ layer, can }: LayerOf) => layer.recent.map((run) => ({ run, can })),
      { maxItems: OPS_LIMITS.runsInOverview },
    ),
    svar: [
      closed(Object.fromEntries(ANSWERED_BY.map((by) => [ANSWERED_NAMES[by], count])), {
        description: 'Lookups since this process began, by the rung that answered.',
      }),
      ({ layer }) => renamed(ANSWERED_NAMES, layer.lookups.answers),
    ],
    registerfejl: [
      Type.Record(Type.String(), count, {
        description: 'Failed live questions since this process began, by kind.',
      }),
      ({ layer }) => ({ ...layer.lookups.originFailures }),
    ],
    seneste_noedsvar: orNull(fallback, ({ layer }: LayerOf) => layer.lookups.lastFallback),
  },
  { $id: 'Driftslag', description: 'All an operator sees of one layer.' },
);
