import type { Progress, RunOutcome } from './deps.ts';
import type { LiveOutcome } from '../src/core/dry-run.ts';
import type { RevertOutcome } from './revert.ts';
import { whatStays } from './run-log.ts';

type Ended = Extract<RunOutcome, { counts: unknown }>;

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Display {
  progress(progress: Progress): void;
  ended(outcome: RunOutcome): void;
}

/** A terminal's line is rewritten until its layer ends. */
export function displayOn(out: Terminal): Display {
  const live = out.isTTY === true;
  let phase = '';
  return {
    progress: (progress) => {
      if (live) {
        out.write(`\r\u001b[K${progressLine(progress).slice(0, (out.columns ?? 80) - 1)}`);
      } else if (`${progress.layer} ${progress.phase}` !== phase) {
        phase = `${progress.layer} ${progress.phase}`;
        if (progress.phase === 'fetch') out.write(`${progress.layer}: fetching\n`);
      }
    },
    ended: (outcome) => {
      out.write(`${live ? '\r\u001b[K' : ''}${outcomeLines(outcome).join('\n')}\n`);
    },
  };
}

export function progressLine({ layer, phase, ...at }: Progress): string {
  const of = at.announced === null ? '' : ` of ${number(at.announced)}`;
  const pages = at.pages === 1 ? '1 page' : `${number(at.pages)} pages`;
  return `${name(layer)} ${phase.padEnd(8)} ${pages}, ${number(at.features)}${of} features, ${seconds(at.elapsedMs)}`;
}

export function outcomeLines(outcome: RunOutcome): readonly string[] {
  const { layer } = outcome;
  if (outcome.state === 'busy') {
    const since = new Date(outcome.sinceMs).toISOString();
    return [`${name(layer)} busy: another run of this layer has been going on since ${since}.`];
  }
  if (outcome.state === 'held') {
    const since = new Date(outcome.sinceMs).toISOString();
    return [`${name(layer)} held by ${outcome.by} since ${since}: left as it is.`];
  }
  const tail = `(${seconds(outcome.elapsedMs)})`;
  if (outcome.state === 'published') {
    const { version, generation, rowCount } = outcome.publication;
    const published = `published version ${version}, generation ${generation}`;
    return [`${name(layer)} ${published}: ${number(rowCount)} rows, ${changes(outcome)} ${tail}`];
  }
  const refusals = outcome.state === 'refused' ? outcome.refusals : [];
  return [
    `${name(layer)} ${saidOf(outcome)} ${tail}`,
    ...refusals.map(
      ({ guard, message, numbers }) => `  ${guard}: ${message} ${JSON.stringify(numbers)}`,
    ),
    ...outcome.counts.notes.map((note) => `  ${note}`),
  ];
}

function saidOf(outcome: Exclude<Ended, { state: 'published' }>): string {
  switch (outcome.state) {
    case 'unchanged':
      return `unchanged: ${number(outcome.counts.staged)} rows`;
    case 'would-publish':
      return `would publish: ${changes(outcome)}`;
    case 'failed':
      return `failed in ${outcome.phase}: ${outcome.reason}`;
    case 'refused':
      return `refused, ${whatStays(outcome.hasCopy)}`;
  }
}

export function revertLines(outcome: RevertOutcome): readonly string[] {
  const { layer } = outcome;
  if (outcome.state === 'nothing' || outcome.state === 'moved') {
    return [`${name(layer)} not reverted: no earlier version is kept.`];
  }
  if (outcome.state !== 'published') return outcomeLines(outcome);
  return [
    ...outcomeLines(outcome),
    '  Held as it is: it is not synced again until somebody asks for a sync of it.',
  ];
}

export function liveLine({ layer, state, detail }: LiveOutcome): string {
  return `${name(layer)} ${state.replace('-', ' ')}: ${detail}`;
}

export function isGood({ state }: RunOutcome): boolean {
  return state === 'published' || state === 'unchanged' || state === 'would-publish';
}

const CLASSES = ['attribute', 'redigitised', 'real', 'unclassed'] as const;

function changes({ counts }: Ended): string {
  const { inserted, changed, removed, repaired, coveredTwice, slivers, changes: classes } = counts;
  const how = CLASSES.filter((each) => classes[each] > 0).map(
    (each) => `${number(classes[each])} ${each}`,
  );
  const of = how.length === 0 ? '' : ` (${how.join(', ')})`;
  const twice = coveredTwice === 0 ? '' : ` (${number(coveredTwice)} covered a place twice)`;
  const swept = slivers === 0 ? '' : ` (${number(slivers)} slivers dropped)`;
  const mended = repaired === 0 ? '' : `, ${number(repaired)} repaired${twice}${swept}`;
  return `${number(inserted)} new, ${number(changed)} changed${of}, ${number(removed)} removed${mended}`;
}

function name(layer: string): string {
  return layer.padEnd(17);
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
