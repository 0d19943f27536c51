/** One way to ask the service, for every page: nothing kept, nothing told to others, an end to waiting. */

/** Milliseconds a page waits for an answer. */
export const TIMEOUT_MS = 20_000;

/** What the service refused, in its own words. `status` 0: it could not be reached. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** An answer that is good; throws Refused otherwise. */
export async function request(path, options) {
  const response = await fetch(path, {
    credentials: 'same-origin',
    ...options,
    headers: { ...options.headers, 'accept-language': 'da' },
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new Refused(0, 'unreachable', 'Tjenesten svarer ikke.');
  });
  if (response.ok) return response;
  const error = await response.json().catch(() => ({}));
  throw new Refused(
    response.status,
    error.code ?? '',
    error.message ?? `Tjenesten svarede ${response.status}.`,
  );
}
