import { escapeHtml } from './escape.ts';
import type { Shell } from './shell.ts';

export function keyMissingPage(
  shell: Shell,
  { url, baseUrl }: { readonly url: string; readonly baseUrl: string },
): string {
  const root = rootFrom(url);
  // A quote would end the shell argument.
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

export function rootFrom(url: string): string {
  return '../'.repeat(Math.max(0, (url.split('?', 1)[0] ?? '').split('/').length - 2));
}
