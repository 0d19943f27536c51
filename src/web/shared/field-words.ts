import { t } from './language.ts';

/** A browser's own words are in the browser's language. */
export function speakOfFields(): void {
  const say = ({ target, type }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    target.setCustomValidity('');
    const { valid, valueMissing } = target.validity;
    if (valid || type === 'input') return;
    const missing = t('Udfyld feltet.', 'Fill in the field.');
    const email = t('Skriv hele adressen: navn@firma.dk.', 'Write the whole address: a@b.dk.');
    target.setCustomValidity(valueMissing ? missing : email);
  };
  for (const name of ['input', 'invalid']) document.addEventListener(name, say, true);
}
