import { actsTable } from '../shared/acts.ts';
import type { ShownAct } from '../shared/acts.ts';
import { turns, wordsOf } from '../shared/ask.ts';
import { html, note } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { readTrail } from './api.ts';
import type { TrailPage } from './types.ts';

type Kept = TrailPage['handlinger'];

/** null: not fetched; a text: why it is not known. */
let acts: Kept | string | null = null;
let next: number | null = null;
const nextTurn = turns();

export function forgetTrail(): void {
  nextTurn();
  acts = next = null;
}

async function load(form: HTMLFormElement, before: number | null, redraw: () => void) {
  const isLatest = nextTurn();
  const [who = '', object = ''] = [...form.querySelectorAll('input')].map(({ value }) =>
    value.trim(),
  );
  const page = await readTrail({ af: who, objekt: object, foer: before }).catch(wordsOf);
  if (!isLatest()) return;
  if (typeof page === 'string') acts = page;
  else {
    const earlier = before === null || !Array.isArray(acts) ? [] : acts;
    [acts, next] = [[...earlier, ...page.handlinger], page.naeste];
  }
  redraw();
}

export function trailPart(redraw: () => void): TemplateResult {
  const ask = (before: number | null) => (event: Event) => {
    event.preventDefault();
    const details = (event.currentTarget as HTMLElement).closest('details');
    const form = details?.querySelector('form') ?? null;
    if (details?.open === true && form !== null) void load(form, before, redraw);
  };
  return html`<details class="changes" id="trail" @toggle=${ask(null)}>
    <summary>${t('Alt, hvad operatører har gjort', 'All that operators did')}</summary>
    <form class="trail-form" @submit=${ask(null)}>
      <label for="trail-who">${t('Hvem', 'Who')}</label>
      <input id="trail-who" type="text" maxlength="60" autocomplete="off" />
      <label for="trail-object">${t('Konto, nøgle, lag …', 'Account, key, layer …')}</label>
      <input id="trail-object" type="text" maxlength="60" autocomplete="off" spellcheck="false" />
      <button type="submit">${t('Vis', 'Show')}</button>
    </form>
    <div id="trail-acts">${shown()}</div>
    <button type="button" ?hidden=${next === null} @click=${ask(next)}>
      ${t('Ældre', 'Older')}
    </button>
  </details>`;
}

function shown(): unknown {
  if (acts === null) return null;
  if (typeof acts === 'string') return note(acts, 'notice bad');
  return acts.length === 0 ? note(t('Ingen handlinger.', 'No acts.')) : actsTable(acts.map(actOf));
}

function actOf(act: Kept[number]): ShownAct {
  const { tidspunkt, af, via, fra, handling, konto, objekt, aendringer } = act;
  return {
    ...{ time: tidspunkt, who: af, act: handling, via: `${via} ${fra}` },
    object: [konto, objekt].filter((each) => each !== null).join(' '),
    changes: aendringer.map(({ felt, foer, efter }) => ({
      ...{ field: felt, before: foer, after: efter },
    })),
  };
}
