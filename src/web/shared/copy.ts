/** Where the browser refuses, the text is shown and selected. */
import { byId, show } from './dom.ts';
import { t } from './language.ts';
import { toast } from './notices.ts';

/** The page has an element `copy-text`. */
export async function copyText(text: string): Promise<void> {
  const shown = byId('copy-text');
  try {
    await navigator.clipboard.writeText(text);
    show(shown, false);
    toast(t('Kopieret.', 'Copied.'));
  } catch {
    shown.textContent = text;
    show(shown, true);
    window.getSelection()?.selectAllChildren(shown);
    toast(
      t(
        'Teksten er markeret: kopiér den med tastaturet.',
        'The text is selected: copy it with the keyboard.',
      ),
    );
  }
}
