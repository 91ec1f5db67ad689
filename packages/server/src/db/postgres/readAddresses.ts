import { Client } from 'pg'

const form = /^(postgres(?:ql)?:\/\/)(?:(.*)@)?([^@/?#]*)([^?#]*)(?:\?([^#]*))?$/

const malformed = (setting: string) => `${setting} must look like postgres://user:password@host:port/database.`

/** Values of `target_session_attrs` that a server which writes can live with. */
const writable = new Set(['any', 'read-write', 'primary'])

export type AddressSetting = 'DATABASE_URL' | 'COUNTERSIGN_REPLICA_URL'

/** Most hosts in one address: a failed connection tries each of them. */
const mostHosts = 16

/**
 * The addresses of the hosts that a database URL names, in their order: `postgres://user:password@a,b:5433/database`,
 * or `?host=a,b&port=5432,5433` as libpq has it. Errors never quote the URL, which holds the password.
 */
export function readAddresses(databaseUrl: string, setting: AddressSetting = 'DATABASE_URL'): string[] {
  const parts = form.exec(databaseUrl)
  if (!parts) throw new Error(malformed(setting))
  const [, scheme = '', user, authority = '', path = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const attributes = parameters.get('target_session_attrs')
  if (attributes !== null && !writable.has(attributes) && setting === 'DATABASE_URL') {
    throw new Error('target_session_attrs of DATABASE_URL must be read-write: the server writes to its database.')
  }
  const hosts = parameters.get('host')?.split(',') ?? authority.split(',')
  if (hosts.length > mostHosts) throw new Error(`${setting} can have at most ${mostHosts} hosts.`)
  if (hosts.length === 1 && attributes === null) return [databaseUrl]
  const ports = (parameters.get('port') ?? '').split(',')
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new Error(`${setting} must have one port per host, or one port for all hosts.`)
  }
  const isInQuery = parameters.has('host')
  for (const name of ['target_session_attrs', 'host', 'port']) parameters.delete(name)
  return hosts.map((host, place) => {
    if (host === '' && hosts.length > 1) throw new Error(`${setting} has an empty host: remove the extra comma.`)
    const port = ports[place] ?? ports[0]
    const target = isInQuery && port ? `${host.includes(':') ? `[${host}]` : host}:${port}` : host
    const rest = parameters.size > 0 ? `?${parameters}` : ''
    return `${scheme}${user === undefined ? '' : `${user}@`}${target}${path}${rest}`
  })
}

/** Hosts and database that a URL names, for people to read. */
export function describeAddresses(databaseUrl: string): string {
  const clients = readAddresses(databaseUrl).map((connectionString) => {
    try {
      return new Client({ connectionString })
    } catch {
      // The cause is left out: it may quote the address, and with it the password.
      throw new Error(malformed('DATABASE_URL'))
    }
  })
  return `${clients.map(({ host, port }) => `${host}:${port}`).join(', ')}, database "${clients[0]?.database}"`
}
