/** Result of `scripts/postgres.mjs`. */
export type Postgres = {
  url: string
  port: number
  restart(how: 'fast' | 'immediate'): Promise<void>
  stop(): Promise<void>
}
export type StartPostgres = (options: { settings: Record<string, string> }) => Promise<Postgres>

export type ChaosOptions = {
  sockets: number
  seconds: number
  writers: number
  /** Writes a second, all writers together. */
  rate: number
  servers: number
  /** The same seed disturbs and writes by the same plan, as far as time allows. */
  seed: number
  say?(line: string): void
}

export type ChaosReport = {
  /** Faults; empty if every subscriber received exactly the right events. */
  faults: string[]
  writes: number
  /** Writes whose response was lost, so that they were sent again. */
  repeated: number
  deliveries: number
  subscriptions: number
  /** How often a client came back and went on from its position. */
  resumed: number
  disturbances: Record<string, number>
  /** Milliseconds between a write and its arrival, outages included. */
  lag: { p50: number; p99: number; most: number }
  seconds: number
}

/** An object as stored in the table. */
export type Cell = { objectId: string; n: number; room: number; score: number; _rperm: string[] | null }

/** One change of one object, as the table itself saw it. */
export type Change = { id: number; before: Cell | null; after: Cell | null }

export type Who = { name: string; token: string | undefined; names: string[] }

export type Asked = { where: object; fits(cell: Cell): boolean }
