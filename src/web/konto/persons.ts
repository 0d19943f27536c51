import { Refused } from '../shared/ask.ts';
import { moment } from '../shared/format.ts';
import { html, nothing, when } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { asSession } from '../shared/session.ts';
import { field } from './api.ts';
import { Part, account, may } from './board.ts';
import { FormDialog, allOf, choices, newButton, noted, rowButton, rowList } from './pieces.ts';
import { section, sureTo, textField, textOf } from './pieces.ts';
import { ROLES } from './terms.ts';
import type { Person, Role } from './types.ts';

const PERSONS = 'v1/me/persons';
export const persons = new Part(() => field<readonly Person[]>('persons', 'GET', PERSONS));
const dialog = new FormDialog('person');
/** null: an invitation. */
let changing: Person | null = null;

export function personsView(): TemplateResult {
  const button = newButton('invite', may('administers'), t('Invitér', 'Invite'), () => open(null));
  return section(
    { id: 'persons', title: t('Personer', 'Persons'), button },
    html`${rowList(persons, { id: 'persons', item: personItem, none: '' })} ${dialogView()}`,
  );
}

function personItem(person: Person): TemplateResult {
  const { id, email, roles, joined_at: joined, created_at: created } = person;
  const isSelf = id === account?.me.person?.id;
  return html`<li class="person" id=${id}>
    <div>
      <h3><bdi>${email}</bdi>${isSelf ? ` (${t('dig', 'you')})` : nothing}</h3>
      <p class="muted">
        ${
          joined === null
            ? `${t('inviteret', 'invited')} ${moment(created)}`
            : `${t('logget ind siden', 'signs in since')} ${moment(joined)}`
        }
      </p>
    </div>
    <p>${roles.map((role) => html`<span class="badge">${inLanguage(ROLES[role])}</span>`)}</p>
    ${when(
      may('administers'),
      () =>
        html`<div class="do">
          ${rowButton(email, t('Ret roller', 'Change roles'), () => open(person))}
          ${rowButton(email, t('Fjern', 'Remove'), () => remove(person))}
        </div>`,
    )}
  </li>`;
}

function dialogView(): TemplateResult {
  const isNew = changing === null;
  const held: readonly string[] = changing?.roles ?? ['reads', 'uses'];
  const roles = Object.keys(ROLES) as Role[];
  return dialog.view(
    changing?.email ?? t('Invitér en kollega', 'Invite a colleague'),
    isNew ? t('Invitér', 'Invite') : t('Gem', 'Save'),
    html`<div ?hidden=${!isNew}>
        ${textField({
          ...{ id: 'person-email', name: 'email', type: 'email', most: 254, isRequired: isNew },
          label: t('E-mailadresse', 'E-mail address'),
        })}
      </div>
      ${choices(
        { type: 'checkbox', name: 'role', legend: t('Roller', 'Roles'), chosen: held },
        roles.map((role) => [role, noted(inLanguage(ROLES[role]), meaningOf(role))]),
      )}`,
    true,
  );
}

function meaningOf(role: Role): string {
  return {
    reads: t('ser nøgler, forbrug og webhooks', 'sees keys, use and webhooks'),
    uses: t('laver nøgler, job og webhooks', 'makes keys, jobs and webhooks'),
    pays: t('ser regningen og sætter alarmen', 'sees the bill and sets the alarm'),
    administers: t('må det hele og inviterer', 'may do all of it, and invites'),
  }[role];
}

interface Invited {
  readonly mailed: boolean;
}

function open(person: Person | null): void {
  changing = person;
  dialog.open(async (given) => {
    const roles = allOf(given, 'role') as readonly Role[];
    if (roles.length === 0) {
      const why = t('Vælg mindst én rolle.', 'Choose at least one role.');
      throw new Refused(0, 'no_role', why);
    }
    let said = '';
    if (person !== null) await asSession('PATCH', `${PERSONS}/${person.id}`, { roles });
    else {
      const wanted = { email: textOf(given, 'email'), roles };
      const { mailed } = await asSession<Invited>('POST', PERSONS, wanted);
      said = mailed ? t('Et brev er på vej.', 'A letter is on its way.') : notMailed();
    }
    await persons.read();
    return () => said !== '' && toast(said);
  });
}

function notMailed(): string {
  return t(
    'Inviteret. Tjenesten sender ikke e-mail: bed den, der driver den, om et link.',
    'Invited. The service sends no e-mail: ask its operator for a link.',
  );
}

async function remove({ id, email }: Person): Promise<void> {
  const means = t(
    'Personen logges ud med det samme. Kontoens nøgler virker fortsat: udskift dem, personen kender.',
    'The person is signed out at once. The account’s keys go on: replace those the person knows.',
  );
  await persons.change(sureTo(t('Fjern', 'Remove'), email, means), () =>
    asSession('DELETE', `${PERSONS}/${id}`),
  );
}
