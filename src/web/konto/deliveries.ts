/** The log of a webhook as a table. */
import { h } from '../shared/dom.ts';
import type { Delivery } from './types.ts';
import { moment, number } from '../shared/format.ts';
import { scrolled, table } from '../shared/table.ts';
import { answerWords, stateWords, words } from './words.ts';

const BADGES = { pending: 'warn', success: 'good', failed: 'bad' } as const;

export function deliveriesTable(log: readonly Delivery[], name: string): HTMLElement {
  const said = words();
  const head = [said.time, said.event, said.state, said.attempts, said.answer, said.next];
  return scrolled(name, table({ head, rows: log.map(deliveryRow) }));
}

function deliveryRow(delivery: Delivery): HTMLTableRowElement {
  const { id, event, status, attempts, createdAt, nextAttemptAt } = delivery;
  return h(
    'tr',
    { 'data-delivery': id },
    h('th', { scope: 'row' }, moment(createdAt)),
    h('td', {}, h('code', {}, event)),
    h('td', {}, h('span', { class: `badge ${BADGES[status]}` }, stateWords(status))),
    h('td', {}, number(attempts)),
    h('td', {}, answerWords(delivery)),
    h('td', {}, nextAttemptAt === null ? '–' : moment(nextAttemptAt)),
  );
}
