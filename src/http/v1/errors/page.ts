/** A failure class as a page, for the person who follows `doc_url` in a browser. */
import { FAILURES, codesOf } from '../../../kernel/failures.ts';
import type { FailureType } from '../../../kernel/failures.ts';

/** Its own styles and nothing else: no script, no form, no address of anybody else. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  vary: 'Accept',
};

/** Whether a caller would rather see a page: browsers name text/html, programs do not. */
export function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && accept.length < 1000 && accept.includes('text/html');
}

/** Everything shown comes from the catalogue: nothing of the request is repeated. */
export function failurePage(type: FailureType): string {
  const { status, retryable, da, en } = FAILURES[type];
  const causes = codesOf(type)
    .map((code) => `<li><code>${code}</code></li>`)
    .join('');
  const retry = retryable
    ? 'Ja. Vent så længe, som <code>Retry-After</code> siger.'
    : 'Nej. Ret forespørgslen først.';
  return `<!doctype html>
<html lang="da">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${type} · Geoopslag</title>
<link rel="icon" type="image/svg+xml" href="../../drift/ikon.svg">
<link rel="stylesheet" href="../../drift/drift.css">
</head>
<body>
<header class="top"><div class="brand">
<img src="../../drift/ikon.svg" alt="" width="28" height="28">
<h1>Fejlklasse <span class="muted">Geoopslag</span></h1>
</div></header>
<main>
<section class="card narrow prose">
<h2><code>${type}</code></h2>
<p>${da}</p>
<p class="muted" lang="en">${en}</p>
<p><strong>HTTP-status:</strong> ${status}</p>
<p><strong>Kan et nyt forsøg hjælpe?</strong> ${retry}</p>
<p><strong>Årsager (<code>code</code>):</strong></p><ul>${causes}</ul>
<p><a href="../errors">Alle fejlklasser (JSON)</a> · <a href="../../docs">Dokumentation</a></p>
</section>
</main>
</body>
</html>
`;
}
