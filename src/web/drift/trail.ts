/** The trail of operators' acts: filtered by person and object, a page at a time, asked for when it is unfolded. */
import { actsTable } from '../shared/acts.ts';
import type { ShownAct } from '../shared/acts.ts';
import { wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, h, show } from '../shared/dom.ts';
import { t } from '../shared/language.ts';
import { readTrail } from './api.ts';
import type { TrailPage } from './types.ts';

const details = byIdAs('trail', HTMLDetailsElement);
let acts: TrailPage['handlinger'] = [];
let next: number | null = null;
/** Answers to a question that another has followed are dropped. */
let asked = 0;

async function load(before: number | null): Promise<void> {
  asked += 1;
  const number = asked;
  const who = byIdAs('trail-who', HTMLInputElement).value.trim();
  const object = byIdAs('trail-object', HTMLInputElement).value.trim();
  try {
    const page = await readTrail({ who, object, before });
    if (number !== asked) return;
    acts = before === null ? page.handlinger : [...acts, ...page.handlinger];
    next = page.naeste;
    drawTrail();
  } catch (error) {
    if (number !== asked) return;
    byId('trail-acts').replaceChildren(h('p', { class: 'notice bad' }, wordsOf(error)));
  }
}

export function drawTrail(): void {
  const none = h('p', { class: 'muted' }, t('Ingen handlinger.', 'No acts.'));
  byId('trail-acts').replaceChildren(acts.length === 0 ? none : actsTable(acts.map(shown)));
  show(byId('trail-more'), next !== null);
}

function shown(act: TrailPage['handlinger'][number]): ShownAct {
  const { tidspunkt, af, via, fra, handling, konto, objekt, aendringer } = act;
  return {
    ...{ time: tidspunkt, who: af, act: handling, via: `${via} ${fra}` },
    object: [konto, objekt].filter((each) => each !== null).join(' '),
    changes: aendringer.map(({ felt, foer, efter }) => ({
      ...{ field: felt, before: foer, after: efter },
    })),
  };
}

export function forgetTrail(): void {
  asked += 1;
  acts = [];
  next = null;
  details.open = false;
  byId('trail-acts').replaceChildren();
}

export function installTrail(): void {
  details.addEventListener('toggle', () => {
    if (details.open) void load(null);
  });
  byId('trail-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void load(null);
  });
  byId('trail-more').addEventListener('click', () => void load(next));
}
