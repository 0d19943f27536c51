/** The change in a program or package, by language. `BASE` is this service's door, `KEY` the caller's key. */

interface Example {
  readonly name: string;
  /** Packages that it moves without a change of their own. */
  readonly packages?: string;
  readonly code: string;
}

export function examplesFor(base: string): readonly Example[] {
  return EXAMPLES.map((each) => ({ ...each, code: each.code.replaceAll('BASE', base) }));
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'dawa-autocomplete2',
    packages: 'dawa-autocomplete2, dawa-autocomplete',
    code: `dawaAutocomplete.dawaAutocomplete(input, {
  baseUrl: 'BASE',
  params: { token: 'KEY' },
  select: (chosen) => console.log(chosen.data),
});`,
  },
  {
    name: 'jQuery',
    packages: 'dawa-util',
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
    name: 'Node.js',
    packages: 'denmark-dawa',
    code: `// Before the package is loaded: its host is a constant.
const https = require('node:https');
require('node:http').get = ({ path, headers }) => https.get('BASE/k/KEY' + path, { headers });
const Dawa = require('denmark-dawa');`,
  },
  {
    name: 'Python',
    packages: 'pydawa, dawa-sdk, dawa-facade, django-dawa',
    code: `import re, requests
DAWA = r'https?://(dawa\\.aws\\.dk|api\\.dataforsyningen\\.dk)'
send = requests.Session.request
requests.Session.request = lambda self, method, url, **rest: send(
    self, method, re.sub(DAWA, 'BASE/k/KEY', url), **rest)`,
  },
  {
    name: 'Python, aiohttp',
    packages: 'os2mo-dar-client',
    code: `client = AsyncDARClient()
client._baseurl = 'BASE/k/KEY'`,
  },
  {
    name: 'C#',
    packages: 'DawaAddress, Dawa, DawaService',
    code: `class Here : DelegatingHandler {
    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage ask, CancellationToken end) {
        ask.RequestUri = new Uri("BASE/k/KEY" + ask.RequestUri.PathAndQuery);
        return base.SendAsync(ask, end);
    }
}
var client = new HttpClient(new Here { InnerHandler = new HttpClientHandler() });`,
  },
  {
    name: 'PHP, Guzzle',
    packages: 'nicoeg/dawa, softcode/module-dawa-address, address_dawa, geocoder_dawa',
    code: `$stack = GuzzleHttp\\HandlerStack::create();
$stack->push(GuzzleHttp\\Middleware::mapRequest(fn ($ask) => $ask->withUri(
    new GuzzleHttp\\Psr7\\Uri('BASE/k/KEY' . $ask->getRequestTarget()))));
$client = new GuzzleHttp\\Client(['base_uri' => 'BASE/', 'handler' => $stack]);
// nicoeg/dawa keeps its client to itself.
(new ReflectionProperty(Nicoeg\\Dawa\\Dawa::class, 'client'))->setValue($dawa, $client);`,
  },
  {
    name: 'R',
    packages: 'dawaR (httr2::request), dawa (httr::GET)',
    code: `ask <- httr2::request
here <- function(url) sub('https?://(dawa.aws.dk|api.dataforsyningen.dk)', 'BASE/k/KEY', url)
assignInNamespace('request', function(base_url) ask(here(base_url)), 'httr2')
assignInNamespace('connection_check', function() TRUE, 'dawaR')`,
  },
  {
    name: 'Dart',
    packages: 'dawa (Flutter)',
    code: `class Here extends http.BaseClient {
  final inner = http.Client();
  Future<http.StreamedResponse> send(http.BaseRequest ask) => inner.send(
      http.Request(ask.method, Uri.parse('BASE/k/KEY\${ask.url.path}?\${ask.url.query}')));
}
http.runWithClient(run, Here.new);`,
  },
  {
    name: 'Rust',
    packages: 'dawars',
    code: `let found = Request::new(Url::parse("BASE/k/KEY/navngivneveje?vejnavn=Algade")?).execute()?;`,
  },
  {
    name: 'Replikering',
    packages: 'dawa-replication-client, DawaAddress, dawaupdater',
    code: `base=BASE/k/KEY/replikering
curl "$base/senestetransaktion"
curl "$base/udtraek?entitet=adgangsadresse&txid=$txid&ndjson"
curl "$base/haendelser?entitet=adgangsadresse&txidfra=$((txid + 1))&ndjson"`,
  },
];
