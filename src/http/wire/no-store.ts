export const NO_STORE = { 'cache-control': 'no-store' };
