/** Bits of one line's answer at one point, where many answers lie in typed arrays. */
export const LINE_FLAG = { within: 1, uncertain: 2 } as const;
