/** How a program asks the same, in three languages. */

/** The reader's own key goes there. */
const KEY = 'GEOOPSLAG_KEY';

export const PROGRAMS = ['curl', 'TypeScript', 'Python'] as const;
export type Program = (typeof PROGRAMS)[number];

/** `url`: of `GET /v1/natur/byggelinjer`. What could not be answered is printed as that. */
export function programText(program: Program, url: string): string {
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
