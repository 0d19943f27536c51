import { html, note, repeat, when } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { changeItems } from './changes.ts';
import { daysPart } from './days.ts';
import { layerItem, stateOf } from './layer.ts';
import { nightPart } from './night.ts';
import type { Acts, Shown } from './shown.ts';
import { actionItems, summary, worstFirst } from './summary.ts';
import { trailPart } from './trail.ts';
import type { Board, Layer } from './types.ts';

const ACTIONS_SHOWN = 8;

export function boardView(shown: Shown, act: Acts): TemplateResult {
  const { data, days } = shown;
  const { soon, later } =
    shown.changes === null ? { soon: [], later: [] } : changeItems(shown.changes, act);
  const night = nightPart(data.lag, Date.parse(data.tidspunkt));
  const farOff = t(
    `Varslede ændringer om mere end 90 dage (${later.length})`,
    `Announced changes in more than 90 days (${later.length})`,
  );
  return html`<section class="summary" aria-label=${t('Overblik', 'Overview')}>
      ${summary(data)}
    </section>
    ${when(
      soon.length > 0,
      () =>
        html`<section class="changes" id="changes" aria-labelledby="changes-title">
          <h2 id="changes-title">${t('Varslede ændringer', 'Announced changes')}</h2>
          ${listOf(soon)}
        </section>`,
    )}
    ${layersPart(shown, act)} ${folded('later-changes', farOff, later.length > 0, listOf(later))}
    ${folded('night', t('Seneste nat', 'The latest night'), night !== null, night)}
    <section class="past-days" aria-labelledby="days-title">
      <h2 id="days-title">${t('De sidste 30 dage', 'The last 30 days')}</h2>
      ${typeof days === 'string' ? note(days, 'notice bad') : days === null ? null : daysPart(days)}
    </section>
    ${actionsPart(data.handlinger)}${trailPart(act.redraw)}
    <p class="muted legend">
      ${t(
        'Søjlerne viser de seneste kørsler, nyeste til højre: højden er varigheden, stregen ' +
          'antallet af rækker. Fyldt er udgivet, hul er uændret, ! er afvist, × er fejlet.',
        'Each bar is a run, the newest on the right: its height is how long it took, the line how ' +
          'many rows. Filled is published, hollow is unchanged, ! is refused, × is failed.',
      )}
    </p>`;
}

const listOf = (items: readonly TemplateResult[]) =>
  html`<ul>
    ${items}
  </ul>`;

function folded(id: string, title: string, isShown: boolean, content: unknown): unknown {
  return when(
    isShown,
    () =>
      html`<details class="changes" id=${id}>
        <summary>${title}</summary>
        ${content}
      </details>`,
  );
}

function layersPart({ data, open, narrow }: Shown, act: Acts): TemplateResult {
  const { lag, kan } = data;
  const context = { can: kan, narrow, act };
  const layers = worstFirst(lag);
  const fresh = layers.filter(isFreshCondition);
  const items = (some: readonly Layer[]) =>
    repeat(
      some,
      (layer) => layer.lag,
      (layer) => layerItem(layer, { ...context, open: open.get(layer.lag) ?? null }),
    );
  const title = t(
    `${fresh.length} forhold, som er friske`,
    `${fresh.length} conditions that are fresh`,
  );
  const columns = t(
    'Tilstand,Lag,Alder,Størrelse,Seneste kørsler,',
    'State,Layer,Age,Size,Latest runs,',
  );
  return html`<section aria-labelledby="layers-title">
    <h2 id="layers-title" class="visually-hidden">${t('Lag', 'Layers')}</h2>
    <div class="columns" aria-hidden="true">
      ${columns.split(',').map((name) => html`<span>${name}</span>`)}
    </div>
    <ul class="panel layers" id="layers">
      ${items(layers.filter((layer) => !isFreshCondition(layer)))}
    </ul>
    ${folded(
      'fresh-conditions',
      title,
      fresh.length > 0,
      html`<ul class="panel layers">
        ${items(fresh)}
      </ul>`,
    )}
  </section>`;
}

/** Thirty layers of one kind: those that need nothing are folded. */
function isFreshCondition(layer: Layer): boolean {
  return layer.lag.startsWith('forhold_') && stateOf(layer) === 'frisk';
}

function actionsPart(actions: Board['handlinger']): TemplateResult | null {
  if (actions.length === 0) return null;
  return html`<section class="actions-log" id="actions" aria-labelledby="actions-title">
    <h2 id="actions-title">${t('Seneste handlinger', 'Latest actions')}</h2>
    <ol>
      ${actionItems(actions.slice(0, ACTIONS_SHOWN))}
    </ol>
  </section>`;
}
