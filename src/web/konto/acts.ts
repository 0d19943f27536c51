/** Asked for when it is unfolded, a page at a time. */
import type * as Acts from '../shared/acts.ts';
import { badNotice, html, note, nothing } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { asSession } from '../shared/session.ts';
import { Part } from './board.ts';
import type { ActsPage } from './types.ts';

/** `next` of the page before; null: the newest. */
let before: number | null = null;

type Shown = ActsPage & Pick<typeof Acts, 'actsTable'>;

export const acts: Part<Shown> = new Part(
  async () => {
    const [page, { actsTable }] = await Promise.all([
      asSession<ActsPage>('GET', before === null ? 'v1/me/acts' : `v1/me/acts?before=${before}`),
      import('../shared/acts.ts'),
    ]);
    const shown = before === null ? [] : (acts.value?.acts ?? []);
    return { ...page, actsTable, acts: [...shown, ...page.acts] };
  },
  () => (before = null),
);

function read(from: number | null): void {
  before = from;
  void acts.read();
}

export function actsView(): TemplateResult {
  const onToggle = ({ target }: Event): void => {
    if ((target as HTMLDetailsElement).open) read(null);
  };
  return html`<details @toggle=${onToggle}>
    <summary>
      ${t('Hvad operatører har gjort ved kontoen', 'What operators did to the account')}
    </summary>
    ${badNotice(acts.trouble)} ${acts.value === null ? nothing : actList(acts.value)}
  </details>`;
}

function actList({ acts: all, next, actsTable }: Shown): Content {
  const none = note(t('Ingen handlinger.', 'No acts.'));
  const shown = all.map(({ target, via, ...act }) => ({
    ...{ ...act, object: target },
    via: via === 'command' ? t('kommandolinje', 'command line') : 'API',
  }));
  return html`<div id="act-list">${shown.length === 0 ? none : actsTable(shown)}</div>
    <button type="button" ?hidden=${next === null} @click=${() => read(next)}>
      ${t('Ældre', 'Older')}
    </button>`;
}
