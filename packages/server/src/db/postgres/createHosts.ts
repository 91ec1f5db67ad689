import { AsyncResource } from 'node:async_hooks'
import { Client, type ClientBase, type ClientConfig } from 'pg'
import { DatabaseUnavailable, isUnavailable } from '../databaseErrors.ts'
import { readAddresses } from './readAddresses.ts'

export type Hosts = {
  /** Number of hosts that the address names. */
  readonly count: number
  /** Client for a pool: it connects to the host that is in use when it is made. */
  readonly HostClient: new (
    config?: string | ClientConfig,
  ) => Client
  /** Opens a connection to the first host that takes writes, beginning with the one in use. */
  connect(): Promise<Client>
  /** Makes the settings of a new session, and rejects that of a standby. */
  prepareSession(client: ClientBase): Promise<void>
  /** Cuts every connection to the host of this client, which no longer responds. */
  abandon(client: ClientBase): void
}

type Address = { url: string }

/**
 * Citus opens more connections to a worker for every 10 ms that a statement takes, and closes them after it. On a busy
 * machine a page of 32 shards cost two to three times as much.
 */
const citusSettings = 'set citus.executor_slow_start_interval = 100; '

/** Settings that the decoding of values relies on. A pooler in transaction mode keeps only two for each client. */
const settings = {
  full: `set timezone = 'UTC'; set datestyle = 'ISO'; set bytea_output = 'hex'; ${citusSettings}`,
  pooled: "set timezone = 'UTC'; set datestyle = 'ISO'; ",
  none: '',
}

export type SessionSettings = keyof typeof settings

/**
 * Hosts of a database URL. One is in use: the first that takes writes. A standby, or a host that cannot be reached,
 * makes the next one current, so after a promotion connections find the new primary.
 */
export function createHosts(databaseUrl: string, config: ClientConfig, session: SessionSettings): Hosts {
  const addresses: Address[] = readAddresses(databaseUrl).map((url) => ({ url }))
  const addressOf = new WeakMap<ClientBase, Address>()
  const open = new Set<Client>()
  // A connection lasts longer than the transaction or the function that it is opened for, and would keep its context.
  const outside = new AsyncResource('countersign.connections')
  let current = 0

  const leave = (address: Address | undefined) => {
    if (address === addresses[current]) current = (current + 1) % addresses.length
  }

  class HostClient extends Client {
    constructor(given?: string | ClientConfig) {
      const address = addresses[current] as Address
      super({ ...(given as ClientConfig), connectionString: address.url })
      addressOf.set(this, address)
      open.add(this)
      this.once('end', () => open.delete(this))
      // Without a listener a connection that is lost would end the process.
      this.on('error', () => {})
    }

    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
      const connected = outside.runInAsyncScope(() => super.connect())
      connected.catch((error: unknown) => {
        open.delete(this)
        if (isUnavailable(error)) leave(addressOf.get(this))
      })
      if (!callback) return connected as unknown as Promise<Client>
      connected.then(() => callback(null as unknown as Error), callback)
      return undefined
    }
  }

  const prepareSession = async (client: ClientBase) => {
    const answer: unknown = await client.query(`${settings[session]}select pg_is_in_recovery() as standby`)
    const result = (Array.isArray(answer) ? answer.at(-1) : answer) as { rows: { standby: boolean }[] }
    if (!result.rows[0]?.standby) return
    leave(addressOf.get(client))
    throw new DatabaseUnavailable('The host is a standby, which accepts no writes.')
  }

  const connectOnce = async () => {
    const client = new HostClient(config)
    try {
      await client.connect()
      await prepareSession(client)
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  return {
    count: addresses.length,
    HostClient,
    prepareSession,
    connect: async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await connectOnce()
        } catch (error) {
          if (tries >= addresses.length || !isUnavailable(error)) throw error
        }
      }
    },
    abandon: (client) => {
      const address = addressOf.get(client)
      leave(address)
      for (const other of open) if (addressOf.get(other) === address) other.connection.stream.destroy()
    },
  }
}
