import fc from 'fast-check';

/** Any UTF-16, halves of surrogates among it. fast-check's own `binary` takes two seconds to be made. */
export const anyText = fc.uint16Array().map((units) => String.fromCharCode(...units));
