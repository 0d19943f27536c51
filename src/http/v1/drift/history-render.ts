import { instant } from '../../../kernel/clock.ts';
import { isRegisterId } from '../../../layers/keys.ts';
import type { LayerId, MirrorId } from '../../../layers/keys.ts';
import type { Freshness } from '../../../layers/source.ts';
import type { EndedRun, KnownVersion, LayerHistory } from '../../../ops/layer-history.ts';
import type { VersionDifference } from '../../../ops/version-difference.ts';
import type { DayRecord } from '../../services.ts';
import { DIFFERENCE_NAMES, RUN_KINDS, RUN_STATES, nameIn, renamed } from './names.ts';

export function renderHistory(
  layer: MirrorId,
  { limitS, hardLimitS }: Freshness,
  history: LayerHistory,
) {
  const { fromMs, toMs, provedBeforeMs, runs, versions, comparable } = history;
  return {
    lag: layer,
    fra: instant(fromMs),
    til: instant(toMs),
    frist_s: limitS,
    yderste_frist_s: hardLimitS,
    synket_foer: instant(provedBeforeMs),
    koersler: runs.map((run) => renderEnded(layer, run)),
    versioner: versions.map((run) => renderEnded(layer, run)),
    kan_sammenlignes: comparable.map(renderVersion),
  };
}

export function renderDifference(
  layer: LayerId,
  { from, to, counts, features }: VersionDifference,
) {
  return {
    lag: layer,
    fra: renderVersion(from),
    til: renderVersion(to),
    tal: renamed(DIFFERENCE_NAMES, counts),
    objekter: features.map(({ key, objectId, what, before, after }) => ({
      noegle: key,
      objekt_id: objectId,
      art: DIFFERENCE_NAMES[what],
      foer: before,
      efter: after,
    })),
  };
}

export function renderDays(days: readonly DayRecord[]) {
  return {
    dage: days.map(({ date, audit, jobs }) => ({
      dag: date,
      kontrol:
        audit === null
          ? null
          : {
              sammenlignet: audit.compared,
              afvigelser: audit.differences,
              alarmer: audit.alarms,
              sprunget_over: audit.skipped,
            },
      job: {
        faerdige: jobs.completed,
        fejlede: jobs.failed,
        annullerede: jobs.cancelled,
        raekker: jobs.rowsAnswered,
        raekker_med_fejl: jobs.rowsFailed,
      },
    })),
  };
}

function renderEnded(layer: MirrorId, run: EndedRun) {
  // A register's tables have no area; the store's 0 is no measure.
  const areaM2 = isRegisterId(layer) ? null : run.areaM2;
  return {
    id: run.id,
    slags: nameIn(RUN_KINDS, run.kind),
    tilstand: RUN_STATES[run.state],
    sluttet: instant(run.endedAtMs),
    varighed_ms: run.durationMs,
    synket: instant(run.provedAtMs),
    version: run.version,
    antal: run.rowCount,
    areal_m2: areaM2 === null ? null : Math.round(areaM2),
    afvist_af: [...run.guards],
    frigivet: [...run.liftedGuards],
    bedt_af: run.askedBy,
  };
}

function renderVersion({ version, publishedAtMs }: KnownVersion) {
  return { version, udgivet: instant(publishedAtMs) };
}
