import { wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, say, show } from '../shared/dom.ts';
import { t } from '../shared/language.ts';
import { asSession } from '../shared/session.ts';

export function installSignIn(): void {
  const { mail, anmod } = document.body.dataset;
  show(byId('mail-form'), mail === 'on');
  show(byId('no-mail'), mail !== 'on');
  show(byId('request'), anmod === 'on');
  byIdAs('have-link', HTMLDetailsElement).open = mail !== 'on';
  onSubmit('mail-form', 'mail-said', async () => {
    await asSession('POST', 'v1/me/session/link', { email: valueOf('mail-email') });
    return t(
      'Har adressen en konto, er et brev på vej. Åbn linket i denne browser inden et kvarter.',
      'If the address has an account, a letter is on its way. Open its link in this browser within 15 minutes.',
    );
  });
  onSubmit('request-form', 'request-said', async () => {
    await asSession('POST', 'v1/me/account-requests', {
      name: valueOf('request-name'),
      email: valueOf('request-email'),
      purpose: valueOf('request-purpose'),
    });
    return t(
      'Anmodningen er sendt. Den, der driver tjenesten, svarer på din e-mailadresse.',
      'The request is sent. The operator answers to your e-mail address.',
    );
  });
}

function valueOf(id: string): string {
  return byIdAs(id, HTMLInputElement).value.trim();
}

function onSubmit(id: string, place: string, deed: () => Promise<string>): void {
  const said = byId(place);
  let isSending = false;
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const tell = (words: string, kind = ''): void => {
      [said.className, isSending] = [`notice ${kind}`, false];
      say(said, words);
    };
    deed().then(tell, (error: unknown) => tell(wordsOf(error), 'bad'));
  });
}
