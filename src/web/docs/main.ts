import type { SwaggerRequest, SwaggerResponse } from 'swagger-ui-dist';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import { AREA_WORDS } from '../shared/areas.ts';
import { readAsker } from '../shared/asker.ts';
import { byId, byIdAs, installKeyboard, say, show } from '../shared/dom.ts';
import { beginSpeaking, language, t, wordOf } from '../shared/language.ts';
import type { Words } from '../../layers/words.ts';
import type { Language } from '../shared/language.ts';
import { bearer } from '../shared/lookup.ts';
import { LARGE_MS, Refused, request } from '../shared/ask.ts';
import { isOfExampleJob, ofOwnJob } from './example-job.ts';
import { csrfHeader } from '../shared/session.ts';
import { SHOWN_BYTES, blobOf } from '../shared/keep-file.ts';
import { withSchemas } from './references.ts';
import type { Part } from './references.ts';
import { drawSearch, installSearch } from './search.ts';

const typed = byIdAs('key', HTMLInputElement);
/** Whose key the examples ask with; null: that is not known yet. */
let asker: Awaited<ReturnType<typeof readAsker>> | null = null;

async function begin(): Promise<void> {
  installKeyboard();
  installSearch();
  new MutationObserver(mendAccess).observe(byId('reference'), { childList: true, subtree: true });
  beginSpeaking(() => {
    tellKey();
    drawSearch();
    void drawReference();
  });
  asker = await readAsker('Dokumentation', Object.keys(AREA_WORDS));
  tellKey();
}

const KEY_WORDS: Readonly<Record<string, Words>> = {
  session: {
    da: 'En testnøgle fra din konto, som intet koster.',
    en: 'A test key from your account; it is free.',
  },
  on: {
    da: 'Den åbne prøves nøgle, som intet koster. Til batch og job skal du logge ind på Konto.',
    en: "The open trial's key; it is free. For batches and jobs, sign in at Account.",
  },
  open: { da: 'Her kræves ingen nøgle.', en: 'No key is needed here.' },
  off: { da: 'Log ind på Konto, eller skriv en nøgle.', en: 'Sign in at Account, or enter a key.' },
};

function tellKey(): void {
  if (asker === null) return;
  const kind = asker.session === null ? (document.body.dataset['proeve'] ?? 'off') : 'session';
  byId('key-about').textContent = wordOf(KEY_WORDS, kind);
}

async function drawReference(): Promise<void> {
  show(byId('reference'), false);
  show(byId('reference-loading'), true);
  try {
    // Or it follows links within the page itself, and makes each a step of the address.
    Object.assign(window, { noZensmooth: true });
    const { default: SwaggerUI } = await import('swagger-ui-dist/swagger-ui-es-bundle.js');
    const domNode = document.createElement('div');
    domNode.lang = language();
    byId('reference').replaceChildren(domNode);
    SwaggerUI({
      domNode,
      url: 'openapi.json',
      deepLinking: true,
      validatorUrl: null,
      plugins: [asPartOfThisPage],
      layout: 'Reference',
      requestInterceptor: limited,
      responseInterceptor: spoken,
    });
  } catch {
    show(byId('reference-loading'), false);
    say(
      byId('reference-error'),
      t('Siden kunne ikke hentes helt.', 'The page could not be loaded.'),
    );
  }
}

function spoken(response: SwaggerResponse): SwaggerResponse {
  const { url, text } = response as { readonly url?: string; readonly text?: string };
  if (url?.endsWith('openapi.json') !== true || text === undefined) return response;
  return { ...response, text: spokenDocument(text, language()) };
}

interface System {
  readonly React: {
    readonly createElement: (what: unknown, own: object | null, ...inner: unknown[]) => unknown;
  };
  readonly getComponent: (name: string, isConnected: boolean) => unknown;
}

/**
 * The operations alone, and one key for all: the field above. Headings are buttons; links in them
 * could not be told apart.
 */
