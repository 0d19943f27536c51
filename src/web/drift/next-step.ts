/** In one sentence: the first of these that holds. */
import { number, span } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { stateOf } from './layer.ts';
import type { Board, Layer } from './types.ts';
import { list } from './units.ts';

const MOST_NAMES = 3;
/** Seconds without movement after which a job or a delivery wants a person. */
export const STUCK_S = 60;

export function nextStep(board: Board): string {
  return (
    ofStore(board) ??
    ofLayers(board) ??
    ofAnswers(board) ??
    ofWork(board) ??
    t('Intet at gøre.', 'Nothing to do.')
  );
}

function ofStore({ lager: store, synk_leder: leader }: Board): string | null {
  if (!store.svarer)
    return t(
      'Se til databasen: den svarer ikke, og intet nyt kan hentes, før den gør.',
      'See to the database: it does not answer, and nothing new is fetched until it does.',
    );
  if (leader !== null && !leader.leder)
    return t(
      'Start en proces, der synkroniserer: ingen leder.',
      'Start a process that syncs: none leads.',
    );
  return null;
}

function ofLayers({ lag: layers }: Board): string | null {
  const refused = layers.filter((layer) => layer.afvisning?.staar === true);
  if (refused.length > 0)
    return t(
      `Læs, hvorfor ${names(refused)} er afvist, og frigiv kørslen, hvis det nye er rigtigt.`,
      `Read why ${names(refused)} was refused, and release the run if what is new is right.`,
    );
  const keyless = layers.filter((layer) => layer.noegle_mangler && layer.tilstand !== 'frisk');
  if (keyless.length > 0)
    return t(
      `Sæt nøglen til kilden: uden den hentes ${names(keyless)} ikke.`,
      `Set the key of the source: without it ${names(keyless)} is not fetched.`,
    );
  const wrong = layers.filter(({ tilstand }) => tilstand === 'fejlet' || tilstand === 'forsinket');
  if (wrong.length > 0)
    return t(
      `Vent på kilden, eller bed om en ny kørsel: ${names(wrong)} er ikke kommet.`,
      `Wait for the source, or ask for another run: ${names(wrong)} has not come.`,
    );
  const missing = layers.filter(({ tilstand }) => tilstand === 'mangler');
  if (missing.length > 0)
    return t(
      `Vent: ${names(missing)} hentes for første gang.`,
      `Wait: ${names(missing)} is fetched for the first time.`,
    );
  const held = layers.filter((layer) => stateOf(layer) === 'holdt');
  return held.length === 0
    ? null
    : t(
        `Se, om ${names(held)} stadig skal holdes tilbage.`,
        `See whether ${names(held)} is still to be held back.`,
      );
}

const FALLBACK_SHOWN_MS = 10 * 60_000;

interface Fallbacks {
  readonly layers: readonly Layer[];
  readonly kind: 'bad' | 'warn';
  readonly text: string;
}

/** Said once for all layers; null: none lately. */
export function fallbacksOf({ lag, tidspunkt }: Board): Fallbacks | null {
  const agesMs = lag.map(({ seneste_noedsvar: last }) =>
    last === null ? Infinity : Date.parse(tidspunkt) - Date.parse(last.tidspunkt),
  );
  const layers = lag.filter((_layer, at) => (agesMs[at] ?? Infinity) <= FALLBACK_SHOWN_MS);
  if (layers.length === 0) return null;
  const ago = span(Math.max(0, Math.min(...agesMs)) / 1000);
  const lost = layers.filter((layer) => layer.seneste_noedsvar?.fra === 'utilgaengelig');
  const [da, en] =
    lost.length > 0
      ? ['kunne ikke svare', 'could not answer']
      : ['svarede fra registret eller en gammel kopi', 'answered from the register or an old copy'];
  const who = names(lost.length > 0 ? lost : layers);
  const text = t(`${who} ${da} for ${ago} siden.`, `${who} ${en} ${ago} ago.`);
  return { layers, kind: lost.length > 0 ? 'bad' : 'warn', text };
}

function ofAnswers(board: Board): string | null {
  return fallbacksOf(board) === null
    ? null
    : t(
        'Læs i loggen, hvorfor den friske kopi ikke svarede.',
        'Read in the log why the fresh copy did not answer.',
      );
}

function ofWork({ job, webhooks }: Board): string | null {
  if ((job?.stille_s ?? 0) > STUCK_S)
    return t('Se til jobbene: et af dem står stille.', 'See to the jobs: one of them is stuck.');
  return (webhooks?.aeldste_s ?? 0) > STUCK_S
    ? t('Se til webhooks: en levering er forsinket.', 'See to the webhooks: a delivery is late.')
    : null;
}

function names(layers: readonly Layer[]): string {
  const more = layers.length - MOST_NAMES;
  const told = layers.slice(0, MOST_NAMES).map(({ navn }) => navn);
  return list(more > 0 ? [...told, t(`${number(more)} andre`, `${number(more)} others`)] : told);
}
