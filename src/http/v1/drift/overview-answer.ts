/** Keys of breaker hosts are data (D15). */
import { Type } from 'typebox';
import { instant } from '../../../kernel/clock.ts';
import type { SharedFilesView } from '../../../kernel/shared-files-view.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import type { JobView } from '../../../jobs/runner.ts';
import type { MemoryAudit, Overview } from '../../../ops/overview.ts';
import type { RunPage } from '../../../ops/run-log.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import type { WebhookView } from '../../../webhooks/dispatcher.ts';
import { requestsOf } from '../../thread-report.ts';
import type { ThreadReport } from '../../thread-report.ts';
import { nullable, oneOf, ref } from '../../../core/question/schemas.ts';
import { LAYER, RUN_WITH_ISSUES, UNREAD } from './layer-answer.ts';
import type { Abilities } from './layer-answer.ts';
import { ACTION_NAMES, BREAKER_NAMES } from './names.ts';
import { count, time } from './schema-parts.ts';
import { listOf, orNull, shapeOf } from './shape.ts';

const layerId = oneOf(MIRROR_IDS);
const ALARM_NAMES = { answer: 'svar', memory: 'hukommelse' } as const;

const leader = shapeOf<NonNullable<Overview['syncLeader']>>()({
  hvem: [Type.String(), ({ holder }) => holder],
  siden: [time, ({ sinceMs }) => instant(sinceMs)],
  nummer: [count, ({ epoch }) => epoch],
  leder: [Type.Boolean(), ({ leads }) => leads],
});

const host = shapeOf<Overview['hosts'][number]>()({
  vaert: [Type.String(), (of) => of.host],
  afbryder: [oneOf(Object.values(BREAKER_NAMES)), ({ breaker }) => BREAKER_NAMES[breaker]],
  i_gang: [count, ({ inFlight }) => inFlight],
  i_koe: [count, ({ queued }) => queued],
});

const files = shapeOf<SharedFilesView>()({
  svarer: [nullable(Type.Boolean()), ({ isAnswering }) => isAnswering],
  hentet: [count, ({ fetched }) => fetched],
  lagt_op: [count, ({ published }) => published],
  afvist: [count, ({ refused }) => refused],
  fejlet: [count, ({ failed }) => failed],
  manifest: [nullable(time), ({ servedManifestAtMs }) => instant(servedManifestAtMs)],
});

const alarm = shapeOf<MemoryAudit['alarms'][number]>()({
  lag: [layerId, ({ layer }) => layer],
  version: [count, ({ version }) => version],
  tidspunkt: [time, ({ atMs }) => instant(atMs)],
  art: [oneOf(Object.values(ALARM_NAMES)), ({ kind }) => ALARM_NAMES[kind]],
});

const audit = shapeOf<MemoryAudit>()({
  sammenlignet: [count, ({ compared }) => compared],
  afvigelser: [count, ({ differences }) => differences],
  seneste: [nullable(time), ({ lastComparedAtMs }) => instant(lastComparedAtMs)],
  alarmer: listOf(alarm, ({ alarms }: MemoryAudit) => alarms),
});

type Memory = NonNullable<Overview['memory']>;

const memory = shapeOf<Memory>()({
  generation: [nullable(count), ({ generation }) => generation],
  lag: [Type.Array(layerId), ({ layers }) => [...layers]],
  trukket_tilbage: [Type.Array(layerId), ({ suspended }) => [...suspended]],
  bytes: [count, ({ bytes }) => bytes],
  // `manifest`: when those were written that answer while the database does not.
  filer: orNull(files, (of: Memory) => of.files),
  kontrol: orNull(audit, (of: Memory) => of.audit),
});

const thread = shapeOf<ThreadReport>()({
  nummer: [count, (report) => report.thread],
  forespoergsler: [count, requestsOf],
  forsinkelse_ms: [
    Type.Number({ minimum: 0 }),
    ({ delay }) => Math.round(delay.p99S * 10_000) / 10,
  ],
  bytes: [count, ({ heapBytes }) => heapBytes],
  // Since its last report; over a few seconds it hangs.
  stille_s: [count, ({ ageS }) => ageS],
});

const wholeSeconds = (seconds: number | null): number | null =>
  seconds === null ? null : Math.max(0, Math.round(seconds));

const runner = shapeOf<NonNullable<JobView['runner']>>()({
  pladser: [count, ({ places }) => places],
  i_arbejde: [count, ({ underWay }) => underWay],
  raekker: [count, ({ rows }) => rows],
  dele: [count, ({ chunks }) => chunks],
  fejl: [count, ({ failures }) => failures],
});

