/** From a page to signing in and back, within one tab. */

const PLACE = 'efter-log-ind';
/** Nothing else that may stand there is gone to. */
const PAGES = ['job', 'kort'] as const;
type WayBack = (typeof PAGES)[number];

/** Remembers the page that the links lead away from. */
export function comeBackFrom(links: Iterable<HTMLElement>, page: WayBack): void {
  for (const link of links) {
    link.addEventListener('click', () => {
      try {
        sessionStorage.setItem(PLACE, page);
      } catch {
        // The way back is a link of the header.
      }
    });
  }
}

/** The page to go back to, told once; null: one came from nowhere else. */
export function takeWayBack(): WayBack | null {
  try {
    const kept = sessionStorage.getItem(PLACE);
    sessionStorage.removeItem(PLACE);
    return PAGES.find((page) => page === kept) ?? null;
  } catch {
    return null;
  }
}
