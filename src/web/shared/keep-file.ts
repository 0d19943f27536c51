/** For a browser to take the file. */
const TAKEN_MS = 60_000;

export function keepFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  download(href, name);
  setTimeout(() => URL.revokeObjectURL(href), TAKEN_MS);
}

/** Empty name: the service's. */
export function download(href: string, name = ''): void {
  Object.assign(document.createElement('a'), { href, download: name }).click();
}
