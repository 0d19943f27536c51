/**
 * Sends letters by SMTP, or in trials to a folder. No log has the text, which contains sign-in
 * links.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { createTransport } from 'nodemailer';
import { instant } from '../kernel/clock.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failures.ts';
import { localLimiters } from '../kernel/limiters.ts';
import { Semaphore } from '../kernel/semaphore.ts';
import { within } from '../kernel/within.ts';
import { ACCOUNT_LIMITS } from './limits.ts';

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** `smtpUrl` is a secret. */
export type MailSettings = { readonly from: string } & (
  | { readonly smtpUrl: string }
  | { readonly dir: string }
);

export type SendLetter = (letter: Letter) => Promise<void>;

export function createMail(settings: MailSettings, clock: Clock): SendLetter {
  return 'dir' in settings ? toFolder(settings, clock) : bySmtp(settings);
}

function bySmtp(settings: { readonly from: string; readonly smtpUrl: string }): SendLetter {
  const { hostname, port, protocol, username, password } = new URL(settings.smtpUrl);
  const { sendMs } = ACCOUNT_LIMITS.letters;
  const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const options = {
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    ...(port !== '' && { port: Number(port) }),
    secure: protocol === 'smtps:',
    // Sign-in links must not cross a network unencrypted.
    requireTLS: protocol === 'smtp:' && !isOwnMachine,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    ...{ connectionTimeout: sendMs, greetingTimeout: sendMs, socketTimeout: sendMs },
  };
  return async (letter) => {
    const { createTransport } = await import('nodemailer');
    const signal = AbortSignal.timeout(sendMs);
    await createTransport(options).sendMail({ ...messageOf(letter, settings.from), signal });
  };
}

function toFolder(
  { from, dir }: { readonly from: string; readonly dir: string },
  clock: Clock,
): SendLetter {
  return async (letter) => {
    const { createTransport } = await import('nodemailer');
    const paper = createTransport({ streamTransport: true, buffer: true });
    const { message } = await paper.sendMail(messageOf({ ...letter, text: '\n' }, from));
    // Unencoded: quoted-printable would break links over lines.
    const head = (message as Buffer)
      .toString()
      .trimEnd()
      .replace('Encoding: 7bit', 'Encoding: 8bit');
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const name = `${instant(clock.nowMs()).replaceAll(':', '-')}-${randomUUID()}.eml`;
    await writeFile(join(dir, name), `${head}\r\n\r\n${letter.text}\n`, { mode: 0o600 });
  };
}

type Message = Parameters<ReturnType<typeof createTransport>['sendMail']>[0];

function messageOf({ to, subject, text }: Letter, from: string): Message {
  return {
    ...{ from, to: { name: '', address: to }, subject, text },
    ...{ disableFileAccess: true, disableUrlAccess: true },
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** `trouble` gets only the failure's code. */
export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(trouble: (code: string) => void) {
  const { atATime, waiting, stopMs } = ACCOUNT_LIMITS.letters;
  const turns = new Semaphore(localLimiters().permits('letters', atATime), {
    each: waiting,
    total: waiting,
  });
  const open = new Set<Promise<void>>();
  return {
    /** False: too much waits, none is done. */
    post: (...works: readonly (() => Promise<void>)[]) => {
      if (open.size + works.length > waiting) return false;
      for (const work of works) {
        const sent = turns.run('', work, tooManyWait).catch((error: unknown) => {
          trouble(codeOf(error));
        });
        open.add(sent);
        void sent.finally(() => open.delete(sent));
      }
      return true;
    },
    idle: async () => {
      await Promise.all(open);
    },
    /** Waits a moment only: servers hang. */
    stop: async () => {
      await within(stopMs, Promise.all(open), () => undefined);
      for (const _unsent of open) trouble('stopped');
    },
  };
}

/** An SMTP server's message may repeat an address. */
function codeOf(error: unknown): string {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  return responseCode === undefined ? code : `${code} ${responseCode}`;
}

export function tooManyWait(): Failure {
  return new Failure('overloaded', {
    error: 'Too many letters are waiting to be sent. Try again after Retry-After.',
    errorDa: 'For mange breve venter på at blive sendt. Prøv igen efter Retry-After.',
    retryAfterS: 60,
  });
}
