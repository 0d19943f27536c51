import { Failure } from '../../kernel/failures.ts';
import { accessOf } from './addresses.ts';
import type { AccessAddress, ListQuestion, SearchQuestion, UnitAddress } from './addresses.ts';
import type { AddressAnswer } from './copy.ts';
import type { Addresses } from './lookup.ts';

type Kind = ListQuestion['kind'];
type Address = AccessAddress | UnitAddress;

/** Unknown ids are left out. */
export async function byIds(
  search: Addresses['search'],
  { kind, ids }: { readonly kind: Kind; readonly ids: readonly string[] },
  deadline: Parameters<Addresses['search']['find']>[1],
): Promise<AddressAnswer<readonly Address[]>> {
  const found: Address[] = [];
  let facts: Omit<AddressAnswer<unknown>, 'value'> = { generation: 0, provenance: [] };
  for (const id of ids) {
    try {
      const { value, ...own } = await search.find(id, deadline);
      facts = own;
      if (value.hit.kind === kind) found.push(value.hit.address);
    } catch (error) {
      if (!(error instanceof Failure) || error.type !== 'not_found') throw error;
    }
  }
  return { ...facts, value: found };
}

interface Sought extends SearchQuestion {
  readonly kind: Kind;
}

/** Of houses found, the houses or all their units. */
export function ofKind(
  { search, listing }: Pick<Addresses, 'search' | 'listing'>,
  { kind, ...question }: Sought,
): AddressAnswer<readonly Address[]> {
  const { value, ...facts } = search.search(question);
  const found = new Map<string, Address>();
  for (const { address } of value) {
    if (found.size >= question.limit) break;
    const own =
      kind === 'access'
        ? [accessOf(address)]
        : 'access' in address
          ? [address]
          : listing.units(address.id).value;
    for (const each of own) found.set(each.id, each);
  }
  return { ...facts, value: [...found.values()].slice(0, question.limit) };
}
