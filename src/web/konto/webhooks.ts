import { Refused } from '../shared/ask.ts';
import { moment, number } from '../shared/format.ts';
import { badNotice, confirmed, html, note, nothing } from '../shared/html.ts';
import { rowsTable, scrolledPart, when } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { asSession } from '../shared/session.ts';
import { field } from './api.ts';
import { Part, attempt, may, redraw } from './board.ts';
import { FormDialog, allOf, choices, newButton, rowButton, rowList } from './pieces.ts';
import { noted, section, textField, textOf } from './pieces.ts';
import { showSecret } from './secret.ts';
import { EVENT_WORDS } from './terms.ts';
import type { Delivery, NewWebhook, Webhook } from './types.ts';
import { EVENTS, activeBadge, answerWords, quoted, stateWords } from './words.ts';

const WEBHOOKS = 'v1/me/webhooks';
const BADGES = { pending: 'warn', success: 'good', failed: 'bad' } as const;

/** Of the webhooks whose log is open. */
const logs = new Map<string, Part<readonly Delivery[]>>();
/** The last of each; null: under way. */
const pings = new Map<string, Delivery | null>();
export const webhooks = new Part(
  () => field<readonly Webhook[]>('webhooks', 'GET', WEBHOOKS),
  () => {
    logs.clear();
    pings.clear();
  },
);
const dialog = new FormDialog('hook');
/** null: a new one. */
let editing: Webhook | null = null;

export function webhooksView(): TemplateResult {
  const button = newButton('new-hook', may('uses'), t('Ny webhook', 'New webhook'), register);
  const none = t(
    'Kontoen har ingen webhooks. En webhook fortæller jeres server, når en nøgle laves eller tilbagekaldes, abonnementet ændres, eller forbruget nærmer sig det inkluderede.',
    'This account has no webhooks. A webhook tells your server when a key is made or revoked, the plan changes, or usage nears what is included.',
  );
  return section(
    { id: 'hooks', title: 'Webhooks', button },
    html`${rowList(webhooks, { id: 'hooks', item: webhookItem, none })} ${dialogView()}`,
  );
}

function webhookItem(webhook: Webhook): TemplateResult {
  const { id, url, events, enabled, description, secretPrefix, createdAt } = webhook;
  const last = pings.get(id);
  const isPinging = last === null;
  const act = (text: string, deed: () => unknown, isBusy = false) =>
    rowButton(url, text, deed, isBusy);
  return html`<li class="hook" id=${id}>
    <div class="hook-name">
      <h3><bdi>${url}</bdi></h3>
      ${(description ?? '') === '' ? nothing : html`<p><bdi>${description}</bdi></p>`}
      <p class="hook-events">${events.map((event) => html`<code>${event}</code>`)}</p>
      <p class="muted">
        <code>${secretPrefix}…</code> · ${t('registreret', 'registered')} ${moment(createdAt)}
      </p>
    </div>
    ${activeBadge(enabled)}
    <div class="do">
      ${act(isPinging ? t('Sender…', 'Sending…') : 'Ping', () => ping(webhook), isPinging)}
      ${act(enabled ? t('Sæt på pause', 'Pause') : t('Genoptag', 'Resume'), () =>
        setEnabled(webhook, !enabled),
      )}
      ${act(t('Ret', 'Edit'), () => edit(webhook))}
      ${act(t('Ny hemmelighed', 'New secret'), () => renew(webhook))}
      ${act(t('Fjern', 'Remove'), () => remove(webhook))}
    </div>
    ${when(last, pingView)} ${logPart(webhook)}
  </li>`;
}

function isGood({ status }: Delivery): boolean {
  return status === 'success';
}

function pingView(last: Delivery): TemplateResult {
  return note(pingWords(last), `notice ${isGood(last) ? 'good' : 'bad'} pinged`);
}

function pingWords(delivery: Delivery): string {
  const answer = answerWords(delivery);
  return isGood(delivery)
    ? t(`Ping modtaget: svarede ${answer}.`, `Ping received: answered ${answer}.`)
    : t(`Ping mislykkedes: ${answer}.`, `The ping failed: ${answer}.`);
}