const jobs = shapeOf<JobView>()({
  aabne: [count, ({ facts }) => facts.open],
  i_gang: [count, ({ facts }) => facts.running],
  ventende_raekker: [count, ({ facts }) => facts.waitingRows],
  ventende_dele: [count, ({ facts }) => facts.waitingChunks],
  dele_i_arbejde: [count, ({ facts }) => facts.leasedChunks],
  stille_s: [nullable(count), ({ facts }) => wholeSeconds(facts.oldestS)],
  bytes: [count, ({ facts }) => facts.bytes],
  her: orNull(runner, (of: JobView) => of.runner),
});

const dispatcher = shapeOf<NonNullable<WebhookView['dispatcher']>>()({
  i_gang: [count, ({ inFlight }) => inFlight],
  leveret: [count, ({ succeeded }) => succeeded],
  fejlede_forsoeg: [count, ({ failed }) => failed],
  opgivet: [count, ({ abandoned }) => abandoned],
  afbrudt: [count, ({ interrupted }) => interrupted],
});

const webhooks = shapeOf<WebhookView>()({
  modtagere: [count, ({ facts }) => facts.endpoints],
  modtagere_med_fejl: [count, ({ facts }) => facts.failingEndpoints],
  venter: [count, ({ facts }) => facts.waiting],
  i_gang: [count, ({ facts }) => facts.inFlight],
  aeldste_s: [nullable(count), ({ facts }) => wholeSeconds(facts.oldestDueS)],
  her: orNull(dispatcher, (of: WebhookView) => of.dispatcher),
});

const action = shapeOf<Overview['actions'][number]>()({
  tidspunkt: [time, ({ atMs }) => instant(atMs)],
  lag: [layerId, ({ layer }) => layer],
  handling: [oneOf(Object.values(ACTION_NAMES)), (of) => ACTION_NAMES[of.action]],
  vaern: [Type.Array(Type.String()), ({ guards }) => [...guards]],
  af: [Type.String(), (of) => of.who],
});

const store = shapeOf<Overview>()({
  svarer: [Type.Boolean(), ({ knownForS }) => knownForS === null],
  alder_s: [count, ({ knownForS }) => knownForS ?? 0],
});

const abilities = shapeOf<Abilities>()({
  synke: [Type.Boolean(), ({ sync }) => sync],
  fortryde: [Type.Boolean(), ({ revert }) => revert],
  snapshot: [Type.Boolean(), ({ snapshot }) => snapshot],
});

interface OverviewOf {
  readonly overview: Overview;
  readonly can: Abilities;
  readonly threads: readonly ThreadReport[];
  readonly jobs: JobView | null;
  readonly webhooks: WebhookView | null;
}

export const OVERVIEW = shapeOf<OverviewOf>()({
  tidspunkt: [time, ({ overview }) => instant(overview.nowMs)],
  generation: [count, ({ overview }) => overview.generation],
  // Tells how old the facts are, if the store does not answer.
  lager: [store.schema, ({ overview }) => store.render(overview)],
  // null: no leader yet. `leder` false: the lease has expired.
  synk_leder: orNull(leader, ({ overview }: OverviewOf) => overview.syncLeader),
  kan: [abilities.schema, ({ can }) => abilities.render(can)],
  vaerter: listOf(host, ({ overview }: OverviewOf) => overview.hosts),
  hukommelse: orNull(memory, ({ overview }: OverviewOf) => overview.memory),
  traade: listOf(thread, ({ threads }: OverviewOf) => threads),
  job: orNull(jobs, (of: OverviewOf) => of.jobs),
  webhooks: orNull(webhooks, (of: OverviewOf) => of.webhooks),
  handlinger: listOf(action, ({ overview }: OverviewOf) => overview.actions),
  lag: [
    Type.Array(ref('Driftslag')),
    ({ overview: { layers, nowMs }, can }) =>
      layers.map((layer) => LAYER.render({ layer, can, nowMs })),
  ],
});

interface RunsOf {
  readonly layer: MirrorId;
  readonly page: RunPage;
  readonly can: Abilities;
}

export const RUNS = shapeOf<RunsOf>()({
  lag: [layerId, ({ layer }) => layer],
  ulaeste: [Type.Array(ref('UlaestObjekt')), ({ page }) => page.unread.map(UNREAD.render)],
  koersler: [
    Type.Array(ref('KoerselMedProblemer')),
    ({ page, can }) => page.runs.map((run) => RUN_WITH_ISSUES.render({ run, can })),
  ],
  naeste: [nullable(Type.String()), ({ page }) => page.next],
});
