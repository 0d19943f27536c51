/** The page for a person who opens an API URL in a browser without a key. */
import { escapeHtml } from './escape.ts';
import type { Shell } from './shell.ts';

/** Explains how to get a key, and shows the same question for a program. */
export function keyMissingPage(
  shell: Shell,
  { url, baseUrl }: { readonly url: string; readonly baseUrl: string },
): string {
  const root = '../'.repeat(Math.max(0, (url.split('?', 1)[0] ?? '').split('/').length - 2));
  // A quote would end the shell argument; in a URL it can be encoded.
  const address = `${baseUrl}${url}`.replaceAll("'", '%27');
  const curl = `curl -H 'Authorization: Bearer <nøgle>' '${address}'`;
  return shell.plainDocument({
    title: 'Nøgle mangler',
    root,
    main: `<section class="card narrow prose">
<h2>Adressen skal bruge en API-nøgle</h2>
<p>Du har åbnet et opslag beregnet til programmer. Det svarer kun den, der viser en nøgle.</p>
<p><a href="${root}konto">Log ind, og lav en nøgle</a>. Spørg derefter sådan:</p>
<pre class="wrap"><code>${escapeHtml(curl)}</code></pre>
<p>Vil du bare se, hvad tjenesten svarer? <a href="${root === '' ? './' : root}">Prøv den på forsiden</a>,
eller læs <a href="${root}docs">dokumentationen</a>.</p>
<p class="muted" lang="en">This address needs an API key: <a href="${root}konto">sign in and make one</a>, then ask
as shown above.</p>
</section>`,
  });
}
