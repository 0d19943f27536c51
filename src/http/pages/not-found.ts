import type { Shell } from './shell.ts';
import { rootFrom } from './key-missing.ts';

/** For a person whose address leads nowhere. */
export function notFoundPage(shell: Shell, url: string): string {
  const root = rootFrom(url);
  const front = root === '' ? './' : root;
  return shell.plainDocument({
    title: 'Findes ikke',
    root,
    main: `<section class="card narrow prose">
<h2>Siden findes ikke</h2>
<p>Adressen er skrevet forkert, eller linket er gammelt.</p>
<p>Gå til <a href="${front}">forsiden</a>, <a href="${root}kort">kortet</a> eller
<a href="${root}docs">dokumentationen</a>.</p>
<p class="muted" lang="en">There is no such page. Go to <a href="${front}">the front page</a>,
<a href="${root}kort">the map</a> or <a href="${root}docs">the documentation</a>.</p>
</section>`,
  });
}
