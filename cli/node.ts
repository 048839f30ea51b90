// The program on Node (scripts/build-node.ts). Older versions have no Temporal.

if (typeof Temporal === 'undefined') await import('temporal-polyfill/global');
await (await import('./main.ts')).main();
