/** Persons of an account (D216); one must always administer. */
import { Failure } from '../kernel/failures.ts';
import { changeAccount, endKeys, checkedEmail } from './accounts.ts';
import type { AccountDeps } from './accounts.ts';
import { newId } from './ids.ts';
import { revokeKeys } from './key-store.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { insertPerson, listPersons, removePerson, updateRoles } from './person-store.ts';
import type { Person } from './person-store.ts';
import { ROLES } from './roles.ts';
import type { Role } from './roles.ts';

export type Persons = ReturnType<typeof createPersons>;

/** Each throws `not_found` for an unknown account or person. */
export function createPersons(deps: AccountDeps) {
  const { store, clock } = deps;
  return {
    list: (accountId: string) => listPersons(store.db, accountId),
    /** Throws `conflict` for a known address or too many persons. */
    invite: (accountId: string, { email, roles }: Pick<Person, 'email' | 'roles'>) =>
      changeAccount(deps, accountId, async (db, account) => {
        const person = {
          id: newId('person'),
          email: checkedEmail(email),
          roles: inOrder(roles),
          createdAtMs: clock.nowMs(),
        };
        refuseAnother(await listPersons(db, accountId), person.email);
        await insertPerson(db, { ...person, accountId });
        return { person: { ...person, joinedAtMs: null }, account };
      }),
    /** Throws `conflict` for the last administrator, as `remove` does. */
    setRoles: (accountId: string, id: string, given: readonly Role[]) =>
      changeAccount(deps, accountId, async (db) => {
        const all = await listPersons(db, accountId);
        const person = personNamed(all, id);
        const roles = inOrder(given);
        if (!roles.includes('administers')) refuseLast(all, id);
        await updateRoles(db, id, roles);
        return { ...person, roles };
      }),
    /** Ends the person's sessions, their pages' keys and unused links. */
    remove: (accountId: string, id: string) =>
      endKeys(deps, accountId, async (db) => {
        const all = await listPersons(db, accountId);
        const person = personNamed(all, id);
        refuseLast(all, id);
        const atMs = clock.nowMs();
        for (const sessionId of await removePerson(db, id, atMs)) {
          await revokeKeys(db, { accountId, sessionId, atMs });
        }
        return person;
      }),
  };
}

/** Sorted and distinct. */
function inOrder(roles: readonly Role[]): readonly Role[] {
  return ROLES.filter((role) => roles.includes(role));
}

function personNamed(all: readonly Person[], id: string): Person {
  const found = all.find((person) => person.id === id);
  if (found !== undefined) return found;
  throw new Failure('not_found', {
    error: 'The account has no such person.',
    errorDa: 'Kontoen har ingen sådan person.',
  });
}

function refuseAnother(all: readonly Person[], email: string): void {
  if (all.some((person) => person.email.toLowerCase() === email.toLowerCase())) {
    throw new Failure('conflict', {
      error: 'The account has a person with this e-mail address.',
      errorDa: 'Kontoen har en person med denne e-mailadresse.',
    });
  }
  const most = ACCOUNT_LIMITS.personsPerAccount;
  if (all.length < most) return;
  throw new Failure('conflict', {
    error: `An account has at most ${most} persons.`,
    errorDa: `En konto har højst ${most} personer.`,
  });
}

function refuseLast(all: readonly Person[], id: string): void {
  if (all.some((person) => person.id !== id && person.roles.includes('administers'))) return;
  throw new Failure('conflict', {
    error: 'Somebody has to administer the account: this person is the last who does.',
    errorDa: 'Nogen skal kunne administrere kontoen: denne person er den sidste, der kan.',
  });
}