function logPart({ id, url }: Webhook): TemplateResult {
  const log = logs.get(id);
  const words = t('Leverancer', 'Deliveries');
  const name = `${words} ${quoted(url)}`;
  const toggle = (): void => {
    if (logs.delete(id)) redraw();
    else void openLog(id);
  };
  return html`<div class="log">
    <button
      type="button"
      class="link"
      aria-expanded=${String(log !== undefined)}
      aria-label=${name}
      @click=${toggle}
    >
      ${words}
    </button>
    ${log === undefined ? nothing : logContent(log, url, name)}
  </div>`;
}

function logContent(log: Part<readonly Delivery[]>, url: string, name: string): Content {
  const { value, trouble } = log;
  if (value === null && trouble === '') return note(t('Henter…', 'Loading…'));
  const none = t('Intet er sendt endnu.', 'Nothing has been sent yet.');
  const kept = t(
    'De seneste hundrede; ældre end 30 dage slettes.',
    'The latest hundred. Those older than 30 days are deleted.',
  );
  return html`${badNotice(trouble)} ${value?.length === 0 ? note(none) : nothing}
  ${value === null || value.length === 0 ? nothing : deliveriesTable(value, name)}
  ${rowButton(url, t('Opdatér', 'Refresh'), () => log.read())}
  ${value === null || value.length === 0 ? nothing : note(kept, 'muted hint')}`;
}

function deliveriesTable(log: readonly Delivery[], name: string): TemplateResult {
  const head = t(
    'Tid,Hændelse,Tilstand,Forsøg,Sidste svar,Næste forsøg',
    'Time,Event,State,Attempts,Last answer,Next attempt',
  ).split(',');
  const rows = log.map((delivery) => {
    const { event, status, attempts, createdAt, nextAttemptAt } = delivery;
    return [
      moment(createdAt),
      html`<code>${event}</code>`,
      html`<span class="badge ${BADGES[status]}">${stateWords(status)}</span>`,
      number(attempts),
      answerWords(delivery),
      nextAttemptAt === null ? '–' : moment(nextAttemptAt),
    ];
  });
  return scrolledPart(name, rowsTable({ head, rows }));
}

async function openLog(id: string): Promise<void> {
  const log = new Part(() =>
    field<readonly Delivery[]>('deliveries', 'GET', `${WEBHOOKS}/${id}/deliveries`),
  );
  logs.set(id, log);
  redraw();
  await log.read();
}

async function ping({ id }: Webhook): Promise<void> {
  if (pings.get(id) === null) return;
  pings.set(id, null);
  redraw();
  await attempt(async () => {
    const delivery = await field<Delivery>('delivery', 'POST', `${WEBHOOKS}/${id}/test`, {});
    pings.set(id, delivery);
    toast(pingWords(delivery), isGood(delivery) ? 'good' : 'bad');
  });
  if (pings.get(id) === null) pings.delete(id);
  redraw();
  await logs.get(id)?.read();
}

async function setEnabled({ id }: Webhook, enabled: boolean): Promise<void> {
  const said = enabled
    ? t('Webhooken er aktiv igen.', 'The webhook is active again.')
    : t(
        'Webhooken er på pause: nyt sendes ikke, og det, der venter, bliver liggende.',
        'The webhook is paused: nothing new is sent, and anything waiting is kept.',
      );
  await webhooks.change(true, async () => {
    await asSession('PATCH', `${WEBHOOKS}/${id}`, { enabled });
    toast(said);
  });
}

