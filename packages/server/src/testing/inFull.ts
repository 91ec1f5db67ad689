const isPart = process.env.COUNTERSIGN_TESTS === 'quick' || process.env.COUNTERSIGN_TESTS === 'ci'

/**
 * Number of random tries: in full by `npm run test:all` and for a single file, a tenth of it by the shorter commands.
 */
export const inFull = (times: number) => (isPart ? Math.ceil(times / 10) : times)
