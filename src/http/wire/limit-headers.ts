/** RateLimit and RateLimit-Policy of the IETF draft; the remainder is never overstated (D65). */
import type { LimitState, LimitStates, MapLimitStates } from '../../metering/meter-types.ts';

export function limitHeaders({
  burst,
  month,
  address,
  visitor,
}: LimitStates): Record<string, string> {
  let policy = policyOf('burst', burst);
  let left = stateOf('burst', burst);
  if (month !== null) {
    policy += `, ${policyOf('month', month)}`;
    left += `, ${stateOf('month', month)}`;
  }
  if (visitor !== null) {
    policy += `, ${policyOf('visitor', visitor)}`;
    left += `, ${stateOf('visitor', visitor)}`;
  }
  if (address !== null) {
    policy += `, ${policyOf('address', address)}`;
    left += `, ${stateOf('address', address)}`;
  }
  return { 'ratelimit-policy': policy, ratelimit: left };
}

export function mapLimitHeaders({ key, address }: MapLimitStates): Record<string, string> {
  return {
    'ratelimit-policy': `${policyOf('kort', key)}, ${policyOf('kort-address', address)}`,
    ratelimit: `${stateOf('kort', key)}, ${stateOf('kort-address', address)}`,
  };
}

const policyOf = (name: string, { limit, windowS }: LimitState): string =>
  `"${name}";q=${limit};w=${windowS}`;

const stateOf = (name: string, { remaining, resetS }: LimitState): string =>
  `"${name}";r=${remaining};t=${resetS}`;