function dialogView(): TemplateResult {
  const isNew = editing === null;
  const events: readonly string[] = editing?.events ?? EVENTS;
  const urlHint = t(
    'https på port 443 eller over 1023, på en adresse, internettet kan nå.',
    'https, on port 443 or above 1023, at a publicly reachable address.',
  );
  return dialog.view(
    isNew ? t('Ny webhook', 'New webhook') : t('Ret webhook', 'Edit webhook'),
    isNew ? t('Registrér', 'Register') : t('Gem', 'Save'),
    html`${textField({
      ...{ id: 'hook-url', name: 'url', type: 'url', most: 2048, placeholder: 'https://' },
      ...{ label: t('Adresse', 'Address'), value: editing?.url ?? '', hint: urlHint },
    })}
    ${choices(
      { type: 'checkbox', name: 'event', legend: t('Hændelser', 'Events'), chosen: events },
      EVENTS.map((event) => [event, html`${inLanguage(EVENT_WORDS[event])} <code>${event}</code>`]),
    )}
    ${textField({
      ...{ id: 'hook-description', name: 'description', most: 200, isRequired: false },
      label: noted(t('Beskrivelse', 'Description'), t('må være tom', 'may be empty')),
      value: editing?.description ?? '',
    })}`,
  );
}

/** An empty description is none. */
function wantedWebhook(given: FormData) {
  const chosen = allOf(given, 'event');
  const events = EVENTS.filter((event) => chosen.includes(event));
  if (events.length > 0)
    return { url: textOf(given, 'url'), events, description: textOf(given, 'description') };
  const why = t('Vælg mindst én hændelse.', 'Choose at least one event.');
  throw new Refused(0, 'no_event', why);
}

function register(): void {
  editing = null;
  dialog.open(async (given) => {
    const { description, ...wanted } = wantedWebhook(given);
    const webhook = await field<NewWebhook>('webhook', 'POST', WEBHOOKS, {
      ...wanted,
      ...(description !== '' && { description }),
    });
    return () => {
      tellSecret(webhook);
      void webhooks.read();
    };
  });
}

function edit(webhook: Webhook): void {
  editing = webhook;
  dialog.open(async (given) => {
    const { url, events, description } = wantedWebhook(given);
    await asSession('PATCH', `${WEBHOOKS}/${webhook.id}`, {
      events,
      ...(url !== webhook.url && { url }),
      description: description === '' ? null : description,
    });
    await webhooks.read();
    return () => toast(t('Webhooken er rettet.', 'The webhook is changed.'));
  });
}

function sure(url: string, [title, yes]: readonly [string, string], means: string) {
  return confirmed(title, yes, [
    html`<p>
      <code><bdi>${url}</bdi></code>
    </p>`,
    means,
  ]);
}

async function renew({ id, url }: Webhook): Promise<void> {
  const name = t('Ny hemmelighed', 'New secret');
  const means = t(
    'Den vises én gang. I et døgn underskrives der med begge i webhook-signature; X-Service-Signature er straks med den nye.',
    'It is shown once. For 24 hours webhook-signature is made with both; X-Service-Signature is made with the new one from now on.',
  );
  const asked = sure(url, [`${name}?`, name], means);
  await webhooks.change(asked, async () =>
    tellSecret(await field<NewWebhook>('webhook', 'POST', `${WEBHOOKS}/${id}/secret`, {})),
  );
}

async function remove({ id, url }: Webhook): Promise<void> {
  const name = t('Fjern', 'Remove');
  const means = t(
    'Der sendes intet mere til den, og det, der venter, opgives.',
    'Nothing more is sent to it, and anything waiting is dropped.',
  );
  await webhooks.change(sure(url, [`${name} webhook?`, name], means), async () => {
    await asSession('DELETE', `${WEBHOOKS}/${id}`);
    logs.delete(id);
    pings.delete(id);
    toast(t('Webhooken er fjernet.', 'The webhook is removed.'));
  });
}

function tellSecret({ secret, url }: NewWebhook): void {
  showSecret({
    secret,
    backTo: 'new-hook',
    title: () => `${t('Hemmeligheden til', 'The secret of')} ${quoted(url)}`,
    about: () =>
      t(
        'Med den kontrollerer modtageren, at det er os, der sender (X-Service-Signature).',
        'Your receiver uses it to verify that messages come from us (X-Service-Signature).',
      ),
    copied: () => t('Hemmeligheden er kopieret.', 'The secret is copied.'),
  });
}
