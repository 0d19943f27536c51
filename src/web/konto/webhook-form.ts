/** The dialog that registers a webhook or changes one. */
import { byId, byIdAs, h, say } from '../shared/dom.ts';
import type { Webhook } from './types.ts';
import { troubleOf } from './trouble.ts';
import { EVENTS, eventWords, words } from './words.ts';

export interface WantedWebhook {
  readonly url: string;
  readonly events: Webhook['events'];
  /** Empty: none. */
  readonly description: string;
}

const dialog = byIdAs('hook', HTMLDialogElement);
const urlInput = byIdAs('hook-url', HTMLInputElement);
const descriptionInput = byIdAs('hook-description', HTMLInputElement);

/** Sends what is wanted; gives what is done once the dialog is closed. */
type Send = (wanted: WantedWebhook) => Promise<() => void>;

let send: Send = () => Promise.resolve(() => undefined);
let isSending = false;

/** @param before the webhook that is changed; null: a new one */
export function openWebhookForm(before: Webhook | null, act: Send): void {
  const said = words();
  send = act;
  byId('hook-title').textContent = before === null ? said.registerTitle : said.editTitle;
  byId('hook-yes').textContent = before === null ? said.registerYes : said.editYes;
  urlInput.value = before?.url ?? '';
  descriptionInput.value = before?.description ?? '';
  byId('hook-events').replaceChildren(
    ...EVENTS.map((event) =>
      h(
        'label',
        { class: 'choice' },
        h('input', {
          type: 'checkbox',
          name: 'event',
          value: event,
          checked: before?.events.includes(event) ?? true,
        }),
        h('span', {}, eventWords(event), ' ', h('code', {}, event)),
      ),
    ),
  );
  say(byId('hook-error'), '');
  dialog.showModal();
  urlInput.focus();
}

export function installWebhookForm(): void {
  byIdAs('hook-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  byId('hook-no').addEventListener('click', () => dialog.close());
}

/** What the service refuses is said beside what was typed. */
async function submit(): Promise<void> {
  if (isSending) return;
  const chosen = [...dialog.querySelectorAll<HTMLInputElement>('input[name="event"]:checked')];
  const events = EVENTS.filter((event) => chosen.some(({ value }) => value === event));
  if (events.length === 0) {
    say(byId('hook-error'), words().chooseEvent);
    return;
  }
  const wanted = {
    url: urlInput.value.trim(),
    events,
    description: descriptionInput.value.trim(),
  };
  isSending = true;
  byId('hook-yes').setAttribute('aria-disabled', 'true');
  try {
    const done = await send(wanted);
    dialog.close();
    done();
  } catch (error) {
    const why = troubleOf(error);
    if (why === null) dialog.close();
    else say(byId('hook-error'), why);
  } finally {
    isSending = false;
    byId('hook-yes').setAttribute('aria-disabled', 'false');
  }
}
