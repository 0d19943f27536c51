/** An authority of the test's own and certificates of it, made with OpenSSL; nobody's verification is off. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const EC = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** What those trust who are to believe it. */
  readonly ca: string;
  /** For names and addresses, as `DNS:a.example` and `IP:127.0.0.1`. */
  issue(...names: readonly string[]): Certificate;
}

export function makeAuthority(): Authority {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-ca-'));
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  openssl(...`req -x509 ${EC} -keyout ca.key -out ca.pem -days 2 -subj /CN=Test`.split(' '));
  const ca = readFileSync(join(dir, 'ca.pem'), 'utf8');
  const caKey = readFileSync(join(dir, 'ca.key'), 'utf8');
  rmSync(dir, { recursive: true });
  return { ca, issue: (...names) => issue({ ca, caKey }, names) };
}

function issue(
  { ca, caKey }: { readonly ca: string; readonly caKey: string },
  names: readonly string[],
): Certificate {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-cert-'));
  const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);
  write('ca.pem', ca);
  write('ca.key', caKey);
  write('names', `subjectAltName=${names.join(',')}`);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  openssl(...`req ${EC} -keyout own.key -out own.csr -subj /CN=receiver`.split(' '));
  const signing = '-CA ca.pem -CAkey ca.key -CAcreateserial -extfile names';
  openssl(...`x509 -req -in own.csr ${signing} -out own.pem -days 2`.split(' '));
  const read = (name: string): string => readFileSync(join(dir, name), 'utf8');
  const made = { key: read('own.key'), cert: read('own.pem') };
  rmSync(dir, { recursive: true });
  return made;
}
