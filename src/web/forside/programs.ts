import { copyText } from '../shared/copy.ts';
import { t } from '../shared/language.ts';
import { button, html } from '../shared/template.ts';
import type { TemplateResult } from '../shared/template.ts';

const KEY = 'GEOOPSLAG_KEY';

const PROGRAMS = ['curl', 'TypeScript', 'Python'] as const;
type Program = (typeof PROGRAMS)[number];

let chosen: Program = 'curl';

/** `url`: of `GET /v1/natur/byggelinjer`. */
export function programView(url: string, draw: () => void): TemplateResult {
  const text = programText(chosen, url);
  const choose = (program: Program): void => {
    chosen = program;
    draw();
  };
  return html`<div class="buttons start">
      <span
        class="languages"
        role="group"
        aria-label=${t('Sprog for programmer', 'Programming language')}
      >
        ${PROGRAMS.map(
          (program) =>
            html`<button
              type="button"
              aria-pressed=${String(program === chosen)}
              @click=${() => choose(program)}
            >
              ${program}
            </button>`,
        )}
      </span>
      ${button(t('Kopiér programmet', 'Copy the program'), () => copyText(text))}
    </div>
    <pre class="wrap"><code id="program">${text}</code></pre>`;
}

/** What could not be answered is printed as that. */
function programText(program: Program, url: string): string {
  switch (program) {
    case 'curl':
      return `curl -H "Authorization: Bearer $${KEY}" '${url}'`;
    case 'TypeScript':
      return `const answer = await fetch('${url}', {
  headers: { authorization: \`Bearer \${process.env.${KEY}}\` },
});
const body = await answer.json();
if (!answer.ok) throw new Error(body.message);
for (const line of Object.values<any>(body.linjer)) {
  console.log(line.navn, line.status === 'ok' ? line.inden_for : line.status);
}`;
    case 'Python':
      return `import json, os, urllib.request

request = urllib.request.Request(
    '${url}',
    headers={'Authorization': 'Bearer ' + os.environ['${KEY}']},
)
with urllib.request.urlopen(request, timeout=20) as answer:
    body = json.load(answer)
for line in body['linjer'].values():
    print(line['navn'], line['inden_for'] if line['status'] == 'ok' else line['status'])`;
  }
}
