/** A secret just made, shown this once: to be copied, then forgotten. */
import { byId, show } from '../shared/dom.ts';
import { toast } from '../shared/notices.ts';
import { words } from './words.ts';

/** What is said of a secret; asked for again when the language changes. */
export interface SecretWords {
  readonly title: string;
  readonly about: string;
  readonly copied: string;
}

let told: (() => SecretWords) | null = null;
/** What has the focus when the secret is gone. */
let backTo = 'new-key';

export function showSecret(secret: string, say: () => SecretWords, back: string): void {
  told = say;
  backTo = back;
  byId('fresh-secret').textContent = secret;
  byId('fresh-copy').textContent = words().copy;
  nameSecret();
  show(byId('fresh'), true);
  byId('fresh').focus();
}

/** Says it in the language of now. */
export function nameSecret(): void {
  if (told === null) return;
  const { title, about } = told();
  byId('fresh-title').textContent = title;
  byId('fresh-about').textContent = about;
  byId('fresh-copy').textContent = words().copy;
}

export function forgetSecret(): void {
  told = null;
  byId('fresh-secret').textContent = '';
  show(byId('fresh'), false);
}

/** Without leave to write the clipboard the secret is selected, ready for the keyboard. */
async function copySecret(): Promise<void> {
  const place = byId('fresh-secret');
  try {
    await navigator.clipboard.writeText(place.textContent);
    byId('fresh-copy').textContent = words().copied;
    toast(told?.().copied ?? words().copied);
  } catch {
    window.getSelection()?.selectAllChildren(place);
    toast(words().selected);
  }
}

/** The two buttons beside the secret. */
export function installSecret(): void {
  byId('fresh-copy').addEventListener('click', () => void copySecret());
  byId('fresh-done').addEventListener('click', () => {
    forgetSecret();
    byId(backTo).focus();
  });
}
