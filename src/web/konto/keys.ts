/** A key as a line of the list, and a month's use as a bar. */
import { h, s } from '../shared/dom.ts';
import type { Key, UsageTotal } from './types.ts';
import { moment, number } from '../shared/format.ts';
import { keyWords, permissionWords, quoted, unitWords, words } from './words.ts';

export interface KeyActs {
  readonly rotate: (key: Key) => Promise<void>;
  readonly revoke: (key: Key) => Promise<void>;
}

/** Whether a page made it for itself: those alone have an end from the first, the session's. */
export function isOfPage({ expires_at: end, replaced_by: next }: Key): boolean {
  return end !== null && next === null;
}

/** @param act what the buttons do; none for a key that has ended */
export function keyItem(key: Key, act: KeyActs | null): HTMLElement {
  const said = words();
  const about = key.kind === 'public' ? said.public : permissionWords(key.permission);
  const endsAt = key.state === 'active' ? key.expires_at : null;
  return h(
    'li',
    { class: `key ${key.state}`, id: key.id },
    h(
      'div',
      { class: 'key-name' },
      h('h3', {}, h('bdi', {}, key.name)),
      h('p', {}, h('code', {}, `${key.prefix}…`)),
    ),
    h('span', { class: `badge ${key.environment}` }, said[key.environment]),
    h(
      'div',
      { class: 'key-about' },
      h(
        'p',
        {},
        about,
        key.origins.length > 0 && h('span', { class: 'muted' }, `: ${key.origins.join(', ')}`),
      ),
      h('p', { class: 'muted' }, keyWords(key)),
      endsAt !== null && h('p', { class: 'leaving' }, `${said.ends} ${moment(endsAt)}`),
    ),
    act !== null &&
      h(
        'div',
        { class: 'do' },
        key.replaced_by === null &&
          !isOfPage(key) &&
          button(said.replace, key, () => act.rotate(key)),
        button(said.revoke, key, () => act.revoke(key)),
      ),
  );
}

/** The same words on every line: a screen reader is told which key is meant. */
function button(text: string, key: Key, onclick: () => Promise<void>): HTMLElement {
  const label = `${text} ${quoted(key.name)}`;
  const attributes = { 'aria-label': label, 'data-key': `${key.id} ${text}`, onclick };
  return h('button', { type: 'button', ...attributes }, text);
}

/** Units used of those the plan includes; past them the bar is full and says so. */
export function meter(name: string, total: UsageTotal): HTMLElement {
  const { units, beyond } = words();
  const share = total.allowance === 0 ? 1 : Math.min(1, total.units / total.allowance);
  const level = share >= 1 ? 'dead' : share >= 0.8 ? 'soon' : '';
  const over = total.overage_units > 0 && `, ${number(total.overage_units)} ${beyond}`;
  return h(
    'div',
    { class: 'meter' },
    h('p', {}, h('b', {}, name), ` ${unitWords(total)} ${units}`, over),
    s(
      'svg',
      {
        class: `bar ${level}`,
        viewBox: '0 0 100 8',
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      },
      s('rect', { class: 'track', width: 100, height: 8 }),
      s('rect', { class: 'fill', width: 100 * share, height: 8 }),
    ),
  );
}
