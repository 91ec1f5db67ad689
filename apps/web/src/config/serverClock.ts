/** Tolerated network delay. */
const tolerance = 90_000
let ahead = 0

/** The present moment as the server has it: by a device whose clock is wrong, yesterday would be in three hours. */
export const serverClock = {
  now: () => Date.now() + ahead,
  /** Learns from the `Date` of a response. */
  learn(date: string | null) {
    const difference = Date.parse(date ?? '') - Date.now()
    ahead = Math.abs(difference) > tolerance ? difference : 0
  },
}
