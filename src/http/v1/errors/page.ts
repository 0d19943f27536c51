import { FAILURES, codesOf } from '../../../kernel/failures.ts';
import type { FailureType } from '../../../kernel/failures.ts';
import type { Shell } from '../../pages/shell.ts';

/** Everything comes from the catalogue; nothing of the request is repeated. */
export function failurePage(shell: Shell, type: FailureType): string {
  const { status, retryable, da, en } = FAILURES[type];
  const causes = codesOf(type)
    .map((code) => `<li><code>${code}</code></li>`)
    .join('');
  const retry = retryable
    ? 'Ja. Vent så længe, som <code>Retry-After</code> siger.'
    : 'Nej. Ret forespørgslen først.';
  return shell.plainDocument({
    title: 'Fejlklasse',
    root: '../../',
    main: `<section class="card narrow prose">
<h2><code>${type}</code></h2>
<p>${da}</p>
<p class="muted" lang="en">${en}</p>
<p><strong>HTTP-status:</strong> ${status}</p>
<p><strong>Kan et nyt forsøg hjælpe?</strong> ${retry}</p>
<p><strong>Årsager (<code>code</code>):</strong></p><ul>${causes}</ul>
<p><a href="../errors">Alle fejlklasser (JSON)</a> · <a href="../../docs">Dokumentation</a></p>
</section>`,
  });
}
