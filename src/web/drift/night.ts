import { clock, moment } from '../shared/format.ts';
import { html, note } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import type { Board, Run } from './types.ts';
import { duration } from './units.ts';
import { runWord } from './words.ts';

/** A longer pause begins another night. */
const PAUSE_MS = 60 * 60_000;
/** A run that begins so soon after another's end waited for it. */
const AFTER_MS = 5_000;
const WIDTH = 400;
const HEIGHT = 12;
const NARROWEST = 3;

export interface NightRun {
  readonly name: string;
  readonly run: Run;
  readonly fromMs: number;
  readonly toMs: number;
  /** null: it waited for none. */
  readonly after: string | null;
}

/** Oldest first. A run that has not ended reaches to `now`. */
export function latestNight(layers: Board['lag'], now: number): readonly NightRun[] {
  const all = layers
    .flatMap(({ navn: name, koersler }) =>
      koersler.map((run) => ({
        name,
        run,
        fromMs: Date.parse(run.startet),
        toMs: run.sluttet === null ? now : Date.parse(run.sluttet),
      })),
    )
    .toSorted((a, b) => a.fromMs - b.fromMs);
  let first = all.length - 1;
  while (first > 0 && (all[first]?.fromMs ?? 0) - (all[first - 1]?.toMs ?? 0) < PAUSE_MS) first--;
  return all.slice(Math.max(0, first)).map((each, _at, night) => ({
    ...each,
    after: endedBefore(each.fromMs, night),
  }));
}

function endedBefore(
  fromMs: number,
  night: readonly Pick<NightRun, 'name' | 'fromMs' | 'toMs'>[],
): string | null {
  const before = night
    .filter((each) => each.fromMs < fromMs && each.toMs <= fromMs && fromMs - each.toMs < AFTER_MS)
    .toSorted((a, b) => b.toMs - a.toMs);
  return before[0]?.name ?? null;
}

export function nightPart(layers: Board['lag'], now: number): TemplateResult | null {
  const night = latestNight(layers, now);
  const [first] = night;
  if (first === undefined) return null;
  const { fromMs: from } = first;
  const to = Math.max(...night.map(({ toMs }) => toMs), from + 1);
  const across = (ms: number) => ((ms - from) / (to - from)) * WIDTH;
  const [since, length] = [moment(from), duration(to - from)];
  return html`${note(
      t(
        `${night.length} kørsler fra ${since}, ${length} i alt`,
        `${night.length} runs from ${since}, ${length} in all`,
      ),
    )}
    <ol class="night">
      ${night.map((each) => {
        const x = Math.min(across(each.fromMs), WIDTH - NARROWEST);
        const width = Math.max(NARROWEST, across(each.toMs) - x);
        return html`<li>
          <b>${each.name}</b><span class="muted">${wordsOf(each)}</span>
          <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <rect class="track" width=${WIDTH} height=${HEIGHT}></rect>
            <rect class=${each.run.tilstand} x=${x} width=${width} height=${HEIGHT}></rect>
          </svg>
        </li>`;
      })}
    </ol>`;
}

function wordsOf({ run, after }: NightRun): string {
  return [
    clock(run.startet),
    ...(run.varighed_ms === null ? [] : [duration(run.varighed_ms)]),
    runWord(run.tilstand),
    ...(after === null ? [] : [t(`ventede på ${after}`, `waited for ${after}`)]),
  ].join(', ');
}
