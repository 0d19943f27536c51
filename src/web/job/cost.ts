import type { UsageTotal } from './api.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { priceWords } from '../shared/price.ts';
import type { Environment } from './address-bar.ts';
import { costOf } from './view.ts';

export function costWords(
  environment: Environment,
  { rows, each }: { readonly rows: number; readonly each: number },
  usage: UsageTotal | null,
): string {
  const total = each * rows;
  const one = total === 1;
  const units = `${number(total)} ${t(one ? 'enhed' : 'enheder', one ? 'unit' : 'units')}`;
  const most =
    environment === 'test'
      ? t(
          `de samme svar; tager højst ${units}, som ikke kommer på regningen`,
          `the same answers; takes at most ${units}, which are not billed`,
        )
      : t(
          `koster højst ${units}: ${number(each)} for hver række, der besvares; at finde adressen er med i den`,
          `costs at most ${units}: ${number(each)} for every row that is answered; finding its address is included`,
        );
  if (usage === null) return most;
  const { left, beyond } = costOf(total, usage);
  const rest = t(`${number(left)} tilbage denne måned`, `${number(left)} left this month`);
  const price = environment === 'live' ? priceWords(beyond) : null;
  const cost = price === null ? most : `${most}, ${t(`højst ${price}`, `at most ${price}`)}`;
  return `${cost} (${rest})`;
}
