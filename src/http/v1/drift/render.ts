import { instant } from '../../../kernel/clock.ts';
import { requestsOf } from '../../thread-report.ts';
import type { ThreadReport } from '../../thread-report.ts';
import type { JobView } from '../../../jobs/view.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import type { LayerTally } from '../../../ops/metrics.ts';
import type { SharedFilesView } from '../../../kernel/shared-files-view.ts';
import type { LayerOverview, MemoryAudit, Overview } from '../../../ops/overview.ts';
import type { RefusalRecord, RunPage, RunRecord, RunWithIssues } from '../../../ops/run-log.ts';
import { HEALTH, renderCoverage, renderData } from '../status/render.ts';
import { numberLabel, refusalText } from './guard-text.ts';
import type { WebhookView } from '../../../webhooks/view.ts';
import {
  ACTION_NAMES,
  ANSWERED_NAMES,
  BREAKER_NAMES,
  COUNT_NAMES,
  RUN_KINDS,
  RUN_STATES,
  TRIGGERS,
  nameIn,
  renamed,
} from './names.ts';

export interface Abilities {
  readonly sync: boolean;
  readonly revert: boolean;
  readonly snapshot: boolean;
  readonly liftableGuards: readonly string[];
}

export function renderOverview(overview: Overview, can: Abilities) {
  return {
    tidspunkt: instant(overview.nowMs),
    generation: overview.generation,
    lager: { svarer: overview.knownForS === null, alder_s: overview.knownForS ?? 0 },
    synk_leder: renderLeader(overview.syncLeader),
    kan: { synke: can.sync, fortryde: can.revert, snapshot: can.snapshot },
    vaerter: overview.hosts.map(({ host, breaker, inFlight, queued }) => ({
      vaert: host,
      afbryder: BREAKER_NAMES[breaker],
      i_gang: inFlight,
      i_koe: queued,
    })),
    hukommelse:
      overview.memory === null
        ? null
        : {
            generation: overview.memory.generation,
            lag: [...overview.memory.layers],
            trukket_tilbage: [...overview.memory.suspended],
            bytes: overview.memory.bytes,
            filer: overview.memory.files === null ? null : renderFiles(overview.memory.files),
            kontrol: overview.memory.audit === null ? null : renderAudit(overview.memory.audit),
          },
    handlinger: overview.actions.map(({ atMs, layer, action, guards, who }) => ({
      tidspunkt: instant(atMs),
      lag: layer,
      handling: ACTION_NAMES[action],
      vaern: [...guards],
      af: who,
    })),
    lag: overview.layers.map((layer) => renderLayer(layer, can, overview.nowMs)),
  };
}

function renderLeader(leader: Overview['syncLeader']) {
  if (leader === null) return null;
  const { holder, sinceMs, epoch, leads } = leader;
  return { hvem: holder, siden: instant(sinceMs), nummer: epoch, leder: leads };
}

export function renderThreads(threads: readonly ThreadReport[]) {
  return threads.map((report) => ({
    nummer: report.thread,
    forespoergsler: requestsOf(report),
    forsinkelse_ms: Math.round(report.delay.p99S * 10_000) / 10,
    bytes: report.heapBytes,
    stille_s: report.ageS,
  }));
}

export function renderJobs(jobs: JobView | null) {
  if (jobs === null) return null;
  const { facts, runner } = jobs;
  return {
    aabne: facts.open,
    i_gang: facts.running,
    ventende_raekker: facts.waitingRows,
    ventende_dele: facts.waitingChunks,
    dele_i_arbejde: facts.leasedChunks,
    stille_s: facts.oldestS === null ? null : Math.max(0, Math.round(facts.oldestS)),
    bytes: facts.bytes,
    her:
      runner === null
        ? null
        : {
            pladser: runner.places,
            i_arbejde: runner.underWay,
            raekker: runner.rows,
            dele: runner.chunks,
            fejl: runner.failures,
          },
  };
}

export function renderWebhooks(webhooks: WebhookView | null) {
  if (webhooks === null) return null;
  const { facts, dispatcher } = webhooks;
  return {
    modtagere: facts.endpoints,
    modtagere_med_fejl: facts.failingEndpoints,
    venter: facts.waiting,
    i_gang: facts.inFlight,
    aeldste_s: facts.oldestDueS === null ? null : Math.max(0, Math.round(facts.oldestDueS)),
    her:
      dispatcher === null
        ? null
        : {
            i_gang: dispatcher.inFlight,
            leveret: dispatcher.succeeded,
            fejlede_forsoeg: dispatcher.failed,
            opgivet: dispatcher.abandoned,
            afbrudt: dispatcher.interrupted,
          },
  };
}

function renderFiles({ servedManifestAtMs, ...files }: SharedFilesView) {
  return {
    svarer: files.isAnswering,
    hentet: files.fetched,
    lagt_op: files.published,
    afvist: files.refused,
    fejlet: files.failed,
    manifest: instant(servedManifestAtMs),
  };
}