function asPartOfThisPage({ React: { createElement }, getComponent }: System) {
  const none = () => () => null;
  const plain =
    () =>
    ({ text }: { readonly text: string }) =>
      createElement('span', null, text);
  const layout = () =>
    createElement(
      'div',
      { className: 'swagger-ui' },
      ...['errors', 'operations', 'Webhooks'].map((name) =>
        createElement(getComponent(name, true), null),
      ),
    );
  return {
    // Its own takes seconds: it parses the whole document for each operation.
    fn: {
      resolveSubtree: (document: object, path: readonly string[]) =>
        Promise.resolve({ spec: withSchemas(document as Part, path), errors: [] }),
    },
    components: { Reference: layout },
    wrapComponents: { DeepLink: plain, authorizeBtn: none, authorizeOperationBtn: none },
  };
}

/** Fields that swagger-ui leaves without a label, and boxes that no keyboard could scroll. */
function mendAccess(): void {
  // Before its document has come, swagger-ui says that there are no operations.
  if (document.querySelector('#reference :is(.opblock, .errors-wrapper)') !== null) {
    show(byId('reference'), true);
    show(byId('reference-loading'), false);
  }
  for (const field of document.querySelectorAll(
    '#reference :is(select, input):not([aria-label])',
  )) {
    const row = field.closest<HTMLElement>('[data-param-name]');
    field.setAttribute('aria-label', row?.dataset['paramName'] ?? t('Eksempel', 'Example'));
  }
  for (const box of document.querySelectorAll<HTMLElement>('#reference pre')) box.tabIndex = 0;
}

async function limited(asked: SwaggerRequest): Promise<SwaggerRequest> {
  return { ...(await withKey(asked)), userFetch: fetchShown };
}

/** swagger-ui waits for an answer without end, and draws one of any length. Throws Refused. */
async function fetchShown(url: string, options: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(LARGE_MS) });
    const whole = await blobOf(response, SHOWN_BYTES);
    return new Response(whole.size === 0 ? null : whole, response);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const why = t('Tjenesten svarer ikke i tide.', 'The service does not answer in time.');
    throw new Refused(0, 'unreachable', why);
  }
}

/** Operations of an account are asked with its session, everything else with a key. */
async function withKey(asked: SwaggerRequest): Promise<SwaggerRequest> {
  const { pathname } = new URL(asked.url, location.href);
  const headers = asked['headers'] as Readonly<Record<string, string>>;
  if (!pathname.includes('/v1/')) return asked;
  const isAccount = pathname.includes('/v1/me');
  const own = typed.value.trim();
  if (own === '' && isAccount) return { ...asked, headers: { ...headers, ...csrfHeader() } };
  const secret = (own === '' ? await asker?.key?.secret().catch(() => null) : own) ?? null;
  return {
    ...asked,
    url: isOfExampleJob(pathname) ? await urlOfOwnJob(asked, secret) : asked.url,
    ...{ credentials: 'omit', referrerPolicy: 'same-origin' },
    headers: { ...headers, ...bearer(secret) },
  };
}

async function urlOfOwnJob(asked: SwaggerRequest, secret: string | null): Promise<string> {
  const url = new URL(asked.url, location.href).href;
  const method = String(asked['method'] ?? 'GET');
  return await ofOwnJob({ url, method }, async (path, body) => {
    const response = await request(path, {
      credentials: 'omit',
      referrerPolicy: 'same-origin',
      headers: { ...bearer(secret), 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await response.json()) as Awaited<ReturnType<Parameters<typeof ofOwnJob>[1]>>;
  }).catch(() => url);
}

/** `text`: English, an empty line, Danish in each description. */
function spokenDocument(text: string, language: Language): string {
  const spoken = JSON.parse(text, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') {
      const both = value.split('\n\n');
      return both.length === 2 ? both[language === 'da' ? 1 : 0] : value;
    }
    return isOperation(value) ? { ...value, summary: firstSentence(value.description) } : value;
  }) as unknown;
  return JSON.stringify(spoken);
}

function isOperation(value: unknown): value is { readonly description: string } {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

/** An operation's description begins with what it is called. */
function firstSentence(text: string): string {
  return text.replace(/\. .*$|\.$/s, '');
}

void begin();
