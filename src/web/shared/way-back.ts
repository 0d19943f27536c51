/** From a page to signing in and back, within one tab. */

const PLACE = 'efter-log-ind';
/** Only these are gone back to. */
const PAGES = ['job', 'kort'] as const;

export function comeBackFrom(page: (typeof PAGES)[number]): void {
  for (const link of document.querySelectorAll('main a[href="konto"], #to-account')) {
    link.addEventListener('click', () => {
      try {
        sessionStorage.setItem(PLACE, page + window.location.hash);
      } catch {
        // The way back is a link of the header.
      }
    });
  }
}

/** Told once; null: one came from nowhere else. */
export function takeWayBack(): string | null {
  try {
    const kept = sessionStorage.getItem(PLACE) ?? '';
    sessionStorage.removeItem(PLACE);
    return PAGES.some((page) => page === kept.replace(/#.*/s, '')) ? kept : null;
  } catch {
    return null;
  }
}
