import { Refused, turns, wordsOf } from '../shared/ask.ts';
import { keepFocus } from '../shared/dom.ts';
import { toast } from '../shared/notices.ts';
import { field, readMe, readUsage } from './api.ts';
import type { Key, Me, Role, Usage } from './types.ts';

interface Page {
  readonly draw: () => void;
  readonly look: () => Promise<void>;
  readonly leave: (why: string) => void;
}

let page: Page;

export function onChange(now: Page): void {
  page = now;
}

/** Where what had the focus is gone, the section's own button has it. */
export function redraw(): void {
  const held = document.activeElement;
  const heading = held?.closest('section')?.querySelector<HTMLElement>('.heading button');
  page.draw();
  if (held?.isConnected === false && heading?.isConnected === true) keepFocus(null, heading);
}

/** A key made or revoked changes more than the list of keys. */
export function lookAgain(): Promise<void> {
  return page.look();
}

/** null: the session has ended, and the page has said so. */
export function troubleOf(error: unknown): string | null {
  if (error instanceof Refused && error.status === 401) {
    page.leave(error.message);
    return null;
  }
  return wordsOf(error);
}

/** A failure is said for a moment. */
export async function attempt(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) toast(why, 'bad');
    // Without an answer it may have been done.
    if (error instanceof Refused && error.status === 0) await page.look();
  }
}

export async function attemptIf(
  sure: Promise<boolean> | true,
  deed: () => Promise<void>,
): Promise<void> {
  if (await sure) await attempt(deed);
}

/** That it could not be read is never an empty answer. */
export class Part<Value> {
  /** null: not read, or not readable. */
  value: Value | null = null;
  /** Empty: not tried, or read. */
  trouble = '';
  readonly #ask: () => Promise<Value>;
  readonly #onForget: () => void;
  readonly #next = turns();

  constructor(ask: () => Promise<Value>, onForget: () => void = () => undefined) {
    this.#ask = ask;
    this.#onForget = onForget;
  }

  async read(): Promise<void> {
    const isLatest = this.#next();
    try {
      const value = await this.#ask();
      if (!isLatest()) return;
      [this.value, this.trouble] = [value, ''];
    } catch (error) {
      if (!isLatest()) return;
      const why = troubleOf(error);
      if (why === null) return;
      [this.value, this.trouble] = [null, why];
    }
    redraw();
  }

  /** Done where `sure`, then read again. */
  async change(sure: Promise<boolean> | true, deed: () => Promise<unknown>): Promise<void> {
    await attemptIf(sure, async () => {
      await deed();
      await this.read();
    });
  }

  /** Nothing of the account stays in the page (D249). */
  forget(): void {
    this.#next();
    [this.value, this.trouble] = [null, ''];
    this.#onForget();
  }
}

interface Account {
  readonly me: Me;
  readonly usage: Usage;
  readonly keys: readonly Key[];
}

/** null: nobody is signed in. What could not be read anew stays. */
export let account: Account | null = null;

const nextReading = turns();

/** false: overtaken, or forgotten meanwhile. */
export async function readAccount(): Promise<boolean> {
  const isLatest = nextReading();
  const [me, usage, keys] = await Promise.all([
    readMe(),
    readUsage(),
    field<readonly Key[]>('keys', 'GET', 'v1/me/keys'),
  ]);
  if (!isLatest()) return false;
  account = { me, usage, keys };
  redraw();
  return true;
}

export function forgetAccount(): void {
  nextReading();
  account = null;
}

/** Who administers may all. */
export function may(role: Role): boolean {
  const roles = account?.me.person?.roles ?? [];
  return roles.includes(role) || roles.includes('administers');
}
