/** E-mail: sign-in links, invitations, alarms. Danish first, then English. */
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { takeLetter } from './mail-allowance.ts';
import type { GiveBack } from './mail-allowance.ts';
import { createMail, createOutbox, tooManyWait } from './mail.ts';
import type { MailSettings, Outbox, SendLetter } from './mail.ts';
import { personsAt } from './person-store.ts';
import type { Sessions } from './sessions.ts';

export interface MailParts {
  readonly settings: MailSettings;
  /** The service's URL, never a request's. */
  readonly baseUrl: () => string;
  /** Reports a letter that was not sent. */
  readonly trouble: (code: string) => void;
}

interface Deps {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'newLink'>;
}

export function composeLetters(
  deps: Deps,
  { settings, baseUrl, trouble }: MailParts,
): { readonly letters: Letters; readonly outbox: Outbox } {
  const outbox = createOutbox(trouble);
  return {
    letters: createLetters({ ...deps, send: createMail(settings, deps.clock), outbox, baseUrl }),
    outbox,
  };
}

interface LetterDeps extends Deps, Pick<MailParts, 'baseUrl'> {
  readonly send: SendLetter;
  readonly outbox: Outbox;
}

interface AskedLink {
  readonly email: string;
  readonly client: string;
  /** The only browser where the links open; null: any. */
  readonly browser: string | null;
}

interface InvitedPerson extends Pick<Invited, 'account' | 'by'> {
  readonly id: string;
  readonly email: string;
}

interface Alarm extends Pick<Reached, 'account' | 'units'> {
  readonly emails: readonly string[];
}

export type Letters = ReturnType<typeof createLetters>;

function createLetters(deps: LetterDeps) {
  const { store, sessions, send, outbox, baseUrl } = deps;
  const { accountsPerAddress, invitationMs } = ACCOUNT_LIMITS.letters;
  const urlOf = (token: string) => `${baseUrl()}/log-ind#${token}`;
  return {
    /**
     * Sends a link per account, after the answer, which is the same for unknown addresses. Throws
     * `rate_limited` or `overloaded`.
     */
    askLinks: async ({ email, client, browser }: AskedLink) => {
      // A link that is not sent counts (D270).
      const giveBack = await takeLetter(deps, { email, by: client });
      const isPosted = outbox.post(async () => {
        const found = await personsAt(store.db, email.trim(), accountsPerAddress);
        const links: string[] = [];
        for (const { personId, account } of found) {
          const { token } = await sessions.newLink(personId, { browser });
          links.push(`${plain(account)}:\n${urlOf(token)}`);
        }
        if (links.length > 0) await send(linkLetter(email.trim(), links));
      });
      if (isPosted) return;
      await giveBack();
      throw tooManyWait();
    },
    /** Call before the invitation is made. Throws as `askLinks`. */
    takeInvitation: (asked: { readonly email: string; readonly by: string }) =>
      takeLetter(deps, asked),
    /** The link is valid for three days. False as of `post`. */
    invite: ({ id, email, account, by }: InvitedPerson, giveBack?: GiveBack) => {
      const write = async () => {
        const { token } = await sessions.newLink(id, { lifeMs: invitationMs });
        await send(invitation(email, { account: plain(account), by, url: urlOf(token) }));
      };
      return outbox.post(() =>
        write().catch(async (error: unknown) => {
          await giveBack?.();
          throw error;
        }),
      );
    },
    alarm: ({ emails, account, units }: Alarm) => {
      const facts = { account: plain(account), units, url: baseUrl() };
      return outbox.post(...emails.map((to) => () => send(alarmLetter(to, facts))));
    },
  };
}

/** Names are user input: one line, no clickable address. */
function plain(name: string): string {
  return name.replaceAll(/\s+/g, ' ').replaceAll(/[:/]{2,}|www\./gi, ' ');
}

function linkLetter(to: string, links: readonly string[]) {
  const minutes = ACCOUNT_LIMITS.signInLinkMs / 60_000;
  return {
    to,
    subject: 'Log ind på Geoopslag',
    text: `Åbn linket i den browser, du bad om det i. Det virker én gang og i ${minutes} minutter.

${links.join('\n\n')}

Har du ikke bedt om det, kan du se bort fra brevet: ingen er logget ind.

--
Open the link in the browser where you asked for it. It works once, within ${minutes} minutes.
If you did not ask for it, ignore this letter: nobody has signed in.
`,
  };
}

interface Invited {
  readonly account: string;
  /** Address of the inviting person; null: the operator. */
  readonly by: string | null;
  readonly url: string;
}

function invitation(to: string, { account, by, url }: Invited) {
  const days = ACCOUNT_LIMITS.letters.invitationMs / 86_400_000;
  return {
    to,
    subject: 'Du har fået adgang til Geoopslag',
    text: `${by ?? 'Den, der driver tjenesten,'} har givet dig adgang til kontoen "${account}".

${url}

Linket virker én gang og i ${days} dage. Derefter logger du ind med din e-mailadresse på samme side.

--
${by ?? 'The operator'} gave you access to the account "${account}". The link works once, within ${days} days;
after that you sign in by your e-mail address on the same page.
`,
  };
}

interface Reached {
  readonly account: string;
  readonly units: number;
  readonly url: string;
}

function alarmLetter(to: string, { account, units, url }: Reached) {
  return {
    to,
    subject: `Forbruget har nået ${units} enheder`,
    text: `Kontoen "${account}" har i denne måned brugt de ${units} enheder, I ville have besked om.
Opslag svares fortsat. Se forbruget: ${url}/konto

--
The account "${account}" used the ${units} units of this month that you wanted to hear of. Lookups go on.
`,
  };
}
