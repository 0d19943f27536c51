/** What operators did to the account: asked for when it is unfolded, a page at a time. */
import { actsTable } from '../shared/acts.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { t } from '../shared/language.ts';
import { readActs } from './api.ts';
import { troubleOf } from './trouble.ts';
import type { ActsPage } from './types.ts';

const details = byIdAs('acts', HTMLDetailsElement);
let acts: ActsPage['acts'] = [];
let next: number | null = null;

async function load(before: number | null): Promise<void> {
  try {
    const page = await readActs(before);
    acts = before === null ? page.acts : [...acts, ...page.acts];
    next = page.next;
    drawActs();
    say(byId('acts-trouble'), '');
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) say(byId('acts-trouble'), why);
  }
}

export function drawActs(): void {
  const none = h('p', { class: 'muted' }, t('Ingen handlinger.', 'No acts.'));
  const shown = acts.map(({ target, via, ...act }) => ({
    ...{ ...act, object: target },
    via: via === 'command' ? t('kommandolinje', 'command line') : 'API',
  }));
  byId('act-list').replaceChildren(shown.length === 0 ? none : actsTable(shown));
  show(byId('acts-more'), next !== null);
}

export function forgetActs(): void {
  acts = [];
  next = null;
  details.open = false;
  byId('act-list').replaceChildren();
}

export function installActs(): void {
  details.addEventListener('toggle', () => {
    if (details.open) void load(null);
  });
  byId('acts-more').addEventListener('click', () => void load(next));
}
