/** How often a random test tries: in full by `npm run test:all` and by itself, a tenth of it by `npm test`. */
export const inFull = (times: number) => (process.env.COUNTERSIGN_TESTS === 'quick' ? Math.ceil(times / 10) : times)
