/** The account's webhooks: the list, and what is done with each. */
import { byId, h, say, show } from '../shared/dom.ts';
import { confirmed, toast } from '../shared/notices.ts';
import {
  changeWebhook,
  pingWebhook,
  readDeliveries,
  readWebhooks,
  registerWebhook,
  removeWebhook,
  renewWebhookSecret,
} from './api.ts';
import type { Delivery, NewWebhook, Webhook } from './types.ts';
import { showSecret } from './secret.ts';
import { keepingFocus, troubleOf } from './trouble.ts';
import { installWebhookForm, openWebhookForm } from './webhook-form.ts';
import { moment, number } from '../shared/format.ts';
import { answerWords, quoted, words, stateWords } from './words.ts';
import { scrolled, table } from '../shared/table.ts';

const BADGES = { pending: 'warn', success: 'good', failed: 'bad' } as const;

function deliveriesTable(log: readonly Delivery[], name: string): HTMLElement {
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

/** The log of a webhook as it was read, or why it could not be; null: under way. */
type Log = readonly Delivery[] | { readonly failure: string } | null;

/** null: not read, or not readable. */
let webhooks: readonly Webhook[] | null = null;
/** Of the webhooks whose log is open. */
const logs = new Map<string, Log>();
/** How the last ping of each went; null: under way. */
const pings = new Map<string, Delivery | null>();

/** Only the latest answer is drawn, and none after the page was left. */
let reads = 0;

/** Reads the list anew; that it failed is no empty list. */
export async function showWebhooks(): Promise<void> {
  reads += 1;
  const read = reads;
  try {
    const found = await readWebhooks();
    if (read !== reads) return;
    webhooks = found;
    say(byId('hooks-trouble'), '');
  } catch (error) {
    if (read !== reads) return;
    const why = troubleOf(error);
    if (why === null) return;
    webhooks = null;
    say(byId('hooks-trouble'), why);
  }
  drawWebhooks();
}

/** Nothing of the account stays in the page. */
export function forgetWebhooks(): void {
  reads += 1;
  webhooks = null;
  logs.clear();
  pings.clear();
  drawWebhooks();
}

/** In the language of now. */
export function drawWebhooks(): void {
  keepingFocus(() => {
    byId('hooks').replaceChildren(...(webhooks ?? []).map(webhookItem));
    show(byId('hooks'), webhooks !== null && webhooks.length > 0);
    show(byId('no-hooks'), webhooks !== null && webhooks.length === 0);
  }, byId('new-hook'));
}

function webhookItem(webhook: Webhook): HTMLElement {
  const { id, url, events, enabled, description, secretPrefix, createdAt } = webhook;
  const said = words();
  const registered = `${said.registered} ${moment(createdAt)}`;
  return h(
    'li',
    { class: 'hook', id },
    h(
      'div',
      { class: 'hook-name' },
      h('h3', {}, h('bdi', {}, url)),
      description !== undefined && description !== '' && h('p', {}, h('bdi', {}, description)),
      h('p', { class: 'hook-events' }, ...events.map((event) => h('code', {}, event))),
      h('p', { class: 'muted' }, h('code', {}, `${secretPrefix}…`), ` · ${registered}`),
    ),
    h('span', { class: `badge ${enabled ? 'good' : 'warn'}` }, enabled ? said.active : said.paused),
    h(
      'div',
      { class: 'do' },
      button(webhook, pings.get(id) === null ? said.pinging : said.ping, () => ping(webhook)),
      enabled
        ? button(webhook, said.pause, () => setEnabled(webhook, false))
        : button(webhook, said.resume, () => setEnabled(webhook, true)),
      button(webhook, said.edit, () => edit(webhook)),
      button(webhook, said.renew, () => renew(webhook)),
      button(webhook, said.remove, () => remove(webhook)),
    ),
    pingLine(pings.get(id)),
    logPart(webhook),
  );
}

/** The same words on every line: a screen reader is told which webhook is meant. */
function button({ id, url }: Webhook, text: string, onclick: () => unknown): HTMLElement {
  const said = words();
  // The two that take each other's place are one to the keyboard.
  const deed = text === said.resume ? said.pause : text === said.pinging ? said.ping : text;
  const attributes = { 'aria-label': `${text} ${quoted(url)}`, 'data-key': `${id} ${deed}` };
  const isBusy = text === said.pinging;
  return h(
    'button',
    { type: 'button', ...attributes, 'aria-disabled': isBusy && 'true', onclick },
    text,
  );
}

function pingLine(delivery: Delivery | null | undefined): HTMLElement | null {
  if (delivery === null || delivery === undefined) return null;
  const isGood = delivery.status === 'success';
  return h('p', { class: `notice ${isGood ? 'good' : 'bad'} pinged` }, pingWords(delivery));
}

function pingWords(delivery: Delivery): string {
  const said = words();
  const answer = answerWords(delivery);
  return delivery.status === 'success'
    ? `${said.pinged} ${answer}.`
    : `${said.pingFailed}: ${answer}.`;
}

function logPart(webhook: Webhook): HTMLElement {
  const { id, url } = webhook;
  const said = words();
  const log = logs.get(id);
  const isOpen = log !== undefined;
  const name = `${said.deliveries} ${quoted(url)}`;
  const toggle = h(
    'button',
    {
      type: 'button',
      class: 'link',
      'aria-expanded': String(isOpen),
      'aria-label': name,
      'data-key': `${id} log`,
      onclick: () => {
        if (logs.delete(id)) drawWebhooks();
        else void readLog(webhook);
      },
    },
    said.deliveries,
  );
  return h('div', { class: 'log' }, toggle, ...(isOpen ? logContent(webhook, log) : []));
}

function logContent(webhook: Webhook, log: Log): readonly (Node | null)[] {
  const said = words();
  const again = button(webhook, said.refresh, () => readLog(webhook));
  if (log === null) return [h('p', { class: 'muted' }, said.loading)];
  if ('failure' in log) return [h('p', { class: 'notice bad' }, log.failure), again];
  if (log.length === 0) return [h('p', { class: 'muted' }, said.noDeliveries), again];
  const name = `${said.deliveries} ${quoted(webhook.url)}`;
  return [deliveriesTable(log, name), again, h('p', { class: 'muted hint' }, said.logKept)];
}

/** What stands there stays until the answer is there. */
async function readLog({ id }: Webhook): Promise<void> {
  if (!logs.has(id)) {
    logs.set(id, null);
    drawWebhooks();
  }
  let read: Log;
  try {
    read = await readDeliveries(id);
  } catch (error) {
    const failure = troubleOf(error);
    if (failure === null) return;
    read = { failure };
  }
  // Closed meanwhile.
  if (!logs.has(id)) return;
  logs.set(id, read);
  drawWebhooks();
}

async function ping(webhook: Webhook): Promise<void> {
  const { id } = webhook;
  const before = pings.get(id);
  if (before === null) return;
  pings.set(id, null);
  drawWebhooks();
  try {
    const delivery = await pingWebhook(id);
    pings.set(id, delivery);
    toast(pingWords(delivery), delivery.status === 'success' ? 'good' : 'bad');
  } catch (error) {
    if (before === undefined) pings.delete(id);
    else pings.set(id, before);
    fail(error);
  }
  drawWebhooks();
  if (logs.has(id)) await readLog(webhook);
}

async function setEnabled({ id }: Webhook, enabled: boolean): Promise<void> {
  await attempt(async () => {
    await changeWebhook(id, { enabled });
    toast(enabled ? words().isResumed : words().isPaused);
  });
}

function edit(webhook: Webhook): void {
  openWebhookForm(webhook, async ({ url, events, description }) => {
    await changeWebhook(webhook.id, {
      events,
      ...(url !== webhook.url && { url }),
      description: description === '' ? null : description,
    });
    await showWebhooks();
    return () => toast(words().isChanged);
  });
}

async function renew({ id, url }: Webhook): Promise<void> {
  const said = words();
  const sure = await confirmed(`${said.renew}?`, said.renew, [
    h('p', {}, h('code', {}, h('bdi', {}, url))),
    h('p', {}, said.renewText),
  ]);
  if (!sure) return;
  await attempt(async () => {
    tellSecret(await renewWebhookSecret(id));
  });
}

async function remove({ id, url }: Webhook): Promise<void> {
  const said = words();
  const sure = await confirmed(`${said.remove} webhook?`, said.remove, [
    h('p', {}, h('code', {}, h('bdi', {}, url))),
    h('p', {}, said.removeText),
  ]);
  if (!sure) return;
  await attempt(async () => {
    await removeWebhook(id);
    logs.delete(id);
    pings.delete(id);
    toast(words().isRemoved);
  });
}

async function attempt(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
    await showWebhooks();
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  const why = troubleOf(error);
  if (why !== null) toast(why, 'bad');
}

export function installWebhooks(): void {
  installWebhookForm();
  byId('new-hook').addEventListener('click', () => {
    openWebhookForm(null, async ({ description, ...wanted }) => {
      const webhook = await registerWebhook({
        ...wanted,
        ...(description !== '' && { description }),
      });
      await showWebhooks();
      return () => tellSecret(webhook);
    });
  });
}

/** The secret of a webhook that was just made, or given another: shown this once. */
function tellSecret({ secret, url }: NewWebhook): void {
  const say = () => ({
    title: `${words().newWebhook} ${quoted(url)}`,
    about: words().newWebhookAbout,
    copied: words().secretCopied,
  });
  showSecret(secret, say, 'new-hook');
}