function renderAudit({ compared, differences, lastComparedAtMs, alarms }: MemoryAudit) {
  return {
    sammenlignet: compared,
    afvigelser: differences,
    seneste: instant(lastComparedAtMs),
    alarmer: alarms.map(({ layer, version, atMs, kind }) => ({
      lag: layer,
      version,
      tidspunkt: instant(atMs),
      art: ALARM_NAMES[kind],
    })),
  };
}

const ALARM_NAMES = { answer: 'svar', memory: 'hukommelse' } as const;

export function renderRuns(layer: MirrorId, page: RunPage, can: Abilities) {
  return {
    lag: layer,
    ulaeste: page.unread.map(({ key, objectId, reason, box, raw }) => ({
      noegle: key,
      objekt_id: objectId,
      grund: reason,
      kasse: box,
      raa: raw,
    })),
    koersler: page.runs.map((run) => renderRunWithIssues(run, can)),
    naeste: page.next,
  };
}

function renderLayer(layer: LayerOverview, can: Abilities, nowMs: number) {
  const { copy, running, refusal, hold } = layer;
  const orNull = (run: RunRecord | null) => (run === null ? null : renderRun(run, can));
  return {
    lag: layer.layer,
    navn: layer.name,
    register: layer.register,
    vaert: layer.host,
    noegle_mangler: layer.lacksKey,
    tilstand: HEALTH[layer.health],
    ...renderCopy(layer),
    frist_s: layer.limitS,
    yderste_frist_s: layer.hardLimitS,
    ...renderData(layer.data),
    antal: copy?.rowCount ?? null,
    areal_m2: copy === null ? null : Math.round(copy.areaM2),
    ulaeste: copy?.unread ?? null,
    version: copy?.version ?? null,
    generation: copy?.generation ?? null,
    kan_fortrydes: layer.revertible,
    daekning: renderCoverage(layer.coverage),
    holdt: hold === null ? null : { siden: instant(hold.sinceMs), af: hold.by },
    koerer:
      running === null
        ? null
        : {
            koersel: renderRun(running, can),
            livstegn: instant(nowMs - running.heartbeatAgeMs),
            tavs: running.silent,
          },
    seneste_gode: orNull(layer.lastGood),
    afvisning:
      refusal === null ? null : { staar: refusal.stands, koersel: renderRun(refusal.run, can) },
    fejl: orNull(layer.failure),
    koersler: layer.recent.map((run) => renderRun(run, can)),
    ...renderLookups(layer.lookups),
  };
}

function renderCopy({ copy, hardLimitS }: LayerOverview) {
  return {
    svarer: copy !== null && copy.ageS <= hardLimitS,
    synket: copy === null ? null : instant(copy.syncedAtMs),
    udgivet: copy === null ? null : instant(copy.publishedAtMs),
    alder_s: copy?.ageS ?? null,
  };
}

function renderLookups({ answers, originFailures, lastFallback }: LayerTally) {
  return {
    svar: renamed(ANSWERED_NAMES, answers),
    registerfejl: { ...originFailures },
    seneste_noedsvar:
      lastFallback === null
        ? null
        : { fra: ANSWERED_NAMES[lastFallback.by], tidspunkt: instant(lastFallback.atMs) },
  };
}

function renderRun(run: RunRecord, can: Abilities) {
  return {
    id: run.id,
    slags: nameIn(RUN_KINDS, run.kind),
    udloeser: nameIn(TRIGGERS, run.trigger),
    tilstand: RUN_STATES[run.state],
    fase: run.phase,
    startet: instant(run.startedAtMs),
    sluttet: instant(run.endedAtMs),
    varighed_ms:
      run.endedAtMs === null ? null : Math.max(0, Math.round(run.endedAtMs - run.startedAtMs)),
    version: run.version,
    tal: {
      annonceret: run.announced,
      ...renamed(COUNT_NAMES, run.counts),
    },
    afvist_af: run.refusals.map((refusal) => renderRefusal(refusal, can)),
    fejl: run.error,
    frigivet: [...run.liftedGuards],
    bedt_af: run.askedBy,
  };
}

function renderRunWithIssues(run: RunWithIssues, can: Abilities) {
  return {
    ...renderRun(run, can),
    problemer: run.issueCount,
    eksempler: run.issues.map(({ key, kind, detail }) => ({
      noegle: key,
      art: kind,
      detalje: detail,
    })),
  };
}

function renderRefusal(refusal: RefusalRecord, { liftableGuards }: Abilities) {
  const { guard, message, numbers } = refusal;
  return {
    vaern: guard,
    tekst: refusalText(refusal),
    text: message,
    kan_frigives: liftableGuards.includes(guard),
    tal: Object.entries(numbers).map(([name, value]) => ({
      navn: name,
      tekst: numberLabel(name),
      vaerdi: value,
    })),
  };
}
