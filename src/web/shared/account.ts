import type { renderSession } from '../../http/v1/me/render.ts';

/** Who is signed in. */
export type Session = ReturnType<typeof renderSession>;
