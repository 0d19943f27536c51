/** The account's persons: who signs in, and what each may do. */
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { inLanguage, t } from '../shared/language.ts';
import { confirmed, toast } from '../shared/notices.ts';
import { moment } from '../shared/format.ts';
import { changePerson, invitePerson, readPersons, removePerson } from './api.ts';
import { ROLES } from './terms.ts';
import { keepingFocus, troubleOf } from './trouble.ts';
import type { Me, Person, Role } from './types.ts';
import { quoted } from './words.ts';

const dialog = byIdAs('person', HTMLDialogElement);
const form = byIdAs('person-form', HTMLFormElement);
const email = byIdAs('person-email', HTMLInputElement);

/** null: not read. */
let persons: readonly Person[] | null = null;
let me: Me | null = null;
/** Whose roles the dialog changes; null: one who is invited. */
let changing: Person | null = null;

/** Reads the list anew; that it failed is no empty list. */
export async function showPersons(now: Me): Promise<void> {
  me = now;
  try {
    persons = await readPersons();
    say(byId('persons-trouble'), '');
  } catch (error) {
    persons = null;
    const why = troubleOf(error);
    if (why !== null) say(byId('persons-trouble'), why);
  }
  drawPersons();
}

/** Nothing of the account stays in the page. */
export function forgetPersons(): void {
  [persons, me] = [null, null];
  drawPersons();
}

/** In the language of now. */
export function drawPersons(): void {
  const administers = me?.person?.roles.includes('administers') === true;
  show(byId('invite'), administers);
  keepingFocus(() => {
    byId('persons').replaceChildren(
      ...(persons ?? []).map((person) => personItem(person, administers)),
    );
  }, byId('invite'));
  show(byId('persons'), persons !== null);
}

function personItem(person: Person, administers: boolean): HTMLElement {
  const { id, roles, joined_at: joined, created_at: created } = person;
  const isSelf = id === me?.person?.id;
  const since =
    joined === null
      ? `${t('inviteret', 'invited')} ${moment(created)}`
      : `${t('logget ind siden', 'signs in since')} ${moment(joined)}`;
  return h(
    'li',
    { class: 'person', id },
    h(
      'div',
      {},
      h('h3', {}, h('bdi', {}, person.email), isSelf && ` (${t('dig', 'you')})`),
      h('p', { class: 'muted' }, since),
    ),
    h('p', {}, ...roles.map((role) => h('span', { class: 'badge' }, inLanguage(ROLES[role])))),
    administers &&
      h(
        'div',
        { class: 'do' },
        button(t('Ret roller', 'Change roles'), person, () => openDialog(person)),
        button(t('Fjern', 'Remove'), person, () => void remove(person)),
      ),
  );
}

function button(text: string, person: Person, onclick: () => void): HTMLElement {
  const label = `${text} ${quoted(person.email)}`;
  const key = `${person.id} ${text}`;
  return h('button', { type: 'button', 'aria-label': label, 'data-key': key, onclick }, text);
}

function openDialog(person: Person | null): void {
  changing = person;
  form.reset();
  say(byId('person-error'), '');
  byId('person-title').textContent =
    person === null ? t('Invitér en kollega', 'Invite a colleague') : person.email;
  byId('person-yes').textContent = person === null ? t('Invitér', 'Invite') : t('Gem', 'Save');
  show(byId('person-address'), person === null);
  email.required = person === null;
  const held = person?.roles ?? (['reads', 'uses'] as const);
  byId('person-roles').replaceChildren(
    ...(Object.keys(ROLES) as Role[]).map((role) =>
      h(
        'label',
        { class: 'choice' },
        h('input', { type: 'checkbox', name: 'role', value: role, checked: held.includes(role) }),
        h('span', {}, inLanguage(ROLES[role]), ' ', h('span', { class: 'muted' }, meaningOf(role))),
      ),
    ),
  );
  dialog.showModal();
}

function meaningOf(role: Role): string {
  const meanings: Record<Role, string> = {
    reads: t('ser nøgler, forbrug og webhooks', 'sees keys, use and webhooks'),
    uses: t('laver nøgler, job og webhooks', 'makes keys, jobs and webhooks'),
    pays: t('ser regningen og sætter alarmen', 'sees the bill and sets the alarm'),
    administers: t('må det hele og inviterer', 'may do all of it, and invites'),
  };
  return meanings[role];
}

async function submit(): Promise<void> {
  const roles = [...form.querySelectorAll<HTMLInputElement>('input[name="role"]:checked')].map(
    ({ value }) => value as Role,
  );
  if (roles.length === 0) {
    say(byId('person-error'), t('Vælg mindst én rolle.', 'Choose at least one role.'));
    return;
  }
  try {
    if (changing !== null) await changePerson(changing.id, roles);
    else {
      const { mailed } = await invitePerson(email.value.trim(), roles);
      toast(mailed ? t('Et brev er på vej.', 'A letter is on its way.') : notMailed());
    }
    dialog.close();
    if (me !== null) await showPersons(me);
  } catch (error) {
    const why = troubleOf(error);
    if (why === null) dialog.close();
    else say(byId('person-error'), why);
  }
}

function notMailed(): string {
  return t(
    'Inviteret. Tjenesten sender ikke e-mail: bed den, der driver den, om et link.',
    'Invited. The service sends no e-mail: ask its operator for a link.',
  );
}

async function remove(person: Person): Promise<void> {
  const name = t('Fjern', 'Remove');
  const sure = await confirmed(`${name} ${quoted(person.email)}?`, name, [
    t(
      'Personen logges ud med det samme. Kontoens nøgler virker fortsat: udskift dem, personen kender.',
      'The person is signed out at once. The account’s keys go on: replace those the person knows.',
    ),
  ]);
  if (!sure) return;
  try {
    await removePerson(person.id);
    if (me !== null) await showPersons(me);
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) toast(why, 'bad');
  }
}

export function installPersons(): void {
  byId('invite').addEventListener('click', () => openDialog(null));
  byId('person-no').addEventListener('click', () => dialog.close());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
}
