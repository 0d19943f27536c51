/** What a client takes (RFC 9110, 12.5). */

const WEIGHT = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The names in the header, in their order, with their weights; an invalid weight is 0. */
export function weighted(header: string | undefined): readonly (readonly [string, number])[] {
  return (header ?? '').split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const given = parameters.find((each) => each.startsWith('q=')) ?? 'q=1';
    return [name, WEIGHT.test(given) ? Number(given.slice(2)) : 0];
  });
}

/** The weight of the first of `names` that the header has; 0: it has none. */
export function weightOf(header: string | undefined, ...names: readonly string[]): number {
  const weights = new Map(weighted(header));
  return names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0;
}

/** Whether a client names the type, and wants it as much as JSON. */
export function wants(accept: string | undefined, type: string): boolean {
  const weight = weightOf(accept, type);
  return weight > 0 && weight >= weightOf(accept, 'application/json', 'application/*', '*/*');
}
