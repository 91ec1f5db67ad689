/**
 * @typedef {ReturnType<typeof newLive>} Live
 *
 * What is written, and told: the same size for everyone.
 *
 * @param {import('../types.d.ts').Account} account
 * @param {number} room
 * @param {number} points
 */
export const newLive = (account, room, points) => ({
  player: `player ${points % 977}`,
  points,
  room,
  cheated: false,
  tags: ['solo', 'ranked'],
  text: 'what a chat message or the state of a game takes, more or less, when it is sent to all who are in the room',
  ACL: { '*': { read: true }, [account.id]: { read: true, write: true } },
})
