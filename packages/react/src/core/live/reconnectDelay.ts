const first = 1_000
const longest = 30_000

/**
 * How long to wait after so many failed attempts (R24): twice as long each time, up to half a minute. Half of it is
 * chance, or all clients of a server that comes back would come back in the same moment.
 */
export function reconnectDelay(attempts: number, random: () => number): number {
  const ceiling = Math.min(longest, first * 2 ** Math.max(0, attempts - 1))
  return ceiling * (0.5 + random() / 2)
}
