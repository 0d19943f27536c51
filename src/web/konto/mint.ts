/** The dialog that makes a key. */
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { mintKey } from './api.ts';
import type { MintedKey, WantedKey } from './types.ts';
import { troubleOf } from './trouble.ts';
import { areaWords, words } from './words.ts';

export interface MintActs {
  readonly made: (key: MintedKey) => Promise<void>;
}

const form = byIdAs('mint-form', HTMLFormElement);
const dialog = byIdAs('mint', HTMLDialogElement);

export function installMint(acts: MintActs): void {
  form.addEventListener('change', fitForm);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void makeKey(acts);
  });
  byId('new-key').addEventListener('click', () => {
    form.reset();
    drawAreas();
    fitForm();
    say(byId('mint-error'), '');
    dialog.showModal();
    byId('mint-name').focus();
  });
  byId('mint-no').addEventListener('click', () => dialog.close());
}

async function makeKey({ made }: MintActs): Promise<void> {
  const wanted = wantedKey();
  if (wanted.permission === 'restricted:') {
    say(byId('mint-error'), words().chooseArea);
    return;
  }
  try {
    const { key } = await mintKey(wanted);
    dialog.close();
    await made(key);
  } catch (error) {
    const why = troubleOf(error);
    if (why === null) dialog.close();
    else say(byId('mint-error'), why);
  }
}

function chosen(name: string): string {
  const selector = `input[name="${name}"]:checked`;
  return form.querySelector<HTMLInputElement>(selector)?.value ?? '';
}

/** Shows the questions that belong to the kind and permission chosen. */
function fitForm(): void {
  const isPublic = chosen('kind') === 'public';
  show(byId('mint-secret'), !isPublic);
  show(byId('mint-public'), isPublic);
  show(byId('mint-areas'), chosen('permission') === 'restricted');
}

function wantedKey(): WantedKey {
  const common = {
    name: byIdAs('mint-name', HTMLInputElement).value.trim(),
    environment: chosen('environment'),
  };
  if (chosen('kind') === 'public') {
    const origins = byIdAs('mint-origins', HTMLTextAreaElement)
      .value.split(/\s+/)
      .filter((line) => line !== '');
    return { ...common, kind: 'public', origins };
  }
  const areas = [...form.querySelectorAll<HTMLInputElement>('input[name="area"]:checked')].map(
    ({ value }) => value,
  );
  const permission = chosen('permission');
  return {
    ...common,
    permission: permission === 'restricted' ? `restricted:${areas.join(',')}` : permission,
  };
}

/** Fresh each time the dialog opens, in the language of now. */
function drawAreas(): void {
  const place = byId('mint-areas');
  for (const old of place.querySelectorAll('label')) old.remove();
  place.append(
    ...Object.entries(areaWords()).map(([area, name]) =>
      h(
        'label',
        { class: 'choice' },
        h('input', { type: 'checkbox', name: 'area', value: area }),
        h('span', {}, name),
      ),
    ),
  );
}
