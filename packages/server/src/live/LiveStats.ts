/** What live queries are doing, counted in one place. */
export type LiveStats = {
  sockets: number
  subscriptions: number
  /** Events that were sent, since the start. */
  deliveries: number
  /** Clients that read too slowly, since the start. */
  slow: number
  /** Milliseconds between the last change that was told and its writing. */
  lag: number
}

export function createLiveStats(): LiveStats {
  return { sockets: 0, subscriptions: 0, deliveries: 0, slow: 0, lag: 0 }
}
