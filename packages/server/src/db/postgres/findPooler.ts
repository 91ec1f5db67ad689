import type { Client } from 'pg'

export type Pooler = 'none' | 'session' | 'transaction'

const rounds = 8

/**
 * The kind of connection pooler between this server and PostgreSQL. A pooler makes up process ids of its own; one in
 * transaction mode moves a client between processes, or lets two clients share one.
 */
export async function findPooler(connect: () => Promise<Client>): Promise<Pooler> {
  const clients: Client[] = []
  try {
    const first = await connect()
    clients.push(first)
    if ((first as unknown as { processID: number }).processID === (await askPid(first))) return 'none'
    const second = await connect()
    clients.push(second)
    const seen: [number, number][] = []
    for (let round = 0; round < rounds; round++) {
      seen.push([await askPid(first), await askPid(second)])
    }
    const [start] = seen as [[number, number]]
    const isFixed = start[0] !== start[1] && seen.every(([one, other]) => one === start[0] && other === start[1])
    return isFixed ? 'session' : 'transaction'
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

async function askPid(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
