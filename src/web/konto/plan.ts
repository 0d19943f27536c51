/** What the plan allows. Only an operator changes plan and cap. */
import { byId, h } from '../shared/dom.ts';
import type { Me } from './types.ts';
import { number } from '../shared/format.ts';
import { TIER_WORDS, words } from './words.ts';

export function drawPlan({ account, limits }: Me): void {
  const said = words();
  const { units_per_month: units, ceiling_per_month: ceiling } = limits;
  const facts: readonly (readonly [string, string])[] = [
    [said.plan, TIER_WORDS[account.tier]],
    [said.unitsLive, number(units.live)],
    [said.unitsTest, number(units.test)],
    [said.overage, limits.overage ? said.overageYes : said.overageNo],
    [said.cap, `${number(ceiling.live)} ${said.capMeans}`],
    [
      said.pace,
      `${number(limits.requests_per_second)}, ${said.burst} ${number(limits.burst_requests)}`,
    ],
    [said.batches, limits.batches ? said.yes : said.no],
  ];
  byId('plan').replaceChildren(
    ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}
