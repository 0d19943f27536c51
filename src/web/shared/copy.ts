/** Where the browser refuses, the text is shown and selected. */
import { byId, show } from './dom.ts';
import { t } from './language.ts';
import { toast } from './notices.ts';

/** `kept`: shows the text already; absent: the page has an element `copy-text`. Returns whether it is copied. */
export async function copyText(
  text: string,
  kept: HTMLElement | null = null,
  copied = t('Kopieret.', 'Copied.'),
): Promise<boolean> {
  const shown = kept ?? byId('copy-text');
  try {
    await navigator.clipboard.writeText(text);
    show(shown, kept !== null);
    toast(copied);
    return true;
  } catch {
    if (kept === null) shown.textContent = text;
    show(shown, true);
    window.getSelection()?.selectAllChildren(shown);
    toast(
      t(
        'Teksten er markeret: kopiér den med tastaturet.',
        'The text is selected: copy it with the keyboard.',
      ),
    );
    return false;
  }
}
