/** What nothing that tests print may hold: the secrets this service hands out. */

/** A key as it is made (src/account/key-format.ts), or the secret of a webhook endpoint. */
const SECRETS = /svc_(?:pub_)?(?:live|test)_[0-9A-Za-z]{32,}|whsec_[A-Za-z0-9+/]{43}=/g;

/** Enough of each to find it by, and too little to use. */
export function secretsIn(text: string): readonly string[] {
  return [...text.matchAll(SECRETS)].map(([secret]) => `${secret.slice(0, 12)}…`);
}
