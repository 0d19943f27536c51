import type { Words } from '../../layers/words.ts';
import type { Role, Webhook } from './types.ts';

export const DELIVERY_ERRORS: Readonly<Record<string, Words>> = {
  timeout: { da: 'svarede ikke i tide', en: 'no answer in time' },
  'connection refused': { da: 'forbindelsen blev afvist', en: 'the connection was refused' },
  'connection lost': { da: 'forbindelsen blev afbrudt', en: 'the connection was lost' },
  'host unreachable': { da: 'værten kan ikke nås', en: 'the host cannot be reached' },
  'network unreachable': { da: 'nettet kan ikke nås', en: 'the network cannot be reached' },
  'answer too large': { da: 'svaret er for stort', en: 'the answer is too large' },
  'not an HTTP answer': { da: 'svaret er ikke HTTP', en: 'the answer is not HTTP' },
  'TLS failed': {
    da: 'certifikatet eller TLS blev ikke godkendt',
    en: 'the certificate or TLS was refused',
  },
  'address not allowed': { da: 'adressen er ikke offentlig', en: 'the address is not public' },
  'name not resolved': { da: 'navnet kunne ikke slås op', en: 'the name could not be looked up' },
  interrupted: { da: 'afbrudt undervejs', en: 'broken off' },
  'address busy': {
    da: 'for mange til samme adresse på én gang',
    en: 'too many to one address at once',
  },
  'secret unread': {
    da: 'hemmeligheden kunne ikke læses her',
    en: 'the secret could not be read here',
  },
  backlog: { da: 'for mange ventede', en: 'too many were waiting' },
};

/** In the order of the form. */
export const EVENT_WORDS: Readonly<Record<Webhook['events'][number], Words>> = {
  'key.created': { da: 'En nøgle er lavet', en: 'A key was made' },
  'key.revoked': { da: 'En nøgle er tilbagekaldt', en: 'A key was revoked' },
  'subscription.updated': { da: 'Abonnementet er ændret', en: 'The plan was changed' },
  'usage.threshold': {
    da: 'Forbruget har nået 80 % eller 100 % af det inkluderede',
    en: 'Usage has reached 80% or 100% of what is included',
  },
  'job.completed': { da: 'Et job er færdigt', en: 'A job is done' },
  'job.failed': { da: 'Et job er mislykkedes', en: 'A job has failed' },
  'watch.changed': {
    da: 'Noget på en overvågningsliste er ændret',
    en: 'Something on a watch-list has changed',
  },
};

export const ROLES: Readonly<Record<Role, Words>> = {
  reads: { da: 'Læser', en: 'Reads' },
  uses: { da: 'Bruger', en: 'Uses' },
  pays: { da: 'Betaler', en: 'Pays' },
  administers: { da: 'Administrerer', en: 'Administers' },
};
