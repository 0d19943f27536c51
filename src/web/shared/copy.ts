/** Copying to the clipboard; where the browser refuses, the text is selected for the keyboard. */
import { t } from './language.ts';
import { toast } from './notices.ts';

export async function copyText(text: string, shown: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('Kopieret.', 'Copied.'));
  } catch {
    window.getSelection()?.selectAllChildren(shown);
    toast(
      t(
        'Teksten er markeret: kopiér den med tastaturet.',
        'The text is selected: copy it with the keyboard.',
      ),
    );
  }
}
