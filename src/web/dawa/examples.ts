/** The change in a program, by language. `BASE` is this service's door, `KEY` the caller's key. */

interface Example {
  readonly name: string;
  readonly code: string;
}

export function examplesFor(base: string): readonly Example[] {
  return EXAMPLES.map(({ name, code }) => ({ name, code: code.replaceAll('BASE', base) }));
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'dawa-autocomplete2',
    code: `dawaAutocomplete.dawaAutocomplete(input, {
  baseUrl: 'BASE',
  params: { token: 'KEY' },
  select: (chosen) => console.log(chosen.data),
});`,
  },
  {
    name: 'jQuery',
    code: `$.getJSON('BASE/k/KEY/adresser/autocomplete', { q: input.value }, show);`,
  },
  {
    name: 'Vue',
    code: `const base = 'BASE/k/KEY';
const found = ref([]);
watch(text, async (q) => {
  const answer = await fetch(\`\${base}/autocomplete?\${new URLSearchParams({ q })}\`);
  found.value = await answer.json();
});`,
  },
  {
    name: 'fetch',
    code: `const answer = await fetch('BASE/adgangsadresser/reverse?x=12.5&y=55.7&token=KEY');
const address = await answer.json();`,
  },
  {
    name: 'Python',
    code: `import requests
base = 'BASE/k/KEY'
answer = requests.get(f'{base}/datavask/adresser', params={'betegnelse': text}).json()`,
  },
  {
    name: 'C#',
    code: `var client = new HttpClient { BaseAddress = new Uri("BASE/k/KEY/") };
var json = await client.GetStringAsync($"adresser?q={Uri.EscapeDataString(text)}");`,
  },
  {
    name: 'PHP',
    code: `$base = 'BASE/k/KEY';
$found = json_decode(file_get_contents("$base/adresser?" . http_build_query(['q' => $text])));`,
  },
  {
    name: 'R',
    code: `base <- "BASE/k/KEY"
found <- jsonlite::fromJSON(paste0(base, "/postnumre?nr=8000"))`,
  },
];
