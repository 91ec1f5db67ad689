/**
 * A new object as its owner would save it: readable by all, written by the owner alone.
 *
 * @param {import('../types.d.ts').Account} account
 * @param {number} number
 */
export const newScore = (account, number) => ({
  player: `player ${number % 977}`,
  points: number,
  level: 1_000_000 + (number % 5000),
  cheated: false,
  playedAt: { __type: 'Date', iso: '2026-01-01T12:00:00.000Z' },
  tags: ['solo', 'ranked'],
  game: { __type: 'Pointer', className: 'Game', objectId: 'g000000001' },
  ACL: { '*': { read: true }, [account.id]: { read: true, write: true } },
})
