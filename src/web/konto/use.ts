import { monthWords } from '../shared/format.ts';
import { badNotice, html, nothing, selectField } from '../shared/html.ts';
import type { SelectField, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { readUsage } from './api.ts';
import { billOf } from './bill.ts';
import { Part, account, redraw } from './board.ts';
import { alarmView } from './first-steps.ts';
import { section } from './pieces.ts';
import type { Environment, Usage } from './types.ts';
import type * as UseMonth from './use-month.ts';
import { monthsBack } from './use-sums.ts';
import type { Group } from './use-sums.ts';

const MONTHS = 24;

const ENVIRONMENTS = [
  ['live', 'Live'],
  ['test', 'Test'],
] as const;

/** null: not chosen. */
let month: string | null = null;
let environment: Environment | null = null;
let group: Group = 'operation';
let width = 0;
let view: typeof UseMonth | null = null;

/** A month that could not be read is never shown as one without use. */
export const use = new Part(
  async () => {
    const current = account?.usage;
    const [usage, drawn] = await Promise.all([
      month === null && current ? current : readUsage(month ?? undefined),
      import('./use-month.ts'),
    ]);
    view = drawn;
    billOf(usage);
    return usage;
  },
  () => {
    [month, environment] = [null, null];
    billOf(null);
  },
);

/** The picture is drawn anew in another width. */
export function observeWidth(board: HTMLElement): void {
  new ResizeObserver(() => {
    const now = document.getElementById('use')?.clientWidth ?? 0;
    if (now === 0 || now === width) return;
    width = now;
    redraw();
  }).observe(board);
}

function take({ target }: Event): void {
  const { id, value } = target as HTMLSelectElement;
  if (id === 'use-environment') environment = value as Environment;
  else if (id === 'use-group') group = value as Group;
  else {
    month = value;
    void use.read();
  }
  redraw();
}

export function useView(current: Usage, createdAt: string): TemplateResult {
  const { live, test } = current;
  environment ??= live.requests === 0 && test.requests > 0 ? 'test' : 'live';
  const months = monthsBack(current.month, createdAt.slice(0, 7), MONTHS);
  const choices = months.map((each) => [each, monthWords(each)] as const);
  const names = { operation: t('Opslag', 'Lookup'), key: t('Nøgle', 'Key') };
  const groups = Object.entries(names);
  const fields: readonly SelectField[] = [
    ['use-month', t('Måned', 'Month'), choices, month ?? current.month],
    ['use-environment', t('Miljø', 'Environment'), ENVIRONMENTS, environment],
    ['use-group', t('Fordel på', 'Split by'), groups, group],
  ];
  return section(
    { id: 'use', title: t('Forbrug', 'Usage') },
    html`<div class="card part">
      <div class="choices" @change=${take}>
        ${fields.map((field) => html`<p>${selectField(field)}</p>`)}
      </div>
      ${badNotice(use.trouble)}
      <div id="use">
        ${use.value === null ? nothing : view?.monthView(use.value, { environment, group, width })}
      </div>
      ${alarmView()}
    </div>`,
  );
}
